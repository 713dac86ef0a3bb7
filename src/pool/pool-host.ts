/**
 * The only pool of worker threads in the process. The main thread owns it. Other threads use it through a
 * port, so that listeners do not need pools of their own.
 *
 * Passwords are hashed one at a time, because a hash takes 32 MiB and a good part of a second. Previews are
 * rendered one at a time, because any account can write a costly template. Large alerts are rendered one
 * at a time, because a body of 2 MB can take a second. Each of the three kinds has a queue and a thread of
 * its own, so that no other task waits for them. Accounts take turns. A task that hangs or throws affects
 * only its own caller: the pool ends the thread and starts another.
 *
 * What counts is the CPU time of the thread, which another thread can read even while an expression hangs. A
 * limit of the clock took each alert for one that hangs while the machine was busy. Alerts are rendered one
 * by one: a batch of 64 saved no measurable CPU time, and would end with the alert that breaks the limit.
 */

import { availableParallelism } from 'node:os'
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import { Piscina, queueOptionsSymbol } from 'piscina'
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
import { TaskQueue } from '#pool/task-queue.ts'

/** How often the CPU time of a thread with a task is read. Most tasks end before the first time. */
const READ_EVERY_MS = 250

/** Small alerts, and notifications to be signed, that may wait; further ones are refused. */
const POOL_TASKS_WAITING_MAX = 4096
/** The same for one account: about as many alerts as are rendered before the first of them is too late. */
const POOL_TASKS_PER_ACCOUNT_MAX = 2048
/** A pool thread that has no task for this long ends, but one stays. Starting one takes about 0.1 s. */
const POOL_IDLE_MS = 30_000
/**
 * After a task that used too much CPU time, those of the same sender are refused for this long: each would
 * cost a thread.
 */
const BLOCKED_MS = 60_000
/** CPU time of a task that is no alert: only one that hangs uses more. */
const TASK_CPU_MS_MAX = 10_000
/** Heap of one pool thread: the largest input is a body of 16 MiB. */
const POOL_THREAD_HEAP_MB_MAX = 192
/** V8's own 48 MB cost more memory, and rendered no faster. */
const POOL_THREAD_YOUNG_MB_MAX = 6
/** Previews that may wait for the one preview thread; further ones are refused. Alerts use other threads. */
const PREVIEWS_WAITING_MAX = 16
/** Those of one account. */
export const PREVIEWS_PER_ACCOUNT_MAX = 8
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
   * Called when a task has failed or used too much CPU time, before its caller gets the error. Null: a thread
   * failed without a task.
   */
  readonly faulted: (task: PoolTaskName | null, error: unknown) => void
}

const THREADS_MAX = 4

export class PoolHost implements Pool {
  readonly threads: number
  readonly #options: PoolHostOptions
  /** Resolves once the thread that stays is ready for tasks, or has failed. */
  readonly ready: Promise<void>
  readonly #piscina: Piscina
  readonly #passwords = new TaskQueue({
    what: 'password checks',
    runningMax: 1,
    waitingMax: PASSWORDS_WAITING_MAX,
  })
  readonly #previews = new TaskQueue({
    what: 'previews',
    runningMax: 1,
    waitingMax: PREVIEWS_WAITING_MAX,
    waitingPerOwnerMax: PREVIEWS_PER_ACCOUNT_MAX,
  })
  readonly #large = new TaskQueue({
    what: 'large alerts',
    runningMax: 1,
    waitingMax: LARGE_ALERTS_WAITING_MAX,
    waitingPerOwnerMax: LARGE_ALERTS_PER_ACCOUNT_MAX,
  })
  readonly #others: TaskQueue
  readonly #ports = new Set<MessagePort>()
  /** Senders of tasks that used too much CPU time, with the time until which further ones are refused. */
  readonly #blocked = new Map<string, number>()
  #closing = false

  /** Starts the thread that stays. */
  constructor(options: PoolHostOptions) {
    this.#options = options
    this.threads = options.threads || Math.min(Math.max(availableParallelism() - 1, 1), THREADS_MAX)
    this.#others = new TaskQueue({
      what: 'tasks',
      runningMax: this.threads,
      waitingMax: POOL_TASKS_WAITING_MAX,
      waitingPerOwnerMax: POOL_TASKS_PER_ACCOUNT_MAX,
    })
    this.#piscina = this.#open()
    // Piscina gives its first thread a task before the thread has loaded. This one may take any time.
    this.ready = this.#piscina
      .run({ name: 'sign-notifications', input: [] })
      .catch(error => this.#report(null, error))
  }

  #open(): Piscina {
    const { file, idleMs = POOL_IDLE_MS, faulted } = this.#options
    const piscina = new Piscina({
      filename: file,
      name: 'runTask',
      minThreads: 1,
      // One for each task that may run.
      maxThreads: this.threads + 3,
      idleTimeout: idleMs,
      resourceLimits: {
        maxOldGenerationSizeMb: POOL_THREAD_HEAP_MB_MAX,
        maxYoungGenerationSizeMb: POOL_THREAD_YOUNG_MB_MAX,
      },
      loadBalancer(task, threads) {
        const free = threads.find(({ currentUsage }) => currentUsage === 0) ?? null
        const limit = task[queueOptionsSymbol] as CpuLimit | null
        if (limit !== null) limit.thread = piscina.threads.find(({ threadId }) => threadId === free?.id)
        return free
      },
    })
    // For example, a thread can fail to get memory at its start. Without a listener the error would end the
    // process.
    piscina.on('error', error => faulted(null, error))
    return piscina
  }

  /** Tasks that no thread has taken yet. */
  get waiting(): number {
    const queues = [this.#passwords, this.#previews, this.#large, this.#others]
    return queues.reduce((sum, { waiting }) => sum + waiting, 0)
  }

  /** Threads that exist now. */
  get threadsAlive(): number {
    return this.#piscina.threads.length
  }

  run<N extends PoolTaskName>(
    name: N,
    input: PoolTaskInput<N>,
    options: PoolRunOptions = {},
  ): Promise<PoolTaskOutput<N>> {
    const { waitMsMax = Number.POSITIVE_INFINITY, accountId } = options
    const lateAtMs = performance.now() + waitMsMax
    const work = () => {
      if (performance.now() < lateAtMs) return this.#runNow({ name, input }, options)
      return Promise.reject(unavailable('the pool had too much to do'))
    }
    return this.#queueOf(name).run(work, accountId) as Promise<PoolTaskOutput<N>>
  }

  #queueOf(name: PoolTaskName): TaskQueue {
    if (name.endsWith('-password')) return this.#passwords
    if (name === 'preview-alert') return this.#previews
    return name === 'render-large-alert' || name === 'read-large-hook' ? this.#large : this.#others
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
    await this.#piscina.destroy()
  }

  async #runNow(task: PoolTask, { cpuMsMax = TASK_CPU_MS_MAX, sender }: PoolRunOptions): Promise<unknown> {
    if (sender !== undefined && (this.#blocked.get(sender) ?? 0) > performance.now())
      throw unavailable('a task of this sender used too much processor time a moment ago')
    await this.ready
    const limit = new CpuLimit(cpuMsMax)
    const { signal } = limit
    try {
      return await this.#piscina.run({ ...task, [queueOptionsSymbol]: limit }, { signal })
    } catch (error) {
      const fault = signal.aborted ? unavailable('the work used too much processor time') : error
      if (signal.aborted) this.#block(sender)
      this.#report(task.name, fault)
      throw fault
    } finally {
      limit.stop()
    }
  }

  #report(task: PoolTaskName | null, error: unknown): void {
    if (!this.#closing) this.#options.faulted(task, error)
  }

  #block(sender: string | undefined): void {
    const now = performance.now()
    for (const [other, until] of this.#blocked) if (until <= now) this.#blocked.delete(other)
    if (sender !== undefined) this.#blocked.set(sender, now + BLOCKED_MS)
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

function unavailable(why: string): Problem {
  return new Problem('SERVICE_UNAVAILABLE', `${why}: try again in 5 s`, { retryAfterS: 5 })
}

function failed(id: number, error: unknown): PoolAnswer {
  if (error instanceof Problem) return { id, kind: 'refused', problem: error.toData() }
  return { id, kind: 'failed', cause: messageOf(error) }
}

/**
 * Aborts a task that uses too much CPU time of its own thread. The time that the task waits for a processor
 * does not count, so a busy machine makes no task fail. V8 answers also while the thread is in a loop or an
 * expression without end.
 */
class CpuLimit {
  /** The thread that has the task; undefined: none yet. */
  thread: Worker | undefined
  readonly #abort = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #cpuMsMax: number
  /** What the thread had used at the first reading. */
  #firstMs: number | undefined

  constructor(cpuMsMax: number) {
    this.#cpuMsMax = cpuMsMax
    this.#timer = setInterval(() => void this.#read(), READ_EVERY_MS)
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #read(): Promise<void> {
    // Undefined also if the thread has ended.
    const usage = await this.thread?.cpuUsage().catch(() => undefined)
    if (usage === undefined) return
    const usedMs = (usage.user + usage.system) / 1000
    this.#firstMs ??= usedMs
    if (usedMs - this.#firstMs > this.#cpuMsMax) this.#abort.abort()
  }
}
