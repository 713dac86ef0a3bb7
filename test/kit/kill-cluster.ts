/**
 * A cluster under load whose leaders, followers and etcd members are killed and stopped, round by round. The
 * senders, the phones and this program keep their own records, which judge the gateways at the end.
 */

import type { Boxes } from '#test/kit/boxes.ts'
import { boxFaults, PROCESS_FAULTS } from '#test/kit/cluster-faults.ts'
import { ClusterRig } from '#test/kit/cluster-rig.ts'
import { FakePhone } from '#test/kit/fake-phone.ts'
import { findRepeated } from '#test/kit/find-repeated.ts'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import { Random } from '#test/kit/random.ts'
import { realPause } from '#test/kit/real-pause.ts'
import { SmsgatePhone } from '#test/kit/smsgate-phone.ts'

export interface KillClusterSettings {
  readonly rounds: number
  readonly seed: number
  /** Without them, all is on loopback, and the faults are those of processes. */
  readonly boxes?: Boxes
  /** Only faults whose names match. */
  readonly only?: RegExp
  /** Called after each round, with what the gateways printed; returns whether to run another one. */
  readonly progress?: (round: number, what: string, ms: number, said: readonly string[]) => boolean
}

export interface KillClusterRecords {
  /** Ids of texts that were answered 200. */
  readonly accepted: readonly string[]
  readonly messages: readonly { messageId: string; status: string; failure: { code: string } | null }[]
  /** Ids of the texts that the phones transmitted, repetitions included. */
  readonly transmitted: readonly string[]
  /** Texts that came to the phone that the gateways reach, and those that the leaders handed in. */
  readonly came: readonly string[]
  readonly handedIn: readonly string[]
  /** Per kind of fault: milliseconds from the fault until a text was accepted again. */
  readonly times: ReadonlyMap<string, readonly number[]>
}

const GATEWAYS = 3
const CLIENTS = 4
const PASSWORD = 'pa55w0rd'
const ENV = {
  ROOST_DEVICES__SEGMENTS_PER_MINUTE: '6000',
  ROOST_DEVICES__SEGMENTS_BURST: '100',
}

export async function killCluster(t: Cleaner, settings: KillClusterSettings): Promise<KillClusterRecords> {
  const { rounds, seed, boxes, only = /./, progress = () => true } = settings
  const dice = new Random(seed)
  const host = boxes?.here ?? '127.0.0.1'
  const rig = await ClusterRig.start(t, GATEWAYS, {
    env: { ...ENV, ROOST_DEVICES__ALLOWED_HOSTS: JSON.stringify([host]) },
    ...(boxes !== undefined && { machines: boxes.machines, openAddress: boxes.openAddress }),
  })
  const reached = await SmsgatePhone.start({ password: PASSWORD, host })
  t.after(() => reached.stop())
  const inbox = new Inbox(reached, dice)
  await rig.until(() => add(rig, reached.url).catch(() => false))
  await inbox.isNoted(rig)
  await rig.until(() => sendFirst(rig).catch(() => null))
  const phone = await rig.until(() => pair(rig).catch(() => null))
  const connection = keepConnected(rig, phone)
  const faults = { ...PROCESS_FAULTS, ...(boxes !== undefined && boxFaults(boxes)) }
  const senders = new Senders(rig, dice)
  const times = new Map<string, number[]>()
  const names = Object.keys(faults).filter(name => only.test(name))
  for (let round = 1; round <= rounds; round++) {
    await senders.accepts(1 + dice.below(40))
    const name = names[(round - 1) % names.length] ?? ''
    inbox.come()
    rig.said.splice(0)
    const begun = performance.now()
    const end = await faults[name]?.(rig, dice)
    const mark = senders.begin()
    await mark.accepted
    const ms = performance.now() - begun
    times.set(name, [...(times.get(name) ?? []), ms])
    await realPause(dice.below(1_500))
    inbox.come()
    await end?.()
    await rig.etcd.answers()
    if (!progress(round, name, ms, rig.said)) break
  }
  await senders.stop()
  const messages = await rig.until(() => messagesAtEnd(rig))
  const handedIn = await inbox.handedIn(rig)
  connection.stop()
  const transmitted = [...phone.radio, ...reached.transmitted.map(id => id.split('.')[0] ?? id)]
  return { accepted: senders.accepted, messages, transmitted, came: inbox.came, handedIn, times }
}

const PAGE = 100
/** More than a page of the inbox. */
const OWNERS_TEXTS = 1.2 * PAGE
const DAY_MS = 86_400_000

/** What a phone receives. Its owner had texts on it before it was added. */
class Inbox {
  readonly came: string[] = []
  readonly #phone: SmsgatePhone
  readonly #dice: Random
  #addedMs = 0

  constructor(phone: SmsgatePhone, dice: Random) {
    this.#phone = phone
    this.#dice = dice
    for (let day = 1; day <= OWNERS_TEXTS; day++) this.#put(`owner ${day}`, Date.now() - day * DAY_MS)
  }

  /** Some texts, with the times of service centres, which may be late. */
  come(): void {
    for (let left = 1 + this.#dice.below(5); left > 0; left--) {
      const text = `received ${this.came.length}`
      const sinceMs = Date.now() - this.#addedMs
      this.#put(text, Date.now() - (this.#dice.chance(0.5) ? 0 : this.#dice.below(sinceMs)))
      this.came.push(text)
    }
  }

  /** Resolves when an agent has noted what is its owner's. */
  async isNoted(rig: ClusterRig): Promise<void> {
    await rig.until(() => this.#pages > OWNERS_TEXTS / PAGE)
    this.#addedMs = Date.now()
  }

  /** The texts that are in the database, once all are, or after so many readings that they never will be. */
  handedIn(rig: ClusterRig): Promise<readonly string[]> {
    const last = this.#pages + 6
    return rig.until(async () => {
      const received = await allPages<{ message: string }>(rig, '/received').catch(() => [])
      const texts = received.map(({ message }) => message)
      return (this.#pages > last || this.came.every(one => texts.includes(one))) && texts
    })
  }

  get #pages(): number {
    return this.#phone.requests.filter(asked => asked === 'GET /inbox').length
  }

  #put(text: string, atMs: number): void {
    const createdAt = new Date(atMs).toISOString()
    this.#phone.inbox.push({ id: text, sender: '+4917012345678', contentPreview: text, createdAt })
  }
}

/** Adds a phone; it may have been added by a call that was not answered. */
async function add(rig: ClusterRig, url: string): Promise<boolean> {
  const { status } = await rig.asOwner('POST', '/devices', { kind: 'smsgate', url, password: PASSWORD })
  return status === 200 || status === 409
}

/** Until a phone has sent a text, nothing tells whether it forgot others: a fault leaves them unknown. */
async function sendFirst(rig: ClusterRig): Promise<true> {
  const body = { phoneNumber: '+14155550123', message: 'first text', queueIfOffline: true }
  const { data } = await rig.api('POST', '/sms/send', body)
  const path = `/sms/${(data as { messageId: string }).messageId}`
  return rig.until(async () => {
    const { status } = (await rig.api('GET', path)).data as { status: string }
    return status === 'sent' || status === 'delivered'
  })
}

async function pair(rig: ClusterRig): Promise<FakePhone> {
  const { data } = await rig.asOwner('POST', '/devices/pairings', {})
  const response = await fetch(`${rig.url}/device/v1/pair`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...(data as { code: string }), name: 'one', platform: 'test', appVersion: '1' }),
  })
  const phone = new FakePhone(((await response.json()) as { data: never }).data)
  phone.outcome = () => ({ state: 'sent' })
  return phone
}

function keepConnected(rig: ClusterRig, phone: FakePhone) {
  let isWanted = true
  const connect = () => {
    if (isWanted) phone.connect(rig.socketUrl).catch(() => undefined)
  }
  phone.on('closed', () => void realPause(200).then(connect))
  // A machine without a network ends no connection.
  rig.address.onChange = () => phone.drop()
  connect()
  return {
    stop() {
      isWanted = false
      phone.drop()
    },
  }
}

/** Clients that send a text with a key until it is answered 200. */
class Senders {
  readonly accepted: string[] = []
  readonly #rig: ClusterRig
  readonly #running: Promise<void>[]
  #isWanted = true
  #next = 0
  #waiting: { from: number; resolve: () => void }[] = []

  constructor(rig: ClusterRig, dice: Random) {
    this.#rig = rig
    this.#running = Array.from({ length: CLIENTS }, () => this.#run(dice))
  }

  /** Resolves when so many more texts are accepted. */
  async accepts(count: number): Promise<void> {
    const target = this.accepted.length + count
    await this.#rig.until(() => this.accepted.length >= target)
  }

  /** Resolves when a text is accepted that was first sent from now on. */
  begin(): { readonly accepted: Promise<void> } {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ from: this.#next, resolve })
    return { accepted: promise }
  }

  async stop(): Promise<void> {
    this.#isWanted = false
    await Promise.all(this.#running)
  }

  async #run(dice: Random): Promise<void> {
    while (this.#isWanted) {
      await this.#send(this.#next++)
      await realPause(dice.below(40))
    }
  }

  async #send(number: number): Promise<void> {
    const body = { phoneNumber: '+14155550123', message: `text ${number}`, queueIfOffline: true }
    for (;;) {
      try {
        const { status, data } = await this.#rig.api('POST', '/sms/send', body, {
          'Idempotency-Key': `k${number}`,
        })
        if (status === 200) {
          this.accepted.push((data as { messageId: string }).messageId)
          for (const one of this.#waiting) if (number >= one.from) one.resolve()
          return
        }
      } catch {
        // Nobody answers now.
      }
      await realPause(100)
    }
  }
}

/** All messages once none is open; false: some are. */
async function messagesAtEnd(rig: ClusterRig): Promise<KillClusterRecords['messages'] | false> {
  try {
    const all = await allPages<KillClusterRecords['messages'][number]>(rig, '/sms')
    return all.every(({ status }) => status !== 'queued' && status !== 'sending') && all
  } catch {
    return false
  }
}

async function allPages<T>(rig: ClusterRig, path: string): Promise<readonly T[]> {
  const all: T[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { data, page } = await rig.api('GET', `${path}?limit=200${from}`)
    all.push(...(data as T[]))
    cursor = page?.nextCursor ?? null
  }
  return all
}

/** All faults that the records show. */
export function findClusterFaults(records: KillClusterRecords): string[] {
  const { accepted, messages, transmitted, came, handedIn } = records
  const known = new Map(messages.map(message => [message.messageId, message]))
  const sent = new Set(transmitted)
  return [
    ...accepted.filter(id => !known.has(id)).map(id => `lost: ${id}`),
    ...findRepeated(accepted).map(id => `two keys, one text: ${id}`),
    ...findRepeated(transmitted).map(id => `sent twice: ${id}`),
    ...came.filter(text => !handedIn.includes(text)).map(text => `never handed in: ${text}`),
    ...findRepeated(handedIn).map(text => `handed in twice: ${text}`),
    ...handedIn.filter(text => !came.includes(text)).map(text => `the owner's: ${text}`),
    ...messages
      .filter(({ status }) => status !== 'sent' && status !== 'delivered')
      .map(({ messageId, status, failure }) => `${messageId} ended ${status} ${failure?.code}`),
    ...messages
      .filter(({ messageId }) => !sent.has(messageId))
      .map(({ messageId, status }) => `${status}, but never transmitted: ${messageId}`),
  ]
}
