/**
 * One trial of the model of incidents: random alerts, answers, deadlines, failures and jumps of the clock,
 * in a small gateway without a database. `incident-watch.ts` says what must hold after each of them.
 */
import type { AlertSeverity } from '#contracts/webhook.ts'
import { type Incident, isUrgent } from '#domain/incident/incident.ts'
import type {
  AnswerVerb,
  IncidentEffect,
  IncidentEvent,
  IncidentFacts,
} from '#domain/incident/incident-events.ts'
import { type IncidentModel, REAL_MODEL } from '#test/domain/incident/incident-model.ts'
import { IncidentPeople } from '#test/domain/incident/incident-people.ts'
import { IncidentWatch } from '#test/domain/incident/incident-watch.ts'
import { CHATTY_TEXTS, writeAnswer } from '#test/domain/incident/write-answer.ts'
import { Random } from '#test/kit/random.ts'

const HOUR_MS = 3_600_000
const EVENTS = 30
/** A bad hour, in which people reach the bounds of texts and rings. */
const BAD_HOUR = { events: 200, waitMs: 30_000 } as const
const DEADLINES_MAX = 1000

/** Runs a trial. Returns what went wrong, the first thing only, or null. */
export function runIncidentTrial(
  seed: number,
  model: IncidentModel = REAL_MODEL,
  trace: (line: string) => void = () => {},
): string | null {
  const trial = new IncidentTrial(seed, model, trace)
  try {
    trial.run()
    return null
  } catch (error) {
    if (error instanceof Wrong) return error.message
    throw error
  }
}

class Wrong extends Error {}
const NAMES = { accountId: 'acc', webhookId: 'whk', policyId: 'pol' }

class IncidentTrial {
  readonly #random: Random
  readonly #model: IncidentModel
  readonly #trace: (line: string) => void
  readonly #incidents = new Map<string, Incident>()
  readonly #watches = new Map<string, IncidentWatch>()
  readonly #people: IncidentPeople
  readonly #waiting: { readonly messageId: string; readonly incidentId: string }[] = []
  #monoMs = 0
  #skewMs = 1_780_000_000_000
  #phoneIsOn = true
  #messages = 0
  #waitMsMax = Number.POSITIVE_INFINITY

  constructor(seed: number, model: IncidentModel, trace: (line: string) => void) {
    this.#random = new Random(seed)
    this.#model = model
    this.#trace = trace
    this.#people = new IncidentPeople(this.#random, seed % 5 === 0)
  }

  run(): void {
    const isBad = this.#random.chance(0.05)
    if (isBad) this.#waitMsMax = BAD_HOUR.waitMs
    for (let i = isBad ? BAD_HOUR.events : EVENTS; i > 0; i--) this.#happen()
    this.#trace('left alone')
    this.#phoneIsOn = true
    this.#runDue()
    for (let i = 0; i < DEADLINES_MAX; i++) {
      const dueAt = this.#nextDueAt()
      if (dueAt === null) break
      this.#pass(Math.max(0, dueAt - this.#wallMs))
    }
    for (const { id, state } of this.#incidents.values())
      if (state !== 'closed') this.#fail(`${id} never ends: ${state}`)
  }

  get #wallMs(): number {
    return this.#monoMs + this.#skewMs
  }

  #drawIncident(): Incident | undefined {
    return [...this.#incidents.values()][this.#random.below(this.#incidents.size)]
  }

  #happen(): void {
    const random = this.#random
    const choice = random.below(100)
    if (choice < 22) this.#trigger()
    else if (choice < 30) this.#recover()
    else if (choice < 50) this.#hear()
    else if (choice < 54) this.#forge()
    else if (choice < 59) this.#order()
    else if (choice < 75) this.#wait()
    else if (choice < 81) this.#failText()
    else if (choice < 85) this.#endRing()
    else if (choice < 88) this.#switchPhone()
    else if (choice < 91) this.#jump()
    else if (choice < 94) this.#people.sleep(this.#wallMs)
    else if (choice < 96) this.#tellStorm()
    else if (choice < 98) this.#people.turn()
    else this.#people.change()
  }

  /**
   * An alert: as the gateway does, it joins the incident about the same thing, or opens one. Sometimes there
   * is no room for one, so that it joins any, or another is closed for it.
   */
  #trigger(): void {
    const random = this.#random
    const key = random.pick(['k0', 'k1', 'k2', null])
    const severity = random.pick<AlertSeverity | null>(['info', 'warning', 'critical', null])
    const text = `${key} ${random.chance(0.1) ? 'is down, and nobody knows why. '.repeat(5) : 'down'}`
    const live = [...this.#incidents.values()].filter(one => one.state !== 'closed')
    const isAbout = ({ things }: Incident) => key !== null && things.some(one => one.key === key)
    const same = live.find(one => one.state !== 'unanswered' && (isAbout(one) || random.chance(0.15)))
    const joined = same ?? (random.chance(0.05) ? live.at(-1) : undefined)
    const [spare] = random.chance(0.02) ? live : []
    if (spare !== undefined) this.#step(spare.id, { type: 'dropped' })
    const isAloud = random.chance(0.3)
    if (joined !== undefined && joined !== spare)
      return this.#step(joined.id, { type: 'joined', key, text, severity, isAloud })
    const number = this.#model.freeNumber(this.#incidents.values(), this.#wallMs)
    for (const watch of this.#watches.values())
      if (watch.holdsNumber(number, this.#monoMs)) this.#fail(`number ${number} is given twice`)
    const id = `inc_${this.#incidents.size}`
    const isRehearsal = random.chance(0.1)
    const input = { ...NAMES, id, number, text, key, severity, atOnce: this.#people.recipients() }
    const facts = this.#facts()
    const outcome = this.#model.openIncident({ ...input, plan: this.#people.plan, isRehearsal }, facts)
    const watch = new IncidentWatch(text => this.#fail(`${id}: ${text}`))
    this.#watches.set(id, watch)
    this.#trace(`${id} opens, ${key} ${severity}: ${describe(outcome.effects)}`)
    watch.opened(outcome, { facts, monoMs: this.#monoMs, key, people: this.#people.ids })
    this.#keep(outcome.incident, outcome.effects)
  }

  #recover(): void {
    const key = this.#random.pick(['k0', 'k1', 'k2'])
    for (const { id, state, things } of this.#incidents.values())
      if (state !== 'closed' && things.some(one => one.key === key))
        this.#step(id, { type: 'over', key, text: `${key} is up` })
  }

  /** A text arrives, of a person or of somebody else. */
  #hear(): void {
    const random = this.#random
    const personId = random.chance(0.1) ? 'per_stranger' : this.#people.draw()
    if (random.chance(0.2)) {
      const text = random.pick(CHATTY_TEXTS)
      const answer = this.#model.readAnswer(text)
      return answer === null ? undefined : this.#fail(`"${text}" is read as ${JSON.stringify(answer)}`)
    }
    const written = writeAnswer(random, this.#drawIncident()?.number ?? 2)
    const answer = this.#model.readAnswer(written.text)
    if (answer === null || answer.verb !== written.verb || answer.number !== written.number)
      return this.#fail(`"${written.text}" is read as ${JSON.stringify(answer)}`)
    const known = [...this.#incidents.values()].filter(
      one => one.state !== 'closed' && this.#watches.get(one.id)?.told.has(personId) === true,
    )
    const open = known.filter(one => one.state !== 'taken')
    const chosen = this.#model.chooseIncident(answer, personId, this.#incidents.values())
    this.#trace(`${personId} writes "${written.text}": ${chosen?.type ?? 'nothing'}`)
    if (chosen === null) {
      const isMeant =
        written.number === null ? known.length > 0 : known.some(one => one.number === written.number)
      return isMeant ? this.#fail(`"${written.text}" of ${personId} has no effect`) : undefined
    }
    if (known.length === 0) this.#fail(`${personId}, who was told of nothing, has an effect`)
    if (chosen.type !== 'answered') return
    if (written.number === null && open.length > 1) this.#fail('guesses between several incidents')
    if (written.number !== null && chosen.incident.number !== written.number)
      this.#fail('takes another number')
    const { verb, minutes, incident } = chosen
    this.#step(incident.id, { type: 'answered', personId, verb, minutes })
  }

  /** An answer of somebody who was not told of this incident. */
  #forge(): void {
    const incident = this.#drawIncident()
    const personId = this.#random.pick(['per_stranger', this.#people.draw()])
    if (incident === undefined || this.#watches.get(incident.id)?.told.has(personId)) return
    const verb = this.#random.pick<AnswerVerb>(['take', 'no', 'done'])
    this.#step(incident.id, { type: 'answered', personId, verb, minutes: null })
  }

  #order(): void {
    const incident = this.#drawIncident()
    if (incident === undefined) return
    const verb = this.#random.pick<'take' | 'next' | 'close'>(['take', 'take', 'next', 'next', 'close'])
    const personId = this.#random.pick([null, this.#people.draw()])
    this.#step(incident.id, { type: 'owner', verb, personId, minutes: this.#random.pick([null, 20]) })
  }

  #wait(): void {
    const random = this.#random
    const dueAt = this.#nextDueAt()
    const ms = random.pick([1, 15_000, random.below(5 * HOUR_MS), (dueAt ?? this.#wallMs) - this.#wallMs])
    this.#pass(Math.max(0, Math.min(ms, this.#waitMsMax)))
    this.#step(this.#drawIncident()?.id ?? '', { type: 'due' })
  }

  #failText(): void {
    const [text] = this.#waiting.splice(this.#random.below(this.#waiting.length), 1)
    if (text !== undefined) this.#step(text.incidentId, { type: 'text-failed', messageId: text.messageId })
  }

  #endRing(): void {
    const incident = this.#drawIncident()
    const watch = incident === undefined ? undefined : this.#watches.get(incident.id)
    const [personId] = watch?.ringing ?? []
    if (incident === undefined || personId === undefined) return
    watch?.ringing.delete(personId)
    const outcome = this.#random.pick<'rang' | 'busy' | 'failed'>(['rang', 'busy', 'failed'])
    this.#step(incident.id, { type: 'ring-ended', personId, outcome })
  }

  #switchPhone(): void {
    this.#phoneIsOn = !this.#phoneIsOn
    this.#trace(`the phone is ${this.#phoneIsOn ? 'on' : 'off'}`)
    this.#runDue()
  }

  #jump(): void {
    const ms = Math.round(this.#random.between(-5 * HOUR_MS, 5 * HOUR_MS))
    this.#trace(`the clock jumps by ${ms} ms`)
    this.#skewMs += ms
    for (const id of this.#incidents.keys()) this.#step(id, { type: 'moved', since: 0, ms })
    this.#runDue()
  }

  #tellStorm(): void {
    const storm = { type: 'storm-told', text: '12 down', isDown: this.#random.chance(0.5) } as const
    this.#step(this.#drawIncident()?.id ?? '', storm)
  }

  #nextDueAt(): number | null {
    const times = [...this.#incidents.values()].flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt]))
    return times.length === 0 ? null : Math.min(...times)
  }

  #pass(ms: number): void {
    this.#monoMs += ms
    this.#runDue()
  }

  #runDue(): void {
    for (const { id, dueAt } of this.#incidents.values())
      if (dueAt !== null && dueAt <= this.#wallMs) this.#step(id, { type: 'due' })
  }

  #step(id: string, event: IncidentEvent): void {
    const stored = this.#incidents.get(id)
    const watch = this.#watches.get(id)
    if (stored === undefined || watch === undefined) return
    // A restart: what is not in the row is lost.
    const before = this.#random.chance(0.05) ? (JSON.parse(JSON.stringify(stored)) as Incident) : stored
    const facts = this.#facts()
    const outcome = this.#model.stepIncident(before, event, facts)
    this.#trace(`${id} ${JSON.stringify(event)}: ${outcome.incident.state} ${describe(outcome.effects)}`)
    watch.stepped(before, event, outcome, { facts, monoMs: this.#monoMs, people: this.#people.ids })
    this.#keep(outcome.incident, outcome.effects)
  }

  #keep(incident: Incident, effects: readonly IncidentEffect[]): void {
    let kept = incident
    for (const effect of effects) {
      if (effect.type === 'ring') this.#people.noteRing(effect.personId, this.#monoMs)
      if (effect.type !== 'tell') continue
      const { personId, isStep } = effect
      const messageId = `msg_${this.#messages++}`
      const told = this.#model.stepIncident(
        kept,
        { type: 'told', personId, messageId, isStep },
        this.#facts(),
      )
      if (told.effects.length > 0) this.#fail('a message that is known has effects')
      kept = told.incident
      this.#waiting.push({ messageId, incidentId: incident.id })
      if (effect.counts && this.#people.noteText(personId, this.#monoMs, isUrgent(incident)) > 31)
        this.#fail(`${personId} gets too many texts`)
    }
    this.#incidents.set(incident.id, kept)
  }

  #facts(): IncidentFacts {
    return this.#people.facts({ wallMs: this.#wallMs, monoMs: this.#monoMs, canSendNow: this.#phoneIsOn })
  }

  #fail(text: string): never {
    throw new Wrong(text)
  }
}

function describe(effects: readonly IncidentEffect[]): string {
  return effects.map(one => `${one.type} ${'personId' in one ? one.personId : ''}`).join(', ')
}
