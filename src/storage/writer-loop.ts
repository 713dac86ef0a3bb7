/**
 * The writer's loop. While one transaction commits, the commands for the next one collect, so a slower disk
 * makes larger batches. The queue is bounded: further commands are refused at once.
 */
import type { MessagePort } from 'node:worker_threads'
import type { CommandAnswer, CommandCall } from '#contracts/commands.ts'
import type { ProblemData } from '#contracts/problem.ts'
import {
  type AccountNews,
  type AnswersFrame,
  type CallsFrame,
  type LogEntry,
  NEVER_REFUSED,
  type SocketEffect,
} from '#contracts/thread-frames.ts'
import type { Effect } from '#domain/effect.ts'
import type { Batch } from '#storage/batch.ts'
import { packAnswer, unpackCall } from '#storage/send-row.ts'

/**
 * Commands that may wait in the writer; further ones are answered 503, because the disk is too slow for them.
 */
export const COMMANDS_WAITING_MAX = 16_384
/** Commands in one transaction: each caller waits for the whole transaction. */
export const COMMANDS_PER_BATCH_MAX = 1024

/** Shortest timer: deadlines that are closer together run in one batch. */
const TIMER_MS_MIN = 10
/** On a full disk, due work is retried after a time that doubles from `TIMER_MS_MIN` to this. */
const STALLED_MS_MAX = 1_000
/** Longest timer, far below the longest that Node accepts (2^31 - 1 ms). */
const TIMER_MS_MAX = 60_000

interface Waiting {
  readonly client: number
  readonly call: CommandCall
}

interface Outgoing {
  readonly answers: AnswersFrame['answers'][number][]
  readonly effects: SocketEffect[]
  news?: AccountNews[]
}

export interface WriterLoopPorts {
  readonly batch: Batch
  readonly monoMs: () => number
  /** Called after each transaction. */
  readonly batched?: (commands: number, ms: number) => void
  readonly log: (entry: LogEntry) => void
  /** Called when the disk became full, and when it has space again. */
  readonly diskFull?: (isFull: boolean) => void
  /** Called when a notification may be due, to wake the sender of notifications. */
  readonly notificationsDue: () => void
  /** Called when a phone that the gateway connects to was added, changed or removed. */
  readonly reachedPhonesChanged?: () => void
  /** Called when the owner has changed the configuration at the API. */
  readonly configurationChanged?: () => void
  /** Called when a credential or a plan has changed: after the commit, and before the answer. */
  readonly credentialsChanged: () => void
  /** Called when SQLite cannot continue. All waiting callers have been answered. */
  readonly databaseFailed: (error: unknown) => void
  /** Whether answers and effects may leave: a leader of a cluster asks its lease. Default: always. */
  readonly mayLeave?: (() => boolean) | undefined
  /** A timer that fires once. Default: `setTimeout`. */
  readonly setTimer?: (wake: () => void, inMs: number) => NodeJS.Timeout
}

const OVERLOADED: ProblemData = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'too many requests wait for the disk: try again in a second',
  details: { retryAfterS: 1 },
}
const DATABASE_FAILED: ProblemData = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'the disk has failed, so nothing was accepted: the gateway is ending',
  details: { retryAfterS: 10 },
}

export class WriterLoop {
  readonly #ports: WriterLoopPorts
  readonly #clients = new Map<number, MessagePort>()
  #waiting: Waiting[] = []
  #scheduled = false
  #timer: NodeJS.Timeout | undefined
  /** Shortest wait for the next deadline. It grows with each transaction that finds the disk full. */
  #pauseMs = TIMER_MS_MIN
  #ended = false
  #isFull = false
  /** SQLite cannot continue, and all further commands are refused until the process ends. */
  #hasFailed = false

  constructor(ports: WriterLoopPorts) {
    this.#ports = ports
    this.#armTimer()
  }

  /** Whether the disk is full for messages. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Commands that wait for a transaction. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Accepts commands from this port; 0 is the main thread, listeners count from 1. */
  attach(client: number, port: MessagePort): void {
    this.#clients.set(client, port)
    port.on('message', (frame: CallsFrame) => this.#receive(client, frame.calls))
    port.on('close', () => {
      if (this.#clients.get(client) === port) this.#clients.delete(client)
    })
  }

  /** Removes a client whose thread has died, and queues the command that closes its connections. */
  forget(client: number): void {
    this.#clients.get(client)?.close()
    this.#clients.delete(client)
    this.#waiting.push({ client, call: { id: 0, name: 'listener.gone', input: { listener: client } } })
    this.#schedule()
  }

  /** Runs all waiting commands, then stops. */
  end(): void {
    while (this.#waiting.length > 0 && !this.#ended) this.#flush()
    this.#ended = true
    clearTimeout(this.#timer)
    for (const port of this.#clients.values()) port.close()
  }

  /** Queues the commands, or refuses them if the queue is full or SQLite cannot continue. */
  #receive(client: number, calls: CallsFrame['calls']): void {
    const problem = this.#hasFailed ? DATABASE_FAILED : OVERLOADED
    const refused: CommandAnswer[] = []
    for (const packed of calls) {
      const call = unpackCall(packed)
      const isAccepted =
        !this.#hasFailed && (this.#waiting.length < COMMANDS_WAITING_MAX || NEVER_REFUSED.has(call.name))
      if (isAccepted) this.#waiting.push({ client, call })
      else refused.push({ id: call.id, ok: false, problem })
    }
    if (refused.length > 0) this.#clients.get(client)?.postMessage({ answers: refused, effects: [] })
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled || this.#ended) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#ended) return
    const taken = this.#waiting.splice(0, COMMANDS_PER_BATCH_MAX)
    const calls = taken.map(({ call }) => call)
    try {
      const startedAt = this.#ports.monoMs()
      const { answers, effects, stalled } = this.#ports.batch.run(calls)
      this.#setFull(this.#ports.batch.health.isDiskFull)
      this.#pauseMs = stalled ? Math.min(this.#pauseMs * 2, STALLED_MS_MAX) : TIMER_MS_MIN
      this.#ports.batched?.(calls.length, this.#ports.monoMs() - startedAt)
      this.#send(taken, answers, effects)
    } catch (error) {
      const unanswered = [...taken, ...this.#waiting.splice(0)]
      const answers = unanswered.map(({ call }) => ({
        id: call.id,
        ok: false as const,
        problem: DATABASE_FAILED,
      }))
      this.#send(unanswered, answers, [])
      this.#hasFailed = true
      this.#ended = true
      clearTimeout(this.#timer)
      this.#ports.databaseFailed(error)
      return
    }
    if (this.#waiting.length > 0) this.#schedule()
    this.#armTimer()
  }

  /** Reports only changes: that the disk is full, and that it has space again. */
  #setFull(isFull: boolean): void {
    if (isFull === this.#isFull) return
    this.#isFull = isFull
    this.#ports.diskFull?.(isFull)
  }

  #send(taken: readonly Waiting[], answers: readonly CommandAnswer[], effects: readonly Effect[]): void {
    if (this.#ports.mayLeave?.() === false) return
    const outgoing = new Map<number, Outgoing>()
    const to = (client: number): Outgoing => {
      const frame = outgoing.get(client) ?? { answers: [], effects: [] }
      outgoing.set(client, frame)
      return frame
    }
    for (const [place, { client, call }] of taken.entries()) {
      const answer = answers[place]
      if (answer !== undefined) to(client).answers.push(packAnswer(call, answer))
    }
    for (const effect of effects) this.#carryOut(effect, to)
    if (effects.some(({ kind }) => kind === 'notifications')) this.#ports.notificationsDue()
    if (effects.some(({ kind }) => kind === 'reached-phones')) this.#ports.reachedPhonesChanged?.()
    if (effects.some(({ kind }) => kind === 'configuration')) this.#ports.configurationChanged?.()
    for (const [client, frame] of outgoing)
      this.#clients.get(client)?.postMessage(frame satisfies AnswersFrame)
  }

  /** Carries out an effect: calls a port, or adds the effect to the frame for its listener. */
  #carryOut(effect: Effect, to: (client: number) => Outgoing): void {
    switch (effect.kind) {
      case 'order':
        to(effect.connection.listener).effects.push({ socket: effect.connection.socket, order: effect.order })
        break
      case 'news':
        for (const listener of effect.listeners) {
          const out = to(listener)
          out.news ??= []
          out.news.push({ accountId: effect.accountId, news: effect.news })
        }
        break
      case 'log': {
        const { level, event, fields } = effect
        this.#ports.log({ level, event, fields })
        break
      }
      case 'credentials':
        this.#ports.credentialsChanged()
        break
      case 'notifications':
      case 'reached-phones':
      case 'configuration':
        // `#send` calls the ports of these once for all effects of the batch.
        break
    }
  }

  #armTimer(): void {
    clearTimeout(this.#timer)
    const at = this.#ports.batch.nextDeadline
    if (at === null || this.#ended) return
    const { monoMs, setTimer = setTimeout } = this.#ports
    const inMs = Math.min(Math.max(at - monoMs(), this.#pauseMs), TIMER_MS_MAX)
    this.#timer = setTimer(() => this.#schedule(), inMs)
  }
}
