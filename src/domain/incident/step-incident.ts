/**
 * The life of an incident: what an alert, an answer or a deadline makes of it, and what is then to be done.
 * A person who has taken it gets three kinds of texts only: it is worse, another thing joined, it is over.
 */

import { type Sentence, sentence } from '#contracts/words.ts'
import { endThings, join, tellAlso, tellMore, thingsAfter } from '#domain/incident/hear-alert.ts'
import type { Incident } from '#domain/incident/incident.ts'
import {
  awake,
  change,
  close,
  end,
  hangUp,
  type IncidentDraft,
  inherit,
  isAlsoFor,
  note,
  personOf,
  saysWhoHasIt,
  type Telling,
  tell,
  withdraw,
} from '#domain/incident/incident-draft.ts'
import type {
  EventOf,
  IncidentEvent,
  IncidentFacts,
  IncidentInput,
  IncidentOutcome,
} from '#domain/incident/incident-events.ts'
import { doneBy, holderWords, incidentText, nameOfHolder } from '#domain/incident/incident-text.ts'
import { moveTimes } from '#domain/incident/move-times.ts'
import {
  alsoDueAt,
  beginRound,
  dueAtOf,
  hurry,
  namedBy,
  passOver,
  RELEASED,
  reopen,
  stateDueAt,
  walkSteps,
} from '#domain/incident/walk-steps.ts'
import { MINUTE_MS } from '#domain/time.ts'

/** Opens an incident and tells its first step, whether or not a phone can send now. */
export function openIncident(input: IncidentInput, facts: IncidentFacts): IncidentOutcome {
  const { wallMs } = facts
  const { name: _, group: __, formerKey: ___, unheard, ...own } = input
  const incident: Incident = {
    ...own,
    state: 'open',
    things: thingsAfter({ things: [], text: '' }, input, false).things,
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
  passOver(draft)
  inherit(draft, unheard)
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
      return endThings(draft, event)
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
  const isOwnNews = isAlsoFor(who)
  withdraw(draft, one => !isOwnNews(one))
  change(draft, { quietUntil: null, pending: [], ringAgain: [] })
  draft.effects.push({ type: 'notify', event: 'incident.taken' })
  const isFree = !endings.includes('taken')
  const says = { ...words, isFree } as const
  const isAsked = draft.effects.some(one => one.type === 'reply')
  if (who !== 'owner' && !isAsked) tell(draft, [who], { before: sentence('Yours'), ...says })
  const others = draft.incident.told.filter(one => one !== who)
  const before = sentence('{name} has it', { name: nameOfHolder(who, facts) })
  tell(draft, others, { before, isHeld: true, ...says })
  change(draft, { endings: isFree ? [...endings, 'taken'] : endings })
}

/** The next step comes at once. `personId`: who does not want it; null: the owner says so. */
function passOn(draft: IncidentDraft, personId: string | null): void {
  const { refused } = draft.incident
  hangUp(draft)
  withdraw(draft, saysWhoHasIt)
  change(draft, { ...RELEASED, refused: personId === null ? refused : [...refused, personId] })
  note(draft, 'passed', { personId })
  hurry(draft)
}

/** Does what is due. */
function wake(draft: IncidentDraft): void {
  const { wallMs, canSendNow } = draft.facts
  const dueAt = stateDueAt(draft.incident)
  if (dueAt !== null && dueAt <= wallMs) wakeState(draft)
  const { also, state } = draft.incident
  if (state === 'closed' || !canSendNow || also === undefined || also.count === 0) return
  if (alsoDueAt(also) > wallMs) return
  // People who are told of a step get the text about what joined a minute later.
  const hasTold = draft.effects.some(({ type }) => type === 'tell')
  if (hasTold) change(draft, { also: { ...also, since: wallMs } })
  else tellAlso(draft)
}

function wakeState(draft: IncidentDraft): void {
  const { state, isRehearsal } = draft.incident
  if (state === 'open') return walkSteps(draft)
  // After a day without an answer an incident ends without a text. So does a rehearsal that was taken.
  if (state === 'unanswered' || isRehearsal) return end(draft, null, 'over')
  if (draft.facts.canSendNow) reopen(draft)
}

function noteMessage(draft: IncidentDraft, { personId, messageId, isStep }: EventOf<'told'>): void {
  const { timeline, pending, round, atOnce = [] } = draft.incident
  const isBeside = !isStep && round === 1 && atOnce.includes(personId)
  const index = timeline.findLastIndex(one => one.event === 'told' && one.personId === personId)
  const entry = timeline[index]
  if (entry !== undefined) change(draft, { timeline: timeline.with(index, { ...entry, messageId }) })
  if (!isStep && !isBeside) return
  const text = { messageId, personId, ...(isBeside && { isBeside: true as const }) }
  change(draft, { pending: [...pending, text] })
}

function noteFailure(draft: IncidentDraft, { messageId }: EventOf<'text-failed'>): void {
  const { timeline, pending, state, plan } = draft.incident
  const isIt = (one: { readonly messageId: string | null }) => one.messageId === messageId
  const told = pending.find(isIt) ?? timeline.find(isIt)
  if (told === undefined || timeline.some(one => one.event === 'failed' && isIt(one))) return
  note(draft, 'failed', { personId: told.personId, messageId })
  // If the failed text was one of a step, that step has run.
  if (pending.find(isIt)?.isBeside === true) passOver(draft)
  const left = pending.filter(one => !isIt(one))
  if (left.length === pending.length) return
  change(draft, { pending: left })
  const ofStep = (texts: Incident['pending']) => texts.filter(one => one.isBeside !== true).length
  if (ofStep(left) === ofStep(pending) || ofStep(left) > 0) return
  // After the last step its ten minutes pass, or a phone in trouble would use up all rounds in seconds.
  if (state === 'open' && draft.incident.nextStep < plan.steps.length) hurry(draft)
}
