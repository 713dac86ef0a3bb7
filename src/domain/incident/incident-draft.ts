/** The parts of a change of an incident: its rows, its timeline, and what is told. */
import type { IncidentHappening } from '#contracts/incident.ts'
import { ENGLISH, say, sentence } from '#contracts/words.ts'
import type { Incident, IncidentEntry } from '#domain/incident/incident.ts'
import type { IncidentEffect, IncidentFacts } from '#domain/incident/incident-events.ts'
import { type IncidentWords, incidentText } from '#domain/incident/incident-text.ts'

/** Texts about one incident, beside replies and texts that end it. One more says that no more will come. */
const TEXTS_MAX = 20
/** Rings about one incident. */
const RINGS_MAX = 10
/** From the first ring of a person to the second one. */
const RING_AGAIN_MS = 90_000
/** Entries of a timeline. The first ones say how it began. */
const ENTRIES_MAX = 200
const FIRST_ENTRIES_KEPT = 20

/** An incident that is being changed. */
export interface IncidentDraft {
  incident: Incident
  readonly effects: IncidentEffect[]
  readonly facts: IncidentFacts
}

export function change(draft: IncidentDraft, fields: Partial<Incident>): void {
  draft.incident = { ...draft.incident, ...fields }
}

/** Adds an entry to the timeline. When it is full, an entry behind the first ones makes room. */
export function note(
  draft: IncidentDraft,
  event: IncidentHappening,
  rest: Partial<Omit<IncidentEntry, 'at' | 'event'>> = {},
): void {
  const entry = { at: draft.facts.wallMs, event, personId: null, messageId: null, detail: null, ...rest }
  const { timeline } = draft.incident
  const kept = timeline.length < ENTRIES_MAX ? timeline : timeline.toSpliced(FIRST_ENTRIES_KEPT, 1)
  change(draft, { timeline: [...kept, entry] })
}

function noteBound(draft: IncidentDraft, rest: Partial<IncidentEntry>): void {
  change(draft, { boundAt: draft.facts.wallMs })
  note(draft, 'bound', rest)
}

export interface Telling extends IncidentWords {
  readonly isStep?: boolean
  /** Whether the text ends the incident, so that it neither counts nor is held back by a bound. */
  readonly isFree?: boolean
}

/** Tells people of the incident, each at most once in one change. */
export function tell(draft: IncidentDraft, people: readonly string[], telling: Telling): void {
  for (const personId of people) {
    const isTold = draft.effects.some(one => one.type === 'tell' && one.personId === personId)
    if (!isTold) tellOne(draft, personId, telling)
  }
}

function tellOne(draft: IncidentDraft, personId: string, telling: Telling): void {
  const { incident, facts } = draft
  const { isStep = false, isFree = false, before } = telling
  const allowed = isFree ? 'yes' : facts.canTell(personId)
  if (allowed === 'no' || (!isFree && incident.texts > TEXTS_MAX)) return
  let bound = allowed === 'last' ? sentence('No more texts for an hour.') : null
  if (!isFree && incident.texts === TEXTS_MAX) bound = sentence('No more texts about this.')
  if (bound !== null) noteBound(draft, { personId, detail: say(ENGLISH, bound) })
  const { told, texts } = draft.incident
  change(draft, {
    told: told.includes(personId) ? told : [...told, personId],
    texts: texts + Number(!isFree),
  })
  const detail = before === undefined ? null : say(ENGLISH, before)
  note(draft, 'told', { personId, detail })
  const asks = telling.asks === true && facts.canHearAnswers
  const text = incidentText(incident, { ...telling, asks, bound }, facts.language)
  const guess = (telling.text === undefined ? incident.guess : telling.guess) === true
  draft.effects.push({ type: 'tell', personId, text, guess, isStep, counts: !isFree })
}

/** Rings these people, as far as that is possible. `isFirst`: each rings once more. */
export function ring(draft: IncidentDraft, people: readonly string[], isFirst: boolean): void {
  const { facts } = draft
  for (const personId of people.filter(one => facts.canRing(one))) {
    const { rings, ringAgain } = draft.incident
    if (rings >= RINGS_MAX) return noteBound(draft, { detail: `${RINGS_MAX} rings` })
    const again = { personId, at: facts.wallMs + RING_AGAIN_MS }
    change(draft, { rings: rings + 1, ringAgain: isFirst ? [...ringAgain, again] : ringAgain })
    note(draft, 'ringing', { personId })
    draft.effects.push({ type: 'ring', personId })
  }
}

export function hangUp({ incident, effects }: IncidentDraft): void {
  if (incident.rings > 0) effects.push({ type: 'hang-up' })
}

/** Closes it. `by`: as `closedBy` has it. */
export function end(draft: IncidentDraft, by: string | null, detail: string | null): void {
  hangUp(draft)
  const { wallMs } = draft.facts
  change(draft, { state: 'closed', closedAt: wallMs, closedBy: by, pending: [], ringAgain: [] })
  note(draft, 'closed', { personId: personOf(by), detail })
  draft.effects.push({ type: 'notify', event: 'incident.closed' })
}

/** The person in `takenBy` or `closedBy`. */
export function personOf(who: string | null): string | null {
  return who === 'owner' || who === 'sender' ? null : who
}

/** The people who want to hear of it at this hour. */
export function awake({ incident, facts }: IncidentDraft, people: readonly string[]): readonly string[] {
  return people.filter(one => facts.quietUntil(one, incident.severity) === null)
}
