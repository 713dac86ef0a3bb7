/** Clients that send texts to a gateway while it is killed, and record the answers. */

import type { GatewayProcess } from '#test/kit/gateway-process.ts'
import type { Random } from '#test/kit/random.ts'

export interface LoadRecords {
  /** Texts answered 200. */
  readonly acknowledged: ReadonlySet<string>
  /** Texts sent with an Idempotency-Key, and repeated until they were answered. */
  readonly keyed: ReadonlySet<string>
  /** Requests without a key that were never answered. */
  readonly ambiguous: number
  /** Answers other than 200. */
  readonly wrong: readonly string[]
  /** All messages of the gateway, at the end. */
  readonly messages: Awaited<ReturnType<GatewayProcess['messages']>>
}

interface Text {
  readonly message: string
  readonly key: string | null
  /** Null: any phone. */
  readonly deviceId: string | null
}

export interface LoadSettings {
  readonly dice: Random
  /** Clients that send at the same time. */
  readonly count: number
  /** Phones to which half of the texts are pinned; left out: none is. */
  readonly pinTo?: readonly string[]
}

export class LoadClients {
  readonly #acknowledged = new Set<string>()
  readonly #keyed = new Set<string>()
  readonly #wrong: string[] = []
  #ambiguous = 0
  readonly #gateway: GatewayProcess
  readonly #settings: LoadSettings
  #unanswered: Text[] = []
  #lastNumber = 0

  constructor(gateway: GatewayProcess, settings: LoadSettings) {
    this.#gateway = gateway
    this.#settings = settings
  }

  /**
   * Sends with all clients while `isWanted()`, and calls `answered` for each answer. Resolves when every
   * request was answered or cut off.
   */
  async load(isWanted: () => boolean, answered: () => void): Promise<void> {
    const client = async () => {
      while (isWanted()) if (await this.#send(this.#unanswered.pop() ?? this.#newText())) answered()
    }
    await Promise.all(Array.from({ length: this.#settings.count }, client))
  }

  /** Repeats the requests with a key that got no answer. */
  async settle(): Promise<void> {
    const texts = this.#unanswered
    this.#unanswered = []
    await Promise.all(texts.map(text => this.#send(text)))
    if (this.#unanswered.length > 0) throw new Error('a gateway that was not killed did not answer')
  }

  records(messages: LoadRecords['messages']): LoadRecords {
    const [acknowledged, keyed, ambiguous] = [this.#acknowledged, this.#keyed, this.#ambiguous]
    return { acknowledged, keyed, ambiguous, wrong: this.#wrong, messages }
  }

  #newText(): Text {
    const number = ++this.#lastNumber
    const message = `text ${number}`
    const { dice, pinTo = [] } = this.#settings
    const isPinned = pinTo.length > 0 && dice.chance(1 / 2)
    const deviceId = isPinned ? (pinTo[dice.below(pinTo.length)] ?? null) : null
    if (dice.chance(1 / 2)) return { message, key: null, deviceId }
    this.#keyed.add(message)
    return { message, key: `key-${number}`, deviceId }
  }

  async #send(text: Text): Promise<boolean> {
    const { message, key, deviceId } = text
    const pinned = deviceId === null ? {} : { deviceId }
    try {
      const { status, error } = await this.#gateway.api('POST', '/sms/send', {
        body: { phoneNumber: '+14155550123', message, queueIfOffline: true, ...pinned },
        headers: key === null ? {} : { 'Idempotency-Key': key },
      })
      if (status === 200) this.#acknowledged.add(message)
      else this.#wrong.push(`${message}: ${status} ${error?.code}`)
      return true
    } catch {
      // The process died, so it is unknown whether it accepted the text. Only a text with a key is repeated.
      if (key === null) this.#ambiguous++
      else this.#unanswered.push(text)
      return false
    }
  }
}

/**
 * All messages, once none is open any more. It reads one list: a message that is tried again could be missing
 * from both a list of the queued ones and one of those that are being sent.
 */
export function messagesAtEnd(
  gateway: GatewayProcess,
  isOver: (open: number) => boolean = open => open === 0,
): Promise<LoadRecords['messages']> {
  return gateway.until(async () => {
    const messages = await gateway.messages()
    const open = messages.filter(({ status }) => status === 'queued' || status === 'sending').length
    return isOver(open) && messages
  })
}

/** The faults that the records show: wrong answers, and texts that the gateway lost or has more than once. */
export function findLoadFaults({ acknowledged, keyed, wrong, messages }: LoadRecords): string[] {
  const times = new Map<string, number>()
  for (const { message } of messages) times.set(message ?? '', (times.get(message ?? '') ?? 0) + 1)
  const exactlyOnce = new Set([...acknowledged, ...keyed])
  return [
    ...wrong.map(answer => `wrong answer: ${answer}`),
    ...[...acknowledged].filter(text => !times.has(text)).map(text => `lost: ${text}`),
    ...[...exactlyOnce].filter(text => times.get(text) !== 1).map(text => `not exactly once: ${text}`),
    ...[...times].filter(([, count]) => count > 1).map(([text]) => `accepted twice: ${text}`),
  ]
}
