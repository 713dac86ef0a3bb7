/** The parts of a change of an incident: its rows, its timeline, and what is told. */
import type { IncidentHappening } from '#contracts/incident.ts'
import { ENGLISH, say, sentence } from '#contracts/words.ts'
import { type Incident, type IncidentEntry, isUrgent } from '#domain/incident/incident.ts'
import type { IncidentEffect, IncidentFacts, Unheard } from '#domain/incident/incident-events.ts'
import { type IncidentWords, incidentText } from '#domain/incident/incident-text.ts'
import type { RingHours } from '#domain/on-call/on-call-store.ts'

/**
 * Texts about one incident, beside replies and texts that end it; or twice the people of its policy, where
 * that is more. One more says that no more will come.
 */
const TEXTS_MAX = 20
/** Those of them to one person. */
const TEXTS_OF_PERSON_MAX = 6
/** Rings about one incident. */
const RINGS_MAX = 10
/** From the first ring of a person to the second one. */
const RING_AGAIN_MS = 90_000
/** Entries of a timeline. The first ones say how it began. */
const ENTRIES_MAX = 200
const FIRST_ENTRIES_KEPT = 20
/** Things of an incident whose end waits to be told. */
const ENDED_MAX = 100
/** Begins the key of a thing of an earlier incident: what comes back is new to this one. */
export const HEIR = 'ended:'

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

export interface Telling extends IncidentWords {
  readonly isStep?: boolean
  /** Whether it is about things that joined. Only the bounds of people hold it back. */
  readonly isAlso?: boolean
  /** Whether the text ends the incident, so that it does not count for those who were told of it. */
  readonly isFree?: boolean
  /** Whether it waits for the end of a person's quiet hours. */
  readonly isHeld?: boolean
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
  const { told, texts, heard = {}, isRehearsal } = incident
  const { isStep = false, isAlso = false, before } = telling
  const isFirst = !told.includes(personId)
  // An end is only for those who were told, and a rehearsal counts in full.
  const isEnd = telling.isFree === true && !isFirst && !isRehearsal
  const own = heard[personId] ?? 0
  const isBound = !isEnd && !isAlso
  const isOver = isBound && (isAbove(draft, texts, 'all') || isAbove(draft, own, 'own'))
  const isFull = isBound && (isAbove(draft, texts + 1, 'all') || isAbove(draft, own + 1, 'own'))
  if (isOver) return
  const allowed = facts.canTell(personId, { isEnd, isFirst, isUrgent: isUrgent(incident) })
  if (allowed === 'no') return
  const isLastOf = allowed === 'last-of-hour' ? 'hour' : allowed === 'last-of-day' ? 'day' : undefined
  const bound = isFull ? LAST_WORDS.incident : isLastOf === undefined ? null : LAST_WORDS[isLastOf]
  if (bound !== null) note(draft, 'bound', { personId, detail: say(ENGLISH, bound) })
  change(draft, {
    told: isFirst ? [...told, personId] : told,
    ...(isBound && { texts: texts + 1, heard: { ...heard, [personId]: own + 1 } }),
    ...(isFull && { boundAt: facts.wallMs }),
  })
  const detail = before === undefined ? (isAlso ? ALSO : null) : say(ENGLISH, before)
  note(draft, 'told', { personId, detail })
  const asks = telling.asks === true && facts.canHearAnswers
  const text = incidentText(incident, { ...telling, asks, bound }, facts.language)
  const guess = (telling.text === undefined ? incident.guess : telling.guess) === true
  const sendAt = telling.isHeld === true ? facts.quietUntil(personId, incident.severity) : null
  const of = { sendAt, personId, text, guess, isStep, isAlso, counts: !isEnd }
  draft.effects.push({ type: 'tell', ...of, ...(isLastOf !== undefined && { isLastOf }) })
}

/** What the timeline says of a text about things that joined. */
const ALSO = 'Also'

/** Whether it is the text about what joined that this person has still to get. */
export function isAlsoFor(who: string): (entry: IncidentEntry) => boolean {
  return ({ personId, detail }) => personId === who && detail === ALSO
}

/** Whether a text says that somebody has it. */
export function saysWhoHasIt({ detail }: IncidentEntry): boolean {
  return detail?.endsWith(' has it') === true
}

/** Cancels the texts that no phone has got yet. People who got no other text count as not told. */
export function withdraw(
  draft: IncidentDraft,
  isMeant: (entry: IncidentEntry) => boolean = () => true,
): void {
  const { timeline, told, heard = {}, heirs = [] } = draft.incident
  const texts = timeline.filter(({ event, messageId }) => event === 'told' && messageId !== null)
  const isWaiting = ({ messageId }: IncidentEntry) => draft.facts.isWaiting(messageId ?? '')
  const waiting = new Set(texts.filter(one => isMeant(one) && isWaiting(one)))
  if (waiting.size === 0) return
  draft.effects.push({ type: 'withdraw', messageIds: [...waiting].map(({ messageId }) => messageId ?? '') })
  // A full timeline has lost the oldest texts, but not their number.
  const isReached = (id: string) => {
    const own = texts.filter(({ personId }) => personId === id)
    const left = own.filter(one => waiting.has(one)).length
    // An heir has heard of the problem by a text of the incident before.
    return own.length > left || (heard[id] ?? 0) > left || heirs.includes(id)
  }
  const missed = new Set([...waiting].map(({ personId }) => personId))
  change(draft, { told: told.filter(one => !missed.has(one) || isReached(one)) })
}

const LAST_WORDS = {
  incident: sentence('No more texts about this.'),
  hour: sentence('No more texts for an hour.'),
  day: sentence('No more texts today.'),
}

/** Whether so many texts are above the bound of the incident, or of one person and the incident. */
function isAbove({ facts }: IncidentDraft, texts: number, of: 'all' | 'own'): boolean {
  if (of === 'own') return texts > TEXTS_OF_PERSON_MAX
  return texts > TEXTS_MAX && texts > 2 * facts.resolve('everyone').length
}

/** Rings these people, as far as that is possible. `isFirst`: each rings once more. */
export function ring(
  draft: IncidentDraft,
  people: readonly string[],
  { isFirst, hours }: { readonly isFirst: boolean; readonly hours: RingHours },
): void {
  const { facts } = draft
  for (const personId of people) {
    const { rings, ringAgain } = draft.incident
    const allowed = facts.canRing(personId, hours)
    if (allowed === 'no') continue
    if (allowed === 'bound' || rings >= RINGS_MAX) {
      change(draft, { boundAt: facts.wallMs })
      note(draft, 'bound', { personId: allowed === 'bound' ? personId : null, detail: `${RINGS_MAX} rings` })
      if (allowed === 'bound') continue
      return
    }
    const again = { personId, at: facts.wallMs + RING_AGAIN_MS, ...(hours !== null && { hours }) }
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

interface Closing extends Telling {
  readonly people: readonly string[]
  /** It also tells the ends of which the heirs have not heard. */
  readonly textOfHeirs?: string
}

/** Closes the incident. Of `people`, only those who have got a text about it get one more. */
export function close(draft: IncidentDraft, by: string, { people, textOfHeirs, ...telling }: Closing): void {
  withdraw(draft)
  end(draft, by, by === 'sender' ? 'over' : null)
  const { told, heirs = [] } = draft.incident
  const hearers = people.filter(one => told.includes(one))
  const isHeir = (one: string) => textOfHeirs !== undefined && heirs.includes(one)
  const words = { ...telling, isFree: true, isHeld: true }
  tell(draft, hearers.filter(isHeir), { ...words, ...(textOfHeirs !== undefined && { text: textOfHeirs }) })
  tell(draft, hearers, words)
  const waits = draft.effects.some(one => one.type === 'tell' && one.sendAt !== null)
  if (!waits && draft.facts.canSendNow) return
  const ended = draft.incident.things.flatMap(({ key, name }) =>
    name === undefined ? [] : { key: key?.replace(HEIR, '') ?? null, name },
  )
  change(draft, { ended: ended.slice(0, ENDED_MAX) })
}

/** Whoever has not heard of an end, as it is not one after all, is to hear of the next. */
export function inherit(draft: IncidentDraft, unheard: Unheard | undefined): void {
  if (unheard === undefined) return
  const { told, things, heirs = [] } = draft.incident
  const others = unheard.things
    .map(({ key, name }) => ({ key: `${HEIR}${key}`, name, isOver: true }))
    .filter(({ key }) => things.every(one => one.key !== key))
  change(draft, {
    told: [...new Set([...told, ...unheard.people])],
    heirs: [...heirs, ...unheard.people],
    things: [...things, ...others],
  })
}

/** The person in `takenBy` or `closedBy`. */
export function personOf(who: string | null): string | null {
  return who === 'owner' || who === 'sender' ? null : who
}

/** The people who want to hear of it at this hour. */
export function awake({ incident, facts }: IncidentDraft, people: readonly string[]): readonly string[] {
  return people.filter(one => facts.quietUntil(one, incident.severity) === null)
}
