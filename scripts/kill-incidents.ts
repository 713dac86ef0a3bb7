/**
 * Kills the gateway with SIGKILL at random moments while alerts are raised, told, answered and ended:
 * `node scripts/kill-incidents.ts [--rounds 200] [--seed N]`. Each round is run twice, on one gateway: first
 * without a kill, then with one, or several. Everybody must hear the same both times, and each text once; no
 * phone may ring more often than without a kill.
 * ROOST_BINARY names an executable to run in place of the bundle. Exit code 1: something differs.
 */
import { watch } from 'node:fs'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { TimedGateway } from '#scripts/time/timed-gateway.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { openReadOnly } from '#storage/database.ts'
import type { SentText } from '#test/kit/paired-phone.ts'
import { Random } from '#test/kit/random.ts'

const MINUTE = 60_000
const NUMBERS = { ada: '+14155550201', bob: '+14155550202', eve: '+14155550203' } as const
const Entry = v.object({ event: v.string() })
const Incident = v.object({ number: v.nullable(v.number()), state: v.string(), timeline: v.array(Entry) })
type Nick = keyof typeof NUMBERS
/** Alerts of a round. */
const INCIDENTS = 3
/** After each phase so much time passes. The policy has a step each five minutes, and one round. */
const PHASE_MINUTES = [0, 6, 6, 6, 6, 65]
/** The share of starts during which the gateway is killed again, after so many changes of files at most. */
const KILLED_STARTS_SHARE = 1 / 5
const START_CHANGES_MAX = 12
const ENV = {
  ROOST_DEVICES__SEGMENTS_PER_MINUTE: '6000',
  ROOST_DEVICES__SEGMENTS_BURST: '1000',
}

/** What one incident meets, a deed in each phase. */
type Deed =
  | ('raise' | 'repeat' | 'join' | 'recover' | 'take' | 'next' | 'close' | 'none')
  | `${Nick} ${string}`

/** Draws the course of an incident. A person who was not told, or answers twice, is part of it. */
function drawCourse(dice: Random): readonly Deed[] {
  const deeds: Deed[] = ['raise']
  let isOver = false
  for (let phase = 1; phase < PHASE_MINUTES.length - 1; phase++) {
    const verb = dice.pick(['ok', 'ok', 'no', 'no', 'done', '30m'])
    const deed = dice.pick<Deed>([
      ...(['none', 'none', 'none', 'repeat', 'join', 'join', 'take', 'next'] as const),
      ...([`ada ${verb}`, `ada ${verb}`, `bob ${verb}`, `eve ${verb}`] as const),
      ...(phase > 2 ? (['recover', 'close'] as const) : []),
    ])
    deeds.push(isOver ? 'none' : deed)
    isOver ||= deed === 'recover' || deed === 'close' || deed.endsWith('done')
  }
  // Somebody who was not told closes nothing.
  return [...deeds, isOver ? 'close' : 'recover']
}

type Post = (alert: object) => Promise<{ incidentId?: string }>

class KilledGateway {
  readonly timed: TimedGateway
  readonly #post: Post
  /** Pending while the gateway is off. */
  #back: Promise<void> = Promise.resolve()
  changes = 0
  kills = 0

  constructor(timed: TimedGateway, post: Post) {
    this.timed = timed
    this.#post = post
  }

  /** Counts the changes of its files, and kills it after so many; null: never. Returns what ends that. */
  watch(killAfter: number | null, dice: Random): () => void {
    this.changes = 0
    const watcher = watch(this.timed.gateway.dataDir, () => {
      this.changes += 1
      if (this.changes === killAfter) this.#back = this.#dieAndReturn(dice)
    })
    return () => watcher.close()
  }

  async #dieAndReturn(dice: Random): Promise<void> {
    const { gateway } = this.timed
    await gateway.kill()
    this.kills += 1
    while (dice.chance(KILLED_STARTS_SHARE)) {
      let left = 1 + dice.below(START_CHANGES_MAX)
      const watcher = watch(gateway.dataDir, () => {
        if (--left === 0) gateway.program.child.kill('SIGKILL')
      })
      await gateway.restart().catch(() => undefined)
      watcher.close()
      if ((await gateway.kill()) !== 'SIGKILL') throw new Error(gateway.program.stderr.text)
      this.kills += 1
    }
    await gateway.restart()
    while (!this.timed.phone.isConnected) await this.timed.connect().catch(() => undefined)
  }

  /** Does it, again after each kill that came between, as a sender or a phone does. */
  async #surely<T>(act: () => Promise<T>): Promise<T> {
    for (;;) {
      const back = this.#back
      await back
      const { ended } = this.timed.gateway.program
      const acted = act().then(value => ({ value }))
      const first = await Promise.race([acted, ended.then(() => null)]).catch(error => {
        if (this.#back === back) throw error
        return null
      })
      if (first !== null) return first.value
    }
  }

  async pass(minutes: number): Promise<void> {
    const back = this.#back
    await back
    await this.timed.pass(minutes * MINUTE).catch(error => {
      if (this.#back === back) throw error
    })
    await this.#surely(() => this.timed.pass(1))
    await this.#settle()
  }

  /** Waits until no text is open and no step is due. */
  async #settle(): Promise<void> {
    for (;;) {
      await this.#back
      const database = openReadOnly(dataDirectory(this.timed.gateway.dataDir).database)
      const open = database
        .prepare(`
          SELECT (SELECT count(*) FROM message WHERE status IN ('queued', 'sending'))
            + (SELECT count(*) FROM incident WHERE due_at <= ?) AS open`)
        .get(this.timed.nowMs)
      database.close()
      if (Number(open?.['open']) === 0) return
      await this.#surely(() => this.timed.pass(1))
    }
  }

  /** An alert of a group of this name. */
  raise(name: string, hosts: Readonly<Record<string, string>>): Promise<{ incidentId?: string }> {
    const labels = { alertname: name, severity: 'critical' }
    const alerts = Object.entries(hosts).map(([instance, status]) => ({
      status,
      labels: { ...labels, instance },
      annotations: { summary: `Instance ${instance} down` },
      fingerprint: `${name}${instance}`,
    }))
    const status = alerts.some(one => one.status === 'firing') ? 'firing' : 'resolved'
    const group = { version: '4', status, groupKey: name, groupLabels: { alertname: name } }
    return this.#surely(() => this.#post({ ...group, commonLabels: labels, alerts }))
  }

  async incident(id: string): Promise<v.InferOutput<typeof Incident>> {
    const { data } = await this.#surely(() => this.timed.gateway.api('GET', `/incidents/${id}`))
    return v.parse(Incident, data)
  }

  /**
   * What comes after an answer that was lost is refused, if the first one was carried out. A second `next` is
   * not, so it looks first.
   */
  async decide(id: string, what: 'take' | 'next' | 'close'): Promise<void> {
    const path = `/incidents/${id}/${what}`
    const steps = await this.#passedOn(id)
    await this.#surely(async () => {
      if (what === 'next' && (await this.#passedOn(id)) > steps) return
      await this.timed.owner('POST', path, {}).catch(error => {
        if (!String(error).includes('answered 409')) throw error
      })
    })
  }

  async #passedOn(id: string): Promise<number> {
    return (await this.incident(id)).timeline.filter(({ event }) => event === 'passed').length
  }

  answer(id: string, nick: Nick, message: string): Promise<void> {
    const { phone } = this.timed
    return this.#surely(() => phone.reportReceived({ id, from: NUMBERS[nick], message }))
  }
}

interface Walked {
  /** What became of each incident, and what each person got, without what differs from run to run. */
  readonly told: readonly string[]
  /** The numbers that the phone rang. */
  readonly rung: readonly string[]
}

/** Walks the phases. */
async function walk(it: KilledGateway, run: string, courses: readonly (readonly Deed[])[]): Promise<Walked> {
  const { phone } = it.timed
  const before = phone.sent.length
  const rungBefore = phone.rung.length
  const ids: string[] = []
  const hosts: Record<string, string>[] = courses.map(() => ({ nas: 'firing' }))
  const act = async (index: number, phase: number): Promise<void> => {
    const deed = courses[index]?.[phase] ?? 'none'
    const name = `${run}-${'abc'[index]}`
    const known = hosts[index] ?? {}
    const id = ids[index] ?? ''
    if (deed === 'raise' || deed === 'repeat') ids[index] = (await it.raise(name, known)).incidentId ?? ''
    else if (deed === 'join') {
      known[`web${Object.keys(known).length}`] = 'firing'
      await it.raise(name, known)
    } else if (deed === 'recover') {
      for (const host of Object.keys(known)) known[host] = 'resolved'
      await it.raise(name, known)
    } else if (deed === 'take' || deed === 'next' || deed === 'close') await it.decide(id, deed)
    else if (deed !== 'none') {
      const [nick = 'ada', verb] = deed.split(' ') as [Nick, string]
      const { number } = await it.incident(id)
      if (number !== null) await it.answer(`${name}-${phase}`, nick, `${number} ${verb}`)
    }
  }
  for (const [phase, minutes] of PHASE_MINUTES.entries()) {
    await Promise.all(courses.map((_, index) => act(index, phase)))
    await it.pass(0)
    await it.pass(minutes)
  }
  const states = await Promise.all(ids.map(async id => `${(await it.incident(id)).state}`))
  const texts = phone.sent.slice(before).map(plainText).filter(isSame).sort()
  return { told: [...states, ...texts], rung: phone.rung.slice(rungBefore) }
}

/** What a number means to somebody who was not told of its incident depends on who had it before. */
function isSame(text: string): boolean {
  return !/^\d: (?:# is over since|Which\?)/.test(text)
}

/** `1: CRITICAL a: Instance nas down` */
function plainText({ phoneNumber, message }: SentText): string {
  return `${phoneNumber.at(-1)}: ${message.replace(/[kr]\d+-/g, '').replace(/\d+/g, '#')}`
}

/** What one list has more often than another. */
function beyond(list: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other]
  return list.filter(one => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

async function startGateway(t: { after(clean: () => unknown): void }): Promise<KilledGateway> {
  const timed = await TimedGateway.start(t, Date.now(), { env: ENV })
  const make = (path: string, body: object) => timed.owner<{ id: string }>('POST', path, body)
  const people: string[] = []
  for (const [name, phoneNumber] of Object.entries(NUMBERS))
    people.push((await make('/people', { name, phoneNumber })).id)
  const steps = people.map((id, index) => ({ afterMinutes: 5 * index, tell: [id], ring: index > 0 }))
  const { id: policyId } = await make('/policies', { name: 'Night', steps, rounds: 1 })
  const post = await timed.webhook({ name: 'Monitoring', recipients: [], policyId, maxPerHour: 1000 })
  return new KilledGateway(timed, post)
}

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const rounds = Number(values.rounds)
console.log(`${rounds} rounds, seed ${seed}`)
const cleaning: (() => unknown)[] = []
const it = await startGateway({ after: clean => cleaning.push(clean) })
let faults = 0
let texts = 0
let rings = 0
for (let round = 1; round <= rounds; round++) {
  const dice = new Random(seed + round)
  const courses = Array.from({ length: INCIDENTS }, () => drawCourse(dice))
  let unwatch = it.watch(null, dice)
  const wanted = await walk(it, `r${round}`, courses)
  unwatch()
  const killAfter = 1 + dice.below(it.changes)
  unwatch = it.watch(killAfter, dice)
  const got = await walk(it, `k${round}`, courses)
  unwatch()
  texts += got.told.length - INCIDENTS
  rings += got.rung.length
  const wrong = [
    ...beyond(wanted.told, got.told).map(text => `missing: ${text}`),
    ...beyond(got.told, wanted.told).map(text => `too much: ${text}`),
    ...beyond(got.rung, wanted.rung).map(number => `rings once too often: ${number}`),
    ...wanted.told.slice(0, INCIDENTS).flatMap(state => (state === 'closed' ? [] : [`not closed: ${state}`])),
  ]
  faults += wrong.length
  if (wrong.length > 0) console.log([`round ${round}, killed after ${killAfter}`, ...wrong].join('\n  '))
  if (wrong.length > 0) console.log(courses.map(course => `  ${course.join(', ')}`).join('\n'))
  const sums = `${round} rounds, ${it.kills} kills, ${texts} texts, ${rings} rings, ${faults} faults`
  if (round % 20 === 0 || round === rounds) console.log(sums)
}
for (const clean of cleaning.reverse()) await clean()
process.exitCode = faults === 0 ? 0 : 1
