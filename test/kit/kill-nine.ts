/**
 * Kills the gateway under load with kill -9, many times on one data directory. Clients and phones run outside
 * the gateway and record what they see. At the end these records are compared with the gateway's messages.
 */

import { FakePhone, type Step } from '#test/kit/fake-phone.ts'
import { findRepeated } from '#test/kit/find-repeated.ts'
import { type Cleaner, GatewayProcess } from '#test/kit/gateway-process.ts'
import { findLoadFaults, LoadClients, type LoadRecords, messagesAtEnd } from '#test/kit/load-clients.ts'
import { Random } from '#test/kit/random.ts'

export interface KillNineSettings {
  readonly rounds: number
  readonly seed: number
  /** Called after each round. */
  readonly progress?: (round: number) => void
}

export interface KillNineRecords extends LoadRecords {
  readonly gos: readonly string[]
  readonly radio: readonly string[]
  /** `messageId attempt` of offers for messages that a phone had already transmitted. */
  readonly reoffered: readonly string[]
  /** Milliseconds from each start until it listens, sorted. */
  readonly readyMs: readonly number[]
}

const CLIENTS = 32
/** The gateway is killed after this many events at most. An event is an answer to a client, or a frame. */
const EVENTS_MAX = 60

/** Lets each phone send up to 35 segments a second. */
const ENV = {
  ROOST_DEVICES__SEGMENTS_PER_MINUTE: '2100',
  ROOST_DEVICES__SEGMENTS_BURST: '10',
  ROOST_LOG__LEVEL: 'info',
}

export async function killNine(t: Cleaner, settings: KillNineSettings): Promise<KillNineRecords> {
  const { rounds, seed, progress = () => undefined } = settings
  const dice = new Random(seed)
  const gateway = await GatewayProcess.start(t, { env: ENV })
  const phones = [new FakePhone(await gateway.pair('one')), new FakePhone(await gateway.pair('two'))]
  for (const phone of phones) misbehave(phone, dice)
  const reoffered = watchOffers(phones)
  const clients = new LoadClients(gateway, { dice, count: CLIENTS })
  const readyMs: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const connected = Promise.all(phones.map(phone => phone.connect(gateway.socketUrl)))
    await loadAndKill({ gateway, phones, clients, dice })
    await connected
    await gateway.restart()
    readyMs.push(gateway.readyMs)
    progress(round)
  }
  await Promise.all(phones.map(phone => phone.connect(gateway.socketUrl)))
  await clients.settle()
  // A message that was offered again may stay open forever. It is reported as a fault below.
  const messages = await messagesAtEnd(gateway, open => open === 0 || reoffered.length > 0)
  for (const phone of phones) phone.drop()
  return {
    ...clients.records(messages),
    gos: phones.flatMap(phone => phone.gos),
    radio: phones.flatMap(phone => phone.radio),
    reoffered,
    readyMs: readyMs.sort((a, b) => a - b),
  }
}

/**
 * Makes one attempt in 50 fail, and leaves out half of the delivery reports. A third attempt never fails: the
 * gateway would wait ten minutes before the next one.
 */
function misbehave(phone: FakePhone, dice: Random): void {
  phone.outcome = (_, attempt) => {
    if (attempt < 3 && dice.chance(1 / 50)) return { state: 'failed', code: 'NO_SERVICE' }
    return { state: dice.chance(1 / 2) ? 'sent' : 'delivered' }
  }
}

/**
 * Records offers of messages that a phone has already sent. The gateway must never make such an offer. The
 * phone would refuse it, because the message is in its journal, so the fault would not show in what was sent.
 */
function watchOffers(phones: readonly FakePhone[]): readonly string[] {
  const reoffered: string[] = []
  for (const phone of phones)
    phone.on('frame', frame => {
      if (frame.type !== 'offer') return
      const wasSent = phones.some(({ journal }) => {
        const state = journal.get(frame.messageId)?.state ?? 'accepted'
        return state !== 'accepted' && state !== 'failed'
      })
      if (wasSent) reoffered.push(`${frame.messageId} ${frame.attempt}`)
    })
  return reoffered
}

interface Round {
  readonly gateway: GatewayProcess
  readonly phones: readonly FakePhone[]
  readonly clients: LoadClients
  readonly dice: Random
}

async function loadAndKill({ gateway, phones, clients, dice }: Round): Promise<void> {
  let left = 1 + dice.below(EVENTS_MAX)
  // From a random moment on the phones hold one step, because real radios are slower than everything else.
  const slowFrom = dice.below(left)
  const slow: Step = dice.chance(1 / 2) ? 'report' : 'radio'
  const count = () => {
    if (left === slowFrom) for (const phone of phones) phone.hold(slow)
    if (--left === 0) gateway.program.child.kill('SIGKILL')
  }
  for (const phone of phones) phone.on('frame', count)
  await clients.load(() => left > 0, count)
  for (const phone of phones) phone.off('frame', count)
  await gateway.program.ended
  for (const phone of phones) phone.release(slow)
}

/** The faults that the records show. */
export function findFaults(records: KillNineRecords): string[] {
  const { messages, gos, radio, reoffered } = records
  const ends = new Set(['sent', 'delivered'])
  const transmitted = new Set(radio)
  return [
    ...findLoadFaults(records),
    ...messages
      .filter(({ status }) => !ends.has(status))
      .map(({ messageId, status, failure }) => `${messageId} ended ${status} ${failure?.code}`),
    ...messages
      .filter(({ messageId }) => !transmitted.has(messageId))
      .map(({ messageId }) => `never sent: ${messageId}`),
    ...findRepeated(gos).map(go => `two go: ${go}`),
    ...reoffered.map(offer => `offered again: ${offer}`),
    ...findRepeated(radio).map(messageId => `sent twice: ${messageId}`),
  ]
}
