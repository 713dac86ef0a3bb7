/**
 * The life of an incident: what an alert, an answer or a deadline makes of it, and what is then to be done.
 * A person who has taken it gets three kinds of texts only: it is worse, another thing joined, it is over.
 */

import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { type Sentence, sentence } from '#contracts/words.ts'
import type { Incident } from '#domain/incident/incident.ts'
import {
  awake,
  change,
  close,
  end,
  hangUp,
  type IncidentDraft,
  note,
  personOf,
  type Telling,
  tell,
  withdraw,
} from '#domain/incident/incident-draft.ts'
import type {
  IncidentEvent,
  IncidentFacts,
  IncidentInput,
  IncidentOutcome,
} from '#domain/incident/incident-events.ts'
import { doneBy, holderWords, incidentText, nameOfHolder } from '#domain/incident/incident-text.ts'
import { moveTimes } from '#domain/incident/move-times.ts'
import { beginRound, dueAtOf, hurry, namedBy, walkSteps } from '#domain/incident/walk-steps.ts'
import { MINUTE_MS } from '#domain/time.ts'
import { severityRank } from '#domain/webhook/severity-rank.ts'

const THINGS_MAX = ACCOUNT_BOUNDS.incidentThings.most

type EventOf<Type extends IncidentEvent['type']> = Extract<IncidentEvent, { type: Type }>

/** Opens an incident and tells its first step, whether or not a phone can send now. */
export function openIncident(input: IncidentInput, facts: IncidentFacts): IncidentOutcome {
  const { wallMs } = facts
  const incident: Incident = {
    ...input,
    state: 'open',
    things: [{ key: input.key, isOver: false }],
    alerts: 1,
    openedAt: wallMs,
    alertAt: wallMs,
    takenBy: null,
    takenAt: null,
    takenUntil: null,
    closedAt: null,
    closedBy: null,
    round: 1,
    nextStep: 0,
    roundAt: wallMs,
    dueAt: null,
    texts: 0,
    rings: 0,
    endings: [],
    quietUntil: null,
    refused: [],
    ringAgain: [],
    told: [],
    pending: [],
    timeline: [],
  }
  const draft: IncidentDraft = { incident, effects: [{ type: 'notify', event: 'incident.opened' }], facts }
  note(draft, 'opened')
  const everyone = facts.resolve('everyone')
  const atOnce = (input.atOnce ?? []).filter(one => everyone.includes(one))
  // In quiet hours a person waits for the steps. One whom no step names now would hear nothing.
  const named = namedBy(draft, incident.plan.steps)
  const ready = awake(draft, atOnce)
  change(draft, { atOnce: atOnce.filter(one => ready.includes(one) || !named.includes(one)) })
  beginRound(draft, 1)
  tell(draft, draft.incident.atOnce ?? [], { asks: true })
  return outcomeOf(draft)
}

/** What an event makes of an incident. */
export function stepIncident(
  incident: Incident,
  event: IncidentEvent,
  facts: IncidentFacts,
): IncidentOutcome {
  const draft: IncidentDraft = { incident, effects: [], facts }
  apply(draft, event)
  return outcomeOf(draft)
}

function outcomeOf(draft: IncidentDraft): IncidentOutcome {
  const dueAt = dueAtOf(draft.incident)
  if (dueAt !== draft.incident.dueAt) change(draft, { dueAt })
  return { incident: draft.incident, effects: draft.effects }
}

function apply(draft: IncidentDraft, event: IncidentEvent): void {
  switch (event.type) {
    case 'joined':
      return join(draft, event)
    case 'over':
      return endThing(draft, event)
    case 'acknowledged':
      return acknowledge(draft, event)
    case 'answered':
      return answer(draft, event)
    case 'owner':
      return obey(draft, event)
    case 'due':
      return wake(draft)
    case 'told':
      return noteMessage(draft, event)
    case 'text-failed':
      return noteFailure(draft, event)
    case 'ring-ended': {
      const ended = event.outcome === 'failed' ? 'ring-failed' : event.outcome
      return note(draft, ended, { personId: event.personId })
    }
    case 'storm-told':
      return event.isDown === false && draft.incident.state === 'taken' ? undefined : tellMore(draft, event)
    case 'dropped':
      return draft.incident.state === 'closed' ? undefined : end(draft, null, 'too many')
    case 'moved':
      return moveTimes(draft, event)
  }
}

function join(
  draft: IncidentDraft,
  { key, text, guess = false, severity, isAloud }: EventOf<'joined'>,
): void {
  const { state, things, alerts, severity: before, told } = draft.incident
  if (state === 'closed') return
  const isKnown = key !== null && things.some(one => one.key === key)
  change(draft, { alerts: alerts + 1, alertAt: draft.facts.wallMs, things: thingsWith(things, key) })
  note(draft, 'joined', { detail: text })
  const isWorse = severityRank(severity) > severityRank(before)
  // All steps are over without an answer, so the steps begin again for this alert.
  if (state === 'unanswered') return reopen(draft, { text, guess, severity: isWorse ? severity : before })
  if (!isWorse) return isAloud && !isKnown ? tellMore(draft, { text, guess }) : undefined
  // Only the first rise is told, except that a rise to critical always is.
  const isNews = draft.incident.isRisen !== true || severity === 'critical'
  change(draft, { severity, text, guess, isRisen: true })
  if (draft.incident.quietUntil !== null) hurry(draft)
  if (isNews) tell(draft, awake(draft, told), { asks: state === 'open' })
}

/** A thing that is one too many is never known to be over, so that the incident does not end without it. */
function thingsWith(things: Incident['things'], key: string | null): Incident['things'] {
  if (key === null) return things
  if (things.some(one => one.key === key))
    return things.map(one => (one.key === key ? { key, isOver: false } : one))
  const isFull = things.length >= THINGS_MAX
  if (isFull && things.some(one => one.key === null)) return things
  return [...things, { key: isFull ? null : key, isOver: false }]
}

function reopen(draft: IncidentDraft, fields: Partial<Incident> = {}): void {
  change(draft, { ...RELEASED, atOnce: [], ...fields })
  note(draft, 'reopened')
  beginRound(draft, 1)
}

/** Texts the person who has taken it, or all who were told while it is open. */
function tellMore(draft: IncidentDraft, telling: Telling): void {
  const { state, told, takenBy } = draft.incident
  if (state === 'open') return tell(draft, awake(draft, told), { asks: true, ...telling })
  if (state !== 'taken') return
  const people = takenBy === null || takenBy === 'owner' ? told : [takenBy]
  tell(draft, awake(draft, people), { before: sentence('Also'), ...telling })
}

function endThing(draft: IncidentDraft, { key, text, guess = false }: EventOf<'over'>): void {
  const { state, things, told } = draft.incident
  if (state === 'closed' || !things.some(one => one.key === key && !one.isOver)) return
  change(draft, { things: things.map(one => (one.key === key ? { key, isOver: true } : one)) })
  if (draft.incident.things.every(({ isOver }) => isOver))
    close(draft, 'sender', { people: told, text, guess })
}

function answer(draft: IncidentDraft, event: EventOf<'answered'>): void {
  const { personId, verb, minutes, via } = event
  const { incident, facts } = draft
  const { state, takenBy, told, refused } = incident
  if (state === 'closed' || !told.includes(personId)) return
  const reply = (before: Sentence, isUseless = false): void => {
    const text = incidentText(incident, { before }, facts.language)
    const guess = incident.guess === true
    draft.effects.push({ type: 'reply', personId, text, guess, isUseless, ...(via && { via }) })
  }
  const isMine = takenBy === personId
  if (verb === 'done') {
    reply(sentence('Closed'))
    const people = told.filter(one => one !== personId)
    return close(draft, personId, { people, before: doneBy(personId, facts) })
  }
  if (state === 'taken' && !isMine) return reply(holderWords(incident, facts), true)
  if (verb === 'take') {
    reply(sentence('Yours'), isMine)
    return take(draft, personId, { minutes })
  }
  if (state === 'unanswered') return reply(sentence('Nobody took'), true)
  // A second no must not use up the time of the next one.
  if (state === 'open' && refused.includes(personId)) return reply(sentence('Passed on'), true)
  reply(sentence('Passed on'))
  passOn(draft, personId)
}

function obey(draft: IncidentDraft, { verb, personId, minutes }: EventOf<'owner'>): void {
  const { state, told } = draft.incident
  if (state === 'closed') return
  const who = personId ?? 'owner'
  const done = { people: told, before: doneBy(who, draft.facts) }
  if (verb === 'close') close(draft, who, done)
  else if (verb === 'take') take(draft, who, { minutes })
  else if (state !== 'unanswered') passOn(draft, null)
}

type Taking = Pick<Telling, 'text' | 'guess'> & { readonly minutes?: number | null }

/** A person who has taken it keeps it. */
function acknowledge(draft: IncidentDraft, { text, guess }: EventOf<'acknowledged'>): void {
  const { state } = draft.incident
  if (state === 'open' || state === 'unanswered') take(draft, 'owner', { text, ...(guess && { guess }) })
}

/** `who`: as `takenBy` has it. Told to all others, because the number of a sender can be forged. */
function take(draft: IncidentDraft, who: string, { minutes = null, ...words }: Taking): void {
  const { incident, facts } = draft
  const { wallMs } = facts
  const { plan, takenBy, endings } = incident
  const length = minutes ?? plan.takenForMinutes
  const isNews = takenBy !== who
  const takenUntil = wallMs + length * MINUTE_MS
  if (isNews) hangUp(draft)
  change(draft, { takenBy: who, takenUntil, ...(isNews && { state: 'taken', takenAt: wallMs }) })
  note(draft, 'taken', { personId: personOf(who), detail: `${length} min` })
  if (!isNews) return
  withdraw(draft)
  change(draft, { quietUntil: null, pending: [], ringAgain: [] })
  draft.effects.push({ type: 'notify', event: 'incident.taken' })
  const isFree = !endings.includes('taken')
  const says = { ...words, isFree } as const
  const isAsked = draft.effects.some(one => one.type === 'reply')
  if (who !== 'owner' && !isAsked) tell(draft, [who], { before: sentence('Yours'), ...says })
  const others = draft.incident.told.filter(one => one !== who)
  tell(draft, others, { before: sentence('{name} has it', { name: nameOfHolder(who, facts) }), ...says })
  change(draft, { endings: isFree ? [...endings, 'taken'] : endings })
}

/** The next step comes at once. `personId`: who does not want it; null: the owner says so. */
function passOn(draft: IncidentDraft, personId: string | null): void {
  const { refused } = draft.incident
  hangUp(draft)
  change(draft, { ...RELEASED, refused: personId === null ? refused : [...refused, personId] })
  note(draft, 'passed', { personId })
  hurry(draft)
}

const RELEASED = { state: 'open', takenBy: null, takenAt: null, takenUntil: null } as const

/** Does what is due. */
function wake(draft: IncidentDraft): void {
  const { state, isRehearsal } = draft.incident
  const { wallMs, canSendNow } = draft.facts
  if (state === 'open') return walkSteps(draft)
  const dueAt = dueAtOf(draft.incident)
  if (dueAt === null || wallMs < dueAt) return
  // After a day without an answer an incident ends without a text. So does a rehearsal that was taken.
  if (state === 'unanswered' || isRehearsal) return end(draft, null, 'over')
  if (canSendNow) reopen(draft)
}

function noteMessage(draft: IncidentDraft, { personId, messageId, isStep }: EventOf<'told'>): void {
  const { timeline, pending } = draft.incident
  const index = timeline.findLastIndex(one => one.event === 'told' && one.personId === personId)
  const entry = timeline[index]
  if (entry !== undefined) change(draft, { timeline: timeline.with(index, { ...entry, messageId }) })
  if (isStep) change(draft, { pending: [...pending, { messageId, personId }] })
}

function noteFailure(draft: IncidentDraft, { messageId }: EventOf<'text-failed'>): void {
  const { timeline, pending, state, nextStep, plan } = draft.incident
  const isIt = (one: { readonly messageId: string | null }) => one.messageId === messageId
  const told = pending.find(isIt) ?? timeline.find(isIt)
  if (told === undefined || timeline.some(one => one.event === 'failed' && isIt(one))) return
  note(draft, 'failed', { personId: told.personId, messageId })
  const left = pending.filter(one => !isIt(one))
  if (left.length === pending.length) return
  change(draft, { pending: left })
  // After the last step its ten minutes pass, or a phone in trouble would use up all rounds in seconds.
  if (left.length === 0 && state === 'open' && nextStep < plan.steps.length) hurry(draft)
}
