/**
 * Alarms, answers by text and the owner's own calls, mixed into a trial with all its faults, and the rules
 * that incidents must keep whatever happens.
 */
import type { AlertFacts } from '#contracts/alert-reading.ts'
import type { TriggeredResource } from '#contracts/webhook.ts'
import type { Incident, IncidentEntry } from '#domain/incident/incident.ts'
import { hash } from '#storage/source.ts'
import type { Random } from '#test/kit/random.ts'
import { storedIncidents } from '#test/kit/stored-incidents.ts'
import type { Bench } from '#test/simulation/bench.ts'
import type { Link } from '#test/simulation/link.ts'
import type { ModelGateway } from '#test/simulation/model-gateway.ts'
import type { Mutant } from '#test/simulation/mutant.ts'
import type { Schedule } from '#test/simulation/schedule.ts'

type Choice = readonly [string, ...string[]]
/** Eve is a person, but no policy tells her. */
const NUMBERS = { ada: '+14155550201', bob: '+14155550202', eve: '+14155550203' } as const
const STRANGER = '+14155550299'
const SENDERS: Choice = [
  NUMBERS.ada,
  NUMBERS.ada,
  NUMBERS.bob,
  NUMBERS.bob,
  NUMBERS.eve,
  STRANGER,
  'Bank',
  '12345',
]
const WORDS: Choice = [
  '2',
  '2',
  '3',
  'ok',
  'Ok.',
  'no',
  '2 no',
  '2 done',
  '3 done',
  '?',
  '2 20m',
  'thanks',
  '22',
  'ok 2',
]
const REPLY = /^(TEST )?(Yours: |Which\? |Passed on: |Closed: |\d+: |\w+ has it since )/
const THINGS: Choice = ['nas', 'router']
const MINUTE = 60_000
/** Faults last up to 20 minutes. */
const TROUBLE_MS = 20 * MINUTE
const POLICY = { rounds: 2, takenForMinutes: 30 }
/** The last step of each round. Those before it may come together with it, if they are overdue. */
const LAST_STEPS = ['step 3 of 3, round 1', 'step 3 of 3, round 2']

interface CoursePorts {
  readonly bench: Bench
  readonly random: Random
  readonly schedule: Schedule
  readonly gateway: ModelGateway
  readonly links: readonly Link[]
  readonly mutant: Mutant
  readonly trace: (words: string) => void
}

/** Makes people, policy and webhook, once. Call it while no gateway runs. @returns the webhook's token */
export function prepareIncidents(bench: Bench): string {
  return bench.watchedWebhook(Object.entries(NUMBERS), POLICY)
}

export class IncidentCourse {
  readonly #ports: CoursePorts
  readonly #token: string
  /** Senders of the texts that phones have received. */
  readonly #received: string[] = []
  /** The incidents that answers to alarms named. */
  readonly #named = new Set<string>()
  readonly #wrong: string[] = []

  constructor(ports: CoursePorts) {
    this.#ports = ports
    this.#token = prepareIncidents(ports.bench)
  }

  plan(): void {
    const { random, schedule } = this.#ports
    const anyTime = (act: () => void) => schedule.after(random.between(0, TROUBLE_MS), act)
    for (let alarms = 1 + random.below(4); alarms > 0; alarms--) {
      const thing = random.pick(THINGS)
      const request = `DOWN ${thing} ${alarms}`
      anyTime(() => this.#trigger(thing, request, 'firing'))
      if (random.chance(0.3)) anyTime(() => this.#trigger(thing, `UP ${thing} ${alarms}`, 'recovered'))
    }
    for (let texts = random.below(7); texts > 0; texts--)
      anyTime(() => this.#receive(`r${texts}`, random.pick(SENDERS), random.pick(WORDS)))
    if (random.chance(0.2)) anyTime(() => this.#obey(random.pick(['take', 'next', 'close'])))
  }

  /** The rules that were broken. */
  check(): readonly string[] {
    const incidents = this.#incidents()
    const ids = new Set(incidents.map(({ id }) => id))
    const lost = [...this.#named].filter(id => !ids.has(id)).map(id => `lost: ${id} was answered and is gone`)
    const open = incidents.filter(({ state }) => state === 'open' || state === 'taken')
    const stuck = open.map(({ id, state }) => `stuck: ${id} is still ${state}`)
    return [...this.#wrong, ...lost, ...stuck, ...this.#checkTexts(), ...incidents.flatMap(checkIncident)]
  }

  /** Repeats the request until it is answered, as careful senders do. */
  #trigger(thing: string, text: string, state: 'firing' | 'recovered'): void {
    const { gateway, schedule, random, trace, mutant } = this.#ports
    const facts: AlertFacts = {
      key: `thing:${thing}`,
      subject: thing,
      state,
      severity: null,
      isUrgent: false,
    }
    const hashes = { tokenHash: hash(this.#token), requestHash: hash(text) }
    const read = { guess: false, shape: null, kept: null, facts, address: '192.0.2.1' }
    const words = { text, segments: 1, encoding: 'GSM-7', format: 'generic' } as const
    gateway.ask('webhook.trigger', { ...hashes, ...read, ...words }, answer => {
      if (answer?.ok !== true)
        return schedule.after(random.between(1000, 20_000), () => this.#trigger(thing, text, state))
      const { incidentId, duplicate } = answer.output as TriggeredResource
      trace(`alarm ${text}: ${incidentId?.slice(-3)}${duplicate ? ' again' : ''}`)
      if (incidentId !== null) this.#named.add(incidentId)
      else if (state === 'firing') this.#wrong.push(`lost: ${text} was answered without an incident`)
      if (mutant.tampers !== undefined) this.#tamper(mutant.tampers)
      this.#checkNumbers()
    })
  }

  /** A text reaches a phone, which hands it in, perhaps twice. */
  #receive(id: string, sender: string, message: string): void {
    const { random, schedule, links, trace, mutant } = this.#ports
    const link = links.findLast(one => one.openAtGateway && one.openAtPhone)
    if (link === undefined) return
    trace(`text ${id} of ${sender}: ${message}`)
    this.#received.push(sender)
    const from = mutant.trustsForgedSender && sender === STRANGER ? NUMBERS.ada : sender
    const news = { type: 'received', id, from, text: message, sentAt: null, simSlot: 1 } as const
    link.up.send(news)
    if (mutant.answersTwice) link.up.send({ ...news, id: `${id} again` })
    if (random.chance(0.3)) schedule.after(random.between(0, 30_000), () => link.up.send(news))
  }

  #obey(verb: 'take' | 'next' | 'close'): void {
    const { gateway, bench, random } = this.#ports
    const [first, ...others] = this.#incidents().filter(({ state }) => state !== 'closed')
    if (first === undefined) return
    const which = { accountId: bench.accountId, incidentId: random.pick([first, ...others]).id }
    if (verb === 'take') gateway.ask('incident.take', { ...which, personId: null, minutes: null }, () => {})
    else gateway.ask(`incident.${verb}`, which, () => {})
  }

  #checkNumbers(): void {
    const live = this.#incidents().filter(({ state }) => state !== 'closed')
    const numbers = live.map(({ number }) => number)
    if (new Set(numbers).size < numbers.length) this.#wrong.push(`one number for two: ${numbers.join(' ')}`)
  }

  #checkTexts(): readonly string[] {
    const rows = this.#ports.bench.database.prepare('SELECT phone_number, text FROM message').all()
    const wrong = rows
      .filter(row => [NUMBERS.eve, STRANGER].includes(String(row['phone_number'])))
      .map(row => `a text to nobody of the policy: ${row['text']}`)
    for (const number of [NUMBERS.ada, NUMBERS.bob]) {
      const replies = rows.filter(row => row['phone_number'] === number && REPLY.test(String(row['text'])))
      const asked = this.#received.filter(sender => sender === number)
      if (replies.length > asked.length)
        wrong.push(`${replies.length} replies to ${asked.length} texts of ${number}`)
    }
    return wrong
  }

  /** Changes incidents that are not closed behind the back of the gateway. */
  #tamper(change: object): void {
    const { database } = this.#ports.bench
    const save = database.prepare('UPDATE incident SET content = ?, number = ?, due_at = ? WHERE id = ?')
    for (const { things: _, timeline: __, ...one } of this.#incidents()) {
      const { number, dueAt } = { ...one, ...change }
      if (one.state !== 'closed') save.run(JSON.stringify({ ...one, ...change }), number, dueAt, one.id)
    }
  }

  #incidents(): readonly Incident[] {
    return storedIncidents(this.#ports.bench.database)
  }
}

function checkIncident({ id, state, timeline }: Incident): readonly string[] {
  const wrong: string[] = []
  const told = new Set<string | null>([null])
  let isTaken = false
  let steps: string[] = []
  for (const { event, personId, detail } of timeline) {
    if (event === 'told') told.add(personId)
    if (ANSWERS.has(event) && !told.has(personId)) wrong.push(`${id}: ${event} by somebody who was not told`)
    if (isTaken && (event === 'escalated' || event === 'ringing')) wrong.push(`${id}: ${event} while taken`)
    if (event === 'taken') isTaken = true
    if (event === 'passed' || event === 'reopened' || event === 'closed') isTaken = false
    if (event === 'reopened') steps = []
    if (event === 'escalated') {
      if (steps.includes(detail ?? '')) wrong.push(`${id}: ${detail} came twice`)
      steps.push(detail ?? '')
    }
  }
  const isAlone = !timeline.some(({ event }) => event === 'taken' || event === 'passed')
  const missing = LAST_STEPS.filter(step => !steps.includes(step))
  if (state === 'unanswered' && isAlone && missing.length > 0) wrong.push(`${id}: lost ${missing.join('; ')}`)
  return wrong
}

const ANSWERS: ReadonlySet<IncidentEntry['event']> = new Set(['taken', 'passed'])
