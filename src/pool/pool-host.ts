/**
 * The only pool of worker threads in the process. The main thread owns it. Other threads use it through a
 * port, so that listeners do not need pools of their own.
 *
 * Passwords are hashed one at a time, because a hash takes 32 MiB and a good part of a second. Previews are
 * rendered one at a time, because any account can write a costly template. Large alerts are rendered one
 * at a time, and accounts take turns, because a body of 2 MB can take a second. Each of the three kinds has
 * a queue and a thread of its own, so that no other task waits for them. A task that hangs or throws
 * affects only its own caller: the pool ends the thread and starts another.
 */

import { availableParallelism } from 'node:os'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { PASSWORDS_WAITING_MAX } from '#contracts/bounds.ts'
import type {
  Pool,
  PoolAnswer,
  PoolCall,
  PoolRunOptions,
  PoolTask,
  PoolTaskInput,
  PoolTaskName,
  PoolTaskOutput,
} from '#contracts/pool-tasks.ts'
import { messageOf } from '#domain/cause.ts'
import { Problem } from '#domain/problem.ts'
import { FairTaskQueue } from '#pool/fair-task-queue.ts'
import { TaskQueue } from '#pool/task-queue.ts'

/** Tasks, other than passwords, that may wait for a pool thread; further ones are answered 503. */
const POOL_TASKS_WAITING_MAX = 1024
/** A pool thread that has no task for this long ends, but one stays. Starting one takes about 0.1 s. */
const POOL_IDLE_MS = 30_000
/** Heap of one pool thread: the largest input is a body of 16 MiB. */
const POOL_THREAD_HEAP_MB_MAX = 192
/** Previews that may wait for the one preview thread; further ones are refused. Alerts use other threads. */
export const PREVIEWS_WAITING_MAX = 16
/** Larger alerts of one account that may wait for their thread; further ones get the fallback text. */
export const LARGE_ALERTS_PER_ACCOUNT_MAX = 8
/** The same for all accounts together. Each holds a body of up to 16 MiB in memory. */
const LARGE_ALERTS_WAITING_MAX = 32

export interface PoolHostOptions {
  /** The file whose `runTask` the threads call. */
  readonly file: string
  /**
   * Threads for all tasks but passwords, previews and large alerts, which have one each. 0: one fewer than
   * the processors, at least 1, at most 4.
   */
  readonly threads: number
  readonly idleMs?: number
  /**
   * Called when a task has failed or timed out, before its caller gets the error. Null: a thread failed
   * without a task.
   */
  readonly faulted: (task: PoolTaskName | null, error: unknown) => void
}

const THREADS_MAX = 4
/** Additional time for a task whose thread must start first, which can take seconds on a slow computer. */
const START_MS_MAX = 6_000

export class PoolHost implements Pool {
  readonly threads: number
  readonly #options: PoolHostOptions
  /** Null until the first task. */
  #piscina: Piscina | null = null
  readonly #passwords = new TaskQueue({
    what: 'password checks',
    runningMax: 1,
    waitingMax: PASSWORDS_WAITING_MAX,
  })
  readonly #previews = new TaskQueue({ what: 'previews', runningMax: 1, waitingMax: PREVIEWS_WAITING_MAX })
  readonly #largeAlerts = new FairTaskQueue({
    what: 'large alerts',
    runningMax: 1,
    waitingPerOwnerMax: LARGE_ALERTS_PER_ACCOUNT_MAX,
    waitingMax: LARGE_ALERTS_WAITING_MAX,
  })
  readonly #others: TaskQueue
  readonly #ports = new Set<MessagePort>()
  /** Tasks that a thread has, or that wait for their thread to start. */
  #running = 0
  #closing = false

  constructor(options: PoolHostOptions) {
    this.#options = options
    this.threads = options.threads || Math.min(Math.max(availableParallelism() - 1, 1), THREADS_MAX)
    this.#others = new TaskQueue({
      what: 'tasks',
      runningMax: this.threads,
      waitingMax: POOL_TASKS_WAITING_MAX,
    })
  }

  /** Starts the thread that stays, so that the first alert need not wait for it. */
  start(): void {
    this.run('sign-notifications', [], { timeoutMs: START_MS_MAX }).catch(() => {})
  }

  #open(): Piscina {
    const { file, idleMs = POOL_IDLE_MS, faulted } = this.#options
    const piscina = new Piscina({
      filename: file,
      name: 'runTask',
      minThreads: 1,
      // One for each task that may run, so that no task waits for a thread while its timeout runs.
      maxThreads: this.threads + 3,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: POOL_THREAD_HEAP_MB_MAX },
    })
    // For example, a thread can fail to get memory at its start. Without a listener the error would end the
    // process.
    piscina.on('error', error => faulted(null, error))
    return piscina
  }

  /** Tasks that no thread has taken yet. */
  get waiting(): number {
    const queues = [this.#passwords, this.#previews, this.#largeAlerts, this.#others]
    return queues.reduce((sum, { waiting }) => sum + waiting, 0)
  }

  /** Threads that exist now. */
  get threadsAlive(): number {
    return this.#piscina?.threads.length ?? 0
  }

  run<N extends PoolTaskName>(
    name: N,
    input: PoolTaskInput<N>,
    options: PoolRunOptions,
  ): Promise<PoolTaskOutput<N>> {
    const work = () => this.#runNow({ name, input }, options) as Promise<PoolTaskOutput<N>>
    if (name === 'render-large-alert' || name === 'read-large-hook')
      return this.#largeAlerts.run(work, options.accountId ?? '')
    return this.#queueOf(name).run(work)
  }

  #queueOf(name: PoolTaskName): TaskQueue {
    if (name.endsWith('-password')) return this.#passwords
    return name === 'preview-alert' ? this.#previews : this.#others
  }

  /** A port to the pool for another thread, which opens a `PoolClient` on it. */
  attachPort(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    port1.on('message', (call: PoolCall) => void this.#serve(port1, call))
    port1.on('close', () => this.#ports.delete(port1))
    this.#ports.add(port1)
    return port2
  }

  async close(): Promise<void> {
    this.#closing = true
    for (const port of this.#ports) port.close()
    await this.#piscina?.destroy()
  }

  async #runNow(task: PoolTask, { timeoutMs }: PoolRunOptions): Promise<unknown> {
    const abort = new AbortController()
    // If a thread must start first, allow more time. Otherwise, on a busy machine, the first alert after a
    // pause would time out and be sent unformatted.
    const startMs = this.#running >= this.threadsAlive ? START_MS_MAX : 0
    const timer = setTimeout(() => abort.abort(), timeoutMs + startMs)
    this.#running += 1
    try {
      this.#piscina ??= this.#open()
      return await this.#piscina.run(task, { signal: abort.signal })
    } catch (error) {
      if (!this.#closing) this.#options.faulted(task.name, error)
      if (abort.signal.aborted)
        throw new Problem(
          'SERVICE_UNAVAILABLE',
          'the work took longer than its time limit: try again in 5 s',
          { retryAfterS: 5 },
        )
      throw error
    } finally {
      clearTimeout(timer)
      this.#running -= 1
    }
  }

  async #serve(port: MessagePort, call: PoolCall): Promise<void> {
    const { id, name, input, ...options } = call
    const answer = await this.run(name, input, options).then(
      (output): PoolAnswer => ({ id, kind: 'done', output }),
      (error): PoolAnswer => failed(id, error),
    )
    port.postMessage(answer)
  }
}

function failed(id: number, error: unknown): PoolAnswer {
  if (error instanceof Problem) return { id, kind: 'refused', problem: error.toData() }
  return { id, kind: 'failed', cause: messageOf(error) }
}
