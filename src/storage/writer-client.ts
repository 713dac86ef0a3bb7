import type { MessagePort } from 'node:worker_threads'
import type { CommandInput, CommandName, CommandOutput, Writer } from '#contracts/commands.ts'
import {
  type AccountNews,
  type AnswersFrame,
  type CallsFrame,
  NEVER_REFUSED,
  type SocketEffect,
} from '#contracts/thread-frames.ts'
import { gatewayStopping, Problem } from '#domain/problem.ts'
import { packCall, unpackAnswer } from '#storage/send-row.ts'

/** Commands of one listener that may wait for their answers: more than the writer processes in a second. */
export const CALLS_WAITING_MAX = 8192
/**
 * Commands in one message from a listener to the writer. If a listener sent all commands of a long event-loop
 * turn in one message, the writer would idle during the turn and the listener during the commit. With 16,
 * both work at the same time.
 */
const CALLS_PER_FRAME = 16

interface Pending {
  readonly isNeverRefused: boolean
  readonly resolve: (output: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface WriterClientOptions {
  readonly onNews?: (news: readonly AccountNews[]) => void
  /** False: what the writer lets go is dropped, because this gateway no longer leads its cluster. */
  readonly mayPass?: (() => boolean) | undefined
}

/**
 * Sends commands to the writer thread. A frame holds the commands of one turn of the event loop, at most
 * `CALLS_PER_FRAME`.
 */
export class WriterClient implements Writer {
  readonly #port: MessagePort
  readonly #pending = new Map<number, Pending>()
  #outgoing: CallsFrame['calls'][number][] = []
  #lastId = 0
  /** Pending commands that count towards `CALLS_WAITING_MAX`. */
  #counted = 0
  #closed = false

  constructor(
    port: MessagePort,
    onEffects: (effects: readonly SocketEffect[]) => void = () => {},
    { onNews = () => {}, mayPass }: WriterClientOptions = {},
  ) {
    this.#port = port
    port.on('message', (frame: AnswersFrame) => {
      if (mayPass?.() === false) return
      for (const packed of frame.answers) {
        const answer = unpackAnswer(packed)
        const pending = this.#pending.get(answer.id)
        this.#pending.delete(answer.id)
        if (pending?.isNeverRefused === false) this.#counted -= 1
        if (answer.ok) pending?.resolve(answer.output)
        else pending?.reject(Problem.from(answer.problem))
      }
      if (frame.effects.length > 0) onEffects(frame.effects)
      if (frame.news !== undefined) onNews(frame.news)
    })
    port.on('close', () => {
      this.#closed = true
      for (const { reject } of this.#pending.values()) reject(gatewayStopping())
      this.#pending.clear()
    })
  }

  /** Commands that are not answered yet. */
  get waiting(): number {
    return this.#pending.size
  }

  ask<N extends CommandName>(name: N, input: CommandInput<N>, by?: string): Promise<CommandOutput<N>> {
    if (this.#closed) return Promise.reject(gatewayStopping())
    const isNeverRefused = NEVER_REFUSED.has(name)
    if (!isNeverRefused && this.#counted >= CALLS_WAITING_MAX) return Promise.reject(tooManyWait())
    if (!isNeverRefused) this.#counted += 1
    const id = ++this.#lastId
    if (this.#outgoing.length === 0) setImmediate(() => this.#send())
    this.#outgoing.push(packCall(by === undefined ? { id, name, input } : { id, name, input, by }))
    if (this.#outgoing.length >= CALLS_PER_FRAME) this.#send()
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { isNeverRefused, resolve: resolve as (output: unknown) => void, reject })
    })
  }

  close(): void {
    this.#port.close()
  }

  #send(): void {
    if (this.#outgoing.length === 0) return
    const calls = this.#outgoing
    this.#outgoing = []
    this.#port.postMessage({ calls } satisfies CallsFrame)
  }
}

function tooManyWait(): Problem {
  const message = 'too many requests wait for the writer: try again in a second'
  return new Problem('SERVICE_UNAVAILABLE', message, { retryAfterS: 1 })
}
