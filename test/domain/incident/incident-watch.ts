import { type Incident, isUrgent } from '#domain/incident/incident.ts'
import type {
  IncidentEffect,
  IncidentEvent,
  IncidentFacts,
  IncidentOutcome,
} from '#domain/incident/incident-events.ts'
import { stateDueAt } from '#domain/incident/walk-steps.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import { severityRank } from '#domain/webhook/severity-rank.ts'
import { AlsoWatch, isOther } from '#test/domain/incident/also-watch.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface Moment {
  readonly facts: IncidentFacts
  readonly monoMs: number
  readonly people: readonly string[]
}

type TellEffect = Extract<IncidentEffect, { type: 'tell' }>

/** Follows one incident from outside, and says what it must not do. */
export class IncidentWatch {
  readonly told = new Set<string>()
  readonly ringing = new Set<string>()
  readonly #fail: (text: string) => never
  readonly #also: AlsoWatch
  readonly #steps = new Set<string>()
  readonly #refused = new Set<string>()
  /** Whether each thing is over; what has no key never is. */
  readonly #things = new Map<string | null, boolean>()
  #number: number | null = null
  #closedAt: number | null = null
  readonly #heard = new Map<string, number>()
  #texts = 0
  #rings = 0
  #takes = 0
  #reopenings = 0
  /** Whether the next step is to come at once, as soon as a phone can send. */
  #isHurried = false
  /** The last step that ran. */
  #ran = { at: 0, offset: 0, round: 1 }

  constructor(fail: (text: string) => never) {
    this.#fail = fail
    this.#also = new AlsoWatch(fail)
  }

  /** Whether a new incident must not get this number. */
  holdsNumber(number: number | null, monoMs: number): boolean {
    if (number === null || number !== this.#number) return false
    return this.#closedAt === null || monoMs - this.#closedAt < HOUR_MS
  }

  opened({ incident, effects }: IncidentOutcome, moment: Moment & { readonly key: string | null }): void {
    this.#number = incident.number
    this.#things.set(moment.key, false)
    this.#isHurried = incident.quietUntil !== null
    this.#ran = { at: moment.monoMs, offset: 0, round: 1 }
    this.#follow(null, incident, effects, moment)
  }

  stepped(before: Incident, event: IncidentEvent, outcome: IncidentOutcome, moment: Moment): void {
    const { incident, effects } = outcome
    if (before.state === 'closed') this.#checkClosed(event, outcome)
    this.#checkAnswer(before, event, outcome)
    this.#checkPeace(before, event, outcome)
    this.#checkThings(event, incident)
    if (event.type === 'due') this.#checkDue(before, outcome, moment)
    this.#checkJoin(before, event, outcome, moment)
    this.#checkTake(before, event, outcome)
    this.#checkStop(before, event, outcome)
    if (event.type === 'answered' && event.verb === 'no' && incident.refused.includes(event.personId))
      this.#refused.add(event.personId)
    const { dueAt, quietUntil } = incident
    const waits = quietUntil !== null || (dueAt !== null && dueAt <= moment.facts.wallMs)
    const isAtOnce = hasSkipped(before, incident) || (event.type !== 'due' && event.type !== 'moved')
    this.#isHurried = waits && (this.#isHurried || isAtOnce)
    this.#follow(before, incident, effects, moment)
  }

  #checkClosed(event: IncidentEvent, { incident, effects }: IncidentOutcome): void {
    if (effects.length > 0 || incident.state !== 'closed') this.#fail(`does ${event.type} after its end`)
  }

  #checkAnswer(before: Incident, event: IncidentEvent, { incident, effects }: IncidentOutcome): void {
    const replies = effects.filter(one => one.type === 'reply')
    if (event.type !== 'answered') {
      if (replies.length > 0) this.#fail('replies to nothing')
      return
    }
    const { personId } = event
    if (!this.told.has(personId) && (incident !== before || effects.length > 0))
      this.#fail(`${personId}, who was not told, has an effect`)
    if (replies.length > 1) this.#fail('replies twice')
    if (replies.length === 0 && this.told.has(personId) && before.state !== 'closed') this.#fail('no reply')
    if (replies.some(one => one.personId !== personId)) this.#fail('replies to somebody else')
    if (tells(effects).some(one => one.personId === personId) && event.verb !== 'no')
      this.#fail('tells the sender what the reply says')
    const isOthers = before.state === 'taken' && before.takenBy !== personId
    if (isOthers && event.verb !== 'done' && incident !== before) this.#fail('takes what another has')
  }

  /** Whoever has it is left in peace. */
  #checkPeace(before: Incident, event: IncidentEvent, { incident, effects }: IncidentOutcome): void {
    if (effects.some(one => one.type === 'ring') && incident.state !== 'open') this.#fail('rings in vain')
    if (before.state !== 'taken' || incident.state !== 'taken' || before.takenBy !== incident.takenBy) return
    const rises = severityRank(incident.severity) > severityRank(before.severity)
    const isIdle = event.type === 'storm-told' && event.isDown === false
    if (rises || tells(effects).every(({ isAlso }) => isAlso && !isIdle)) return
    this.#fail(`tells on ${event.type} though somebody has it`)
  }

  #checkThings(event: IncidentEvent, { state, closedBy }: Incident): void {
    if (event.type === 'joined' && event.key !== null && this.#closedAt === null && state !== 'unanswered')
      this.#things.set(event.key, false)
    if (event.type !== 'over' || this.#closedAt !== null) return
    this.#things.set(event.key, true)
    const isOver = [...this.#things.values()].every(one => one)
    if (isOver !== (state === 'closed'))
      this.#fail(isOver ? 'is over, yet goes on' : 'ends before it is over')
    if (isOver && closedBy !== 'sender') this.#fail('forgets who ended it')
  }

  /** Nothing is early or stuck, and nothing is told while no phone can send. */
  #checkDue(before: Incident, { incident, effects }: IncidentOutcome, { facts, monoMs }: Moment): void {
    const isDue = before.dueAt !== null && before.dueAt <= facts.wallMs
    const endsAlone = before.state === 'unanswered' || (before.state === 'taken' && before.isRehearsal)
    // Only what joined was due.
    if (isDue && endsAlone && (stateDueAt(before) ?? 0) > facts.wallMs) return
    if (isDue && endsAlone) return incident.state === 'closed' ? undefined : this.#fail('does not end')
    if (!isDue || !facts.canSendNow) {
      if (incident !== before || effects.length > 0) this.#fail('acts before its time, or without a phone')
      return
    }
    if (incident.dueAt !== null && incident.dueAt <= facts.wallMs) this.#fail('is stuck')
    if (before.state !== 'open' || hasSkipped(before, incident) || this.#isHurried) return
    // The steps that the first round passes over do not say how long the others wait.
    if (incident.round <= 2 && incident.atOnce?.length) return
    const { at, offset, round } = this.#ran
    const hasEnded = incident.round !== round || incident.state !== 'open'
    const pauseMs = incident.isRehearsal ? 10_000 : 10 * MINUTE_MS
    const leastMs = hasEnded ? pauseMs : offsetOf(incident) - offset
    if (monoMs - at < leastMs) this.#fail(`a step comes ${leastMs - (monoMs - at)} ms early`)
    if (hasEnded && before.nextStep < before.plan.steps.length) this.#fail('leaves steps out')
  }

  #checkJoin(
    before: Incident,
    event: IncidentEvent,
    { incident, effects }: IncidentOutcome,
    { facts, monoMs }: Moment,
  ): void {
    const isLive = before.state === 'open' || before.state === 'taken'
    const isWorse = event.type === 'joined' && severityRank(event.severity) > severityRank(before.severity)
    // A rise that is told tells of what rose.
    const isSilent = !tells(effects).some(({ isAlso }) => !isAlso)
    const isNew =
      event.type === 'joined' &&
      event.isAloud &&
      isLive &&
      (!isWorse || isSilent) &&
      isOther(before, event.key)
    const isFirst = this.#also.stepped(event, effects, monoMs, isNew)
    if (!isLive || event.type !== 'joined') return
    if (incident.alerts !== before.alerts + 1) this.#fail('does not count an alert')
    const rises = isWorse
    const hearing = tells(effects).map(({ personId }) => personId)
    if (!rises && !isFirst && hearing.length > 0) this.#fail('tells a repeat')
    const mustHear = [...this.told].filter(
      one =>
        facts.quietUntil(one, incident.severity) === null &&
        (this.#heard.get(one) ?? 0) < 6 &&
        facts.canTell(one, { isEnd: false, isFirst: false, isUrgent: isUrgent(incident) }) === 'yes',
    )
    const hasRoom = this.#texts + mustHear.length + hearing.length <= 20
    const isNews = before.isRisen !== true || incident.severity === 'critical'
    if (rises && isNews && hasRoom && mustHear.some(one => !hearing.includes(one)))
      this.#fail('does not tell of a rise')
  }

  /** A take, which can be forged, is told to all others. */
  #checkTake(before: Incident, event: IncidentEvent, { incident, effects }: IncidentOutcome): void {
    if (incident.state !== 'taken' || (before.state === 'taken' && before.takenBy === incident.takenBy))
      return
    if (event.type !== 'answered' && event.type !== 'owner') this.#fail(`is taken by ${event.type}`)
    if (event.type === 'answered' && incident.takenBy !== event.personId) this.#fail('another has it')
    if (incident.dueAt === null) this.#fail('is taken for ever')
    const hearing = new Set(tells(effects).map(({ personId }) => personId))
    const others = [...this.told].filter(one => one !== incident.takenBy)
    const isBounded = incident.isRehearsal
    if (this.#takes++ === 0 && !isBounded && others.some(one => !hearing.has(one)))
      this.#fail('is taken in secret')
  }

  /** The end is told to everybody who knows of it; ringing stops. */
  #checkStop(before: Incident, event: IncidentEvent, { incident, effects }: IncidentOutcome): void {
    const isStop = incident.state !== 'open' && incident.state !== before.state
    const hangsUp = effects.some(one => one.type === 'hang-up')
    if (isStop && this.ringing.size > 0 && !hangsUp) this.#fail('rings on')
    if (hangsUp) this.ringing.clear()
    if (incident.state !== 'closed' || before.state === 'closed') return
    const sender = event.type === 'answered' ? event.personId : null
    const hearing = tells(effects).map(({ personId }) => personId)
    // A rehearsal after its last step.
    if (effects.some(one => one.type === 'notify' && one.event === 'incident.unanswered')) return
    if (event.type === 'due' || event.type === 'dropped')
      return hearing.length === 0 ? undefined : this.#fail(`${event.type} ends it aloud`)
    const others = [...this.told].filter(one => one !== sender)
    if (incident.isRehearsal) return
    if (hearing.length !== others.length || others.some(one => !hearing.includes(one)))
      this.#fail('its end is told to the wrong people')
  }

  #follow(
    before: Incident | null,
    incident: Incident,
    effects: IncidentOutcome['effects'],
    moment: Moment,
  ): void {
    const { facts, monoMs, people } = moment
    const isReopened = before !== null && before.state !== 'open' && incident.state === 'open'
    if (isReopened) this.#reopenings++
    if (before !== null && incident.round !== before.round) this.#refused.clear()
    if (isReopened && incident.refused.length === 0) this.#refused.clear()
    if (before === null || incident.nextStep !== before.nextStep || incident.round !== before.round)
      this.#ran = { at: monoMs, offset: offsetOf(incident), round: incident.round }
    for (const effect of tells(effects)) this.#followText(incident, effect, facts)
    for (const effect of effects) {
      if (effect.type === 'reply') this.#checkLength(incident, effect.text)
      if (effect.type !== 'ring') continue
      this.ringing.add(effect.personId)
      if (++this.#rings > 10) this.#fail('rings too often')
    }
    for (const one of this.told) if (!people.includes(one)) this.#fail(`${one} was told`)
    if (incident.state === 'closed') this.#closedAt ??= monoMs
    if (incident.state === 'open' && incident.quietUntil === null && incident.dueAt !== null)
      if (incident.dueAt - facts.wallMs > longestWait(incident)) this.#fail('a step comes late')
    if (incident.timeline.length > 200) this.#fail('has too long a timeline')
  }

  #followText(
    incident: Incident,
    { personId, text, isStep, isAlso, counts }: TellEffect,
    facts: IncidentFacts,
  ): void {
    const most = Math.max(20, 2 * facts.resolve('everyone').length) + 1
    const isBound = counts && !isAlso
    if (isBound && ++this.#texts > most) this.#fail('tells too often')
    const own = (this.#heard.get(personId) ?? 0) + Number(isBound)
    this.#heard.set(personId, own)
    if (own > 7) this.#fail(`tells ${personId} too often`)
    if (!counts && (incident.isRehearsal || !this.told.has(personId))) this.#fail('does not count a text')
    const name = `${personId} ${this.#reopenings} ${incident.round} ${incident.nextStep}`
    // A text at once that failed brings back a step that was passed over.
    const isBack = incident.round === 1 && (incident.atOnce ?? []).length > 0
    if (isStep && !isBack && this.#steps.has(name)) this.#fail(`${personId} is told twice of one step`)
    if (isStep) this.#steps.add(name)
    if (isStep && this.#refused.has(personId)) this.#fail(`${personId} said no and is told again`)
    if (isStep && facts.quietUntil(personId, incident.severity) !== null) this.#fail(`wakes ${personId}`)
    if (incident.isRehearsal && incident.closedBy !== 'sender' && !text.startsWith('TEST '))
      this.#fail(`"${text}" is no TEST`)
    this.#checkLength(incident, text)
    this.told.add(personId)
  }

  /** One segment stays one segment. */
  #checkLength(incident: Incident, text: string): void {
    if (segmentsOf(text).segments > segmentsOf(incident.text).segments) this.#fail(`"${text}" is too long`)
  }
}

function tells(effects: readonly IncidentEffect[]): readonly TellEffect[] {
  const all = effects.filter(one => one.type === 'tell')
  const people = new Set(all.map(({ personId }) => personId))
  if (people.size < all.length) throw new Error('somebody is told twice at once')
  return all
}

/** Whether a step reached nobody, so that the next one came at once. */
function hasSkipped(before: Incident, { timeline }: Incident): boolean {
  return timeline.slice(before.timeline.length).some(one => one.event === 'nobody')
}

/** From the begin of the round to the last step that ran. */
function offsetOf({ plan, nextStep, isRehearsal }: Incident): number {
  if (isRehearsal) return Math.max(0, nextStep - 1) * 10_000
  return (plan.steps[nextStep - 1]?.afterMinutes ?? 0) * MINUTE_MS
}

function longestWait({ plan, atOnce = [] }: Incident): number {
  // Steps that are passed over leave one long gap.
  const whole = atOnce.length === 0 ? 0 : (plan.steps.at(-1)?.afterMinutes ?? 0) + 10
  const gaps = plan.steps.map((step, i) => step.afterMinutes - (plan.steps[i - 1]?.afterMinutes ?? 0))
  return Math.max(10, whole, ...gaps) * MINUTE_MS
}
