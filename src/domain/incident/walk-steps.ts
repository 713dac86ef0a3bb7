/** Walks the steps of an incident that nobody has. */
import type { IncidentResource } from '#contracts/incident.ts'
import { sentence } from '#contracts/words.ts'
import type { Incident } from '#domain/incident/incident.ts'
import {
  awake,
  change,
  end,
  hangUp,
  type IncidentDraft,
  note,
  ring,
  saysWhoHasIt,
  tell,
  withdraw,
} from '#domain/incident/incident-draft.ts'
import { instant, MINUTE_MS } from '#domain/time.ts'

/** From the last step of a round to the next round, or to the end of the last one. */
const ROUND_PAUSE_MS = 10 * MINUTE_MS
/** From one step of a rehearsal to the next. */
const REHEARSAL_STEP_MS = 10_000
/** From a text about what joined to the next one. */
export const ALSO_MS = MINUTE_MS
/** An unanswered incident is closed after this time. */
const UNANSWERED_MS = 86_400_000

/** When something is to be done about an incident. Wall-clock milliseconds; null: never. */
export function dueAtOf(incident: Incident): number | null {
  const { also, told } = incident
  const own = stateDueAt(incident)
  const isNews = also !== undefined && also.count > 0 && told.length > 0
  return own === null || !isNews ? own : Math.min(own, alsoDueAt(also))
}

/** When what joined is told. */
export function alsoDueAt({ since }: NonNullable<Incident['also']>): number {
  return since + ALSO_MS
}

/** When a step, a ring, the end of a round or of the taker's time comes. Null: never. */
export function stateDueAt(incident: Incident): number | null {
  const { state, isRehearsal, roundAt, takenUntil, plan } = incident
  if (state === 'closed') return null
  if (state === 'unanswered') return roundAt + UNANSWERED_MS
  if (state === 'taken') return isRehearsal ? roundAt + offsetOf(incident, plan.steps.length) : takenUntil
  return Math.min(stepDueAt(incident), ...incident.ringAgain.map(({ at }) => at))
}

/** Does what is due: at most the steps of one round. All of it waits for a phone that can send. */
export function walkSteps(draft: IncidentDraft): void {
  const { incident, facts } = draft
  if (!facts.canSendNow) return
  if (stepDueAt(incident) > facts.wallMs) return ringOnceMore(draft)
  if (incident.nextStep < incident.plan.steps.length) return runSteps(draft)
  if (isLastRound(incident)) return giveUp(draft)
  beginRound(draft, incident.round + 1)
}

/** What comes next of an open incident, and when. `tell` empty: nothing, it will be unanswered. */
export function nextStepOf(incident: Incident): IncidentResource['next'] {
  const { state, plan, nextStep } = incident
  if (state !== 'open') return null
  const afterRound = isLastRound(incident) ? undefined : plan.steps[0]
  const { tell, ring } = plan.steps[nextStep] ?? afterRound ?? { tell: [], ring: false }
  return { at: instant(stepDueAt(incident)), tell: [...tell], ring }
}

function isLastRound({ round, isRehearsal, plan }: Incident): boolean {
  return round >= (isRehearsal ? 1 : plan.rounds)
}

/** The next step, or the end of the round, comes now. The steps after it keep their distance. */
export function hurry(draft: IncidentDraft): void {
  const { incident, facts } = draft
  change(draft, { roundAt: facts.wallMs - offsetOf(incident, incident.nextStep), quietUntil: null })
  walkSteps(draft)
}

export const RELEASED = { state: 'open', takenBy: null, takenAt: null, takenUntil: null } as const

/** Nobody has it any more. */
export function reopen(draft: IncidentDraft, fields: Partial<Incident> = {}): void {
  withdraw(draft, saysWhoHasIt)
  change(draft, { ...RELEASED, atOnce: [], ...fields })
  note(draft, 'reopened')
  beginRound(draft, 1)
}

/** Begins a round and tells its first step. */
export function beginRound(draft: IncidentDraft, round: number): void {
  change(draft, { round, nextStep: 0, roundAt: draft.facts.wallMs, quietUntil: null, refused: [] })
  runSteps(draft)
}

/** Runs the next step, and with it those after it that are overdue, too. */
function runSteps(draft: IncidentDraft): void {
  const { incident, facts } = draft
  const { plan, nextStep, roundAt, refused } = incident
  let end = nextStep + 1
  while (end < plan.steps.length && roundAt + offsetOf(incident, end) <= facts.wallMs) end++
  const due = plan.steps.slice(nextStep, end)
  const leftOut = [...refused, ...(nextStep === 0 ? [] : heardAtOnce(incident))]
  const peopleOf = (steps: typeof due) => namedBy(draft, steps).filter(one => !leftOut.includes(one))
  const people = peopleOf(due)
  const ready = awake(draft, people)
  if (people.length > 0 && ready.length === 0) return waitForMorning(draft, people, end - 1)
  change(draft, {
    nextStep: behindHeard(draft, end),
    roundAt: facts.wallMs - offsetOf(incident, end - 1),
    quietUntil: null,
    pending: incident.pending.filter(one => one.isBeside === true && incident.round === 1),
    ringAgain: [],
  })
  if (people.length === 0) {
    note(draft, 'nobody', { detail: stepName(incident, end) })
    const next = draft.incident.nextStep
    if (next === plan.steps.length) return
    change(draft, { roundAt: facts.wallMs - offsetOf(incident, next) })
    return runSteps(draft)
  }
  if (incident.round > 1 || end > 1 || incident.told.length > 0) {
    note(draft, 'escalated', { detail: stepName(incident, end) })
    draft.effects.push({ type: 'notify', event: 'incident.escalated' })
  }
  const isNews = (one: string) => !incident.told.includes(one)
  tell(draft, ready.filter(isNews), { asks: true, isStep: true })
  tell(
    draft,
    ready.filter(one => !isNews(one)),
    { before: sentence('Still'), asks: true, isStep: true },
  )
  for (const step of due.filter(one => one.ring)) {
    const isRung = (id: string) => draft.effects.some(one => one.type === 'ring' && one.personId === id)
    const silent = peopleOf([step]).filter(one => !isRung(one))
    ring(draft, awake(draft, silent), { isFirst: true, hours: step.ringHours ?? null })
  }
}

/** The people whom these steps name now. */
export function namedBy({ facts }: IncidentDraft, steps: Incident['plan']['steps']): readonly string[] {
  return [...new Set(steps.flatMap(({ tell: targets }) => targets.flatMap(one => facts.resolve(one))))]
}

/** Those of the people told at once whom a text reached: it was not held back, and has not failed. */
function heardAtOnce({ round, atOnce = [], told, timeline }: Incident): readonly string[] {
  const count = (id: string, event: 'told' | 'failed') =>
    timeline.filter(one => one.event === event && one.personId === id).length
  const isReached = (id: string) => told.includes(id) && count(id, 'failed') < count(id, 'told')
  return round === 1 ? atOnce.filter(isReached) : []
}

/** Looks again which steps the first round passes over, because people were told at once, or were not. */
export function passOver(draft: IncidentDraft): void {
  const { state, round, nextStep, atOnce = [] } = draft.incident
  if (state !== 'open' || round > 1 || nextStep === 0 || atOnce.length === 0) return
  let step = nextStep
  while (step > 1 && isFor(draft, step - 1, atOnce)) step -= 1
  change(draft, { nextStep: behindHeard(draft, step) })
}

/** This step, or the first after it that names somebody who was not told at once. */
function behindHeard(draft: IncidentDraft, step: number): number {
  const { incident } = draft
  const heard = heardAtOnce(incident)
  let next = step
  while (next < incident.plan.steps.length && isFor(draft, next, heard)) next += 1
  return next
}

/** Whether a step is for some of these people, and for no others. */
function isFor(draft: IncidentDraft, step: number, people: readonly string[]): boolean {
  const named = namedBy(draft, draft.incident.plan.steps.slice(step, step + 1))
  return named.length > 0 && named.every(person => people.includes(person))
}

/** A step in which all are quiet waits for the first whose quiet ends. */
function waitForMorning(draft: IncidentDraft, people: readonly string[], lastStep: number): void {
  const { incident, facts } = draft
  const until = Math.min(...people.map(one => facts.quietUntil(one, incident.severity) ?? facts.wallMs))
  change(draft, { quietUntil: until, roundAt: until - offsetOf(incident, lastStep), ringAgain: [] })
  note(draft, 'quiet', { detail: instant(until) })
}

function ringOnceMore(draft: IncidentDraft): void {
  const { incident, facts } = draft
  const isDue = ({ at }: { readonly at: number }) => at <= facts.wallMs
  const due = incident.ringAgain.filter(isDue)
  if (due.length === 0) return
  change(draft, { ringAgain: incident.ringAgain.filter(one => !isDue(one)) })
  for (const { personId, hours = null } of due)
    ring(draft, awake(draft, [personId]), { isFirst: false, hours })
}

/** All rounds are over. Everybody of the policy hears of it, because a late answer is better than none. */
function giveUp(draft: IncidentDraft): void {
  const { endings, isRehearsal } = draft.incident
  const roundAt = draft.facts.wallMs
  hangUp(draft)
  change(draft, { state: 'unanswered', roundAt, quietUntil: null, pending: [], ringAgain: [] })
  note(draft, 'unanswered')
  draft.effects.push({ type: 'notify', event: 'incident.unanswered' })
  if (!isRehearsal) draft.effects.push({ type: 'alarm' })
  const everyone = draft.facts.resolve('everyone')
  const isFree = !endings.includes('unanswered')
  tell(draft, everyone, { before: sentence('Nobody took'), asks: !isRehearsal, isFree, isHeld: true })
  change(draft, { endings: isFree ? [...endings, 'unanswered'] : endings })
  if (isRehearsal) end(draft, null, 'over')
}

function stepDueAt(incident: Incident): number {
  return incident.quietUntil ?? incident.roundAt + offsetOf(incident, incident.nextStep)
}

/** From the begin of a round to this step, or to the end of the round. */
function offsetOf({ plan, isRehearsal }: Incident, step: number): number {
  const { steps } = plan
  if (isRehearsal) return step * REHEARSAL_STEP_MS
  const minutes = steps[step]?.afterMinutes
  if (minutes !== undefined) return minutes * MINUTE_MS
  return (steps.at(-1)?.afterMinutes ?? 0) * MINUTE_MS + ROUND_PAUSE_MS
}

/** `step 2 of 3, round 1` */
function stepName({ plan, round }: Incident, number: number): string {
  return `step ${number} of ${plan.steps.length}, round ${round}`
}
