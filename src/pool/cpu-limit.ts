import type { Worker } from 'node:worker_threads'

/** How often the CPU time of a thread with a task is read. Most tasks end before the first time. */
const READ_EVERY_MS = 250

/**
 * Aborts a task that uses too much CPU time of its own thread. The time that the task waits for a processor
 * does not count, so a busy machine makes no task fail. V8 answers also while the thread is in a loop or an
 * expression without end.
 */
export class CpuLimit {
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
