/**
 * Kills the gateway under load with kill -9, many times on one data directory. Clients and phones run outside
 * the gateway and record what they see. At the end these records are compared with the gateway's messages.
 */
import { Dice } from '#test/kit/dice.ts'
import { FakePhone, type Step } from '#test/kit/fake-phone.ts'
import { type Cleaner, GatewayProcess } from '#test/kit/gateway-process.ts'

export interface KillNineSettings {
  readonly rounds: number
  readonly seed: number
  /** Told after each round. */
  readonly progress?: (round: number) => void
}

export interface KillNineBooks {
  /** Texts answered 2xx. */
  readonly acknowledged: ReadonlySet<string>
  /** Texts sent with an Idempotency-Key, until they were answered. */
  readonly keyed: ReadonlySet<string>
  /** Requests without a key that were never answered. */
  readonly ambiguous: number
  /** Answers that were neither 2xx nor a refusal to take on work. */
  readonly wrong: readonly string[]
  readonly messages: Awaited<ReturnType<GatewayProcess['messages']>>
  readonly gos: readonly string[]
  readonly radio: readonly string[]
  /** `messageId attempt` of offers of what a phone had on the air already. */
  readonly reoffered: readonly string[]
  /** From each start to listening, sorted. */
  readonly readyMs: readonly number[]
}

const CLIENTS = 32
/** The gateway is killed after at most so many answers and frames of a round. */
const EVENTS_MAX = 60

interface Text {
  readonly message: string
  readonly key: string | null
}

/** Two phones at 35 segments a second: with `begin` and `report` that stays below 100 frames a second. */
const ENV = {
  ROOST_DEVICES__SEGMENTS_PER_MINUTE: '2100',
  ROOST_DEVICES__SEGMENTS_BURST: '10',
  ROOST_LOG__LEVEL: 'info',
}

export async function killNine(t: Cleaner, settings: KillNineSettings): Promise<KillNineBooks> {
  const { rounds, seed, progress = () => undefined } = settings
  const dice = new Dice(seed)
  const gateway = await GatewayProcess.start(t, { env: ENV })
  const phones = [new FakePhone(await gateway.pair('one')), new FakePhone(await gateway.pair('two'))]
  for (const phone of phones) misbehave(phone, dice)
  const reoffered = watchOffers(phones)
  const clients = new Clients(gateway, dice)
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
  const messages = await gateway.until(async () => {
    const open = await Promise.all(['queued', 'sending'].map(s => gateway.messages(`&status=${s}`)))
    // A message that was offered again may stay open forever. It is reported as a fault below.
    const isOver = open.flat().length === 0 || reoffered.length > 0
    return isOver && gateway.messages()
  })
  for (const phone of phones) phone.drop()
  const { acknowledged, keyed, ambiguous, wrong } = clients
  return {
    acknowledged,
    keyed,
    ambiguous,
    wrong,
    messages,
    gos: phones.flatMap(phone => phone.gos),
    radio: phones.flatMap(phone => phone.radio),
    reoffered,
    readyMs: readyMs.sort((a, b) => a - b),
  }
}

/** Radios fail, stay without a delivery report; connections break. */
function misbehave(phone: FakePhone, dice: Dice): void {
  phone.outcome = () => {
    if (dice.once(50)) return { state: 'failed', code: 'NO_SERVICE' }
    return { state: dice.once(2) ? 'sent' : 'delivered' }
  }
}

/**
 * Records offers of messages that a phone has already sent. The gateway must never make such an offer. A
 * phone refuses it by its journal, which would hide the fault, so this watches the offers themselves.
 */
function watchOffers(phones: readonly FakePhone[]): readonly string[] {
  const reoffered: string[] = []
  for (const phone of phones)
    phone.on('frame', frame => {
      if (frame.type !== 'offer') return
      const isOnAir = phones.some(({ journal }) => {
        const state = journal.get(frame.messageId)?.state ?? 'accepted'
        return state !== 'accepted' && state !== 'failed'
      })
      if (isOnAir) reoffered.push(`${frame.messageId} ${frame.attempt}`)
    })
  return reoffered
}

interface Round {
  readonly gateway: GatewayProcess
  readonly phones: readonly FakePhone[]
  readonly clients: Clients
  readonly dice: Dice
}

async function loadAndKill({ gateway, phones, clients, dice }: Round): Promise<void> {
  let left = 1 + dice.below(EVENTS_MAX)
  // A radio is slow compared with the rest, so from some moment on the radio keeps its messages.
  const slowFrom = dice.below(left)
  const slow: Step = dice.once(2) ? 'report' : 'radio'
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

class Clients {
  readonly acknowledged = new Set<string>()
  readonly keyed = new Set<string>()
  readonly wrong: string[] = []
  ambiguous = 0
  readonly #gateway: GatewayProcess
  readonly #dice: Dice
  #unanswered: Text[] = []
  #last = 0

  constructor(gateway: GatewayProcess, dice: Dice) {
    this.#gateway = gateway
    this.#dice = dice
  }

  /** Sends with all clients until told to end; then every request is answered or broken. */
  async load(goOn: () => boolean, answered: () => void): Promise<void> {
    const client = async () => {
      while (goOn()) if (await this.#send(this.#unanswered.pop() ?? this.#newText())) answered()
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
  }

  /** Repeats the requests with a key that have no answer yet. */
  async settle(): Promise<void> {
    const texts = this.#unanswered
    this.#unanswered = []
    await Promise.all(texts.map(text => this.#send(text)))
    if (this.#unanswered.length > 0) throw new Error('a gateway that nobody killed did not answer')
  }

  #newText(): Text {
    const number = ++this.#last
    const message = `text ${number}`
    if (this.#dice.once(2)) return { message, key: null }
    this.keyed.add(message)
    return { message, key: `key-${number}` }
  }

  async #send(text: Text): Promise<boolean> {
    const { message, key } = text
    try {
      const { status, error } = await this.#gateway.api('POST', '/sms/send', {
        body: { phoneNumber: '+14155550123', message, queueIfOffline: true },
        headers: key === null ? {} : { 'Idempotency-Key': key },
      })
      if (status === 200) this.acknowledged.add(message)
      else this.wrong.push(`${message}: ${status} ${error?.code}`)
      return true
    } catch {
      // The process died: what became of it nobody knows, so only what has a key may be said again.
      if (key === null) this.ambiguous++
      else this.#unanswered.push(text)
      return false
    }
  }
}

/** The faults that the records show. */
export function findFaults(books: KillNineBooks): string[] {
  const { acknowledged, keyed, wrong, messages, gos, radio, reoffered } = books
  const times = new Map<string, number>()
  for (const { message } of messages) times.set(message ?? '', (times.get(message ?? '') ?? 0) + 1)
  const exactlyOnce = new Set([...acknowledged, ...keyed])
  const ends = new Set(['sent', 'delivered'])
  const onAir = new Set(radio)
  return [
    ...wrong.map(answer => `wrong answer: ${answer}`),
    ...[...acknowledged].filter(text => !times.has(text)).map(text => `lost: ${text}`),
    ...[...exactlyOnce].filter(text => times.get(text) !== 1).map(text => `not exactly once: ${text}`),
    ...[...times].filter(([, count]) => count > 1).map(([text]) => `accepted twice: ${text}`),
    ...messages
      .filter(({ status }) => !ends.has(status))
      .map(({ messageId, status, failure }) => `${messageId} ended ${status} ${failure?.code}`),
    ...messages
      .filter(({ messageId }) => !onAir.has(messageId))
      .map(({ messageId }) => `never sent: ${messageId}`),
    ...repeated(gos).map(go => `two go: ${go}`),
    ...reoffered.map(offer => `offered again: ${offer}`),
    ...repeated(radio).map(messageId => `sent twice: ${messageId}`),
  ]
}

function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>()
  return values.filter(value => seen.has(value) || !seen.add(value))
}
