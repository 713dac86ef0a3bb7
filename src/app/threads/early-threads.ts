import type { Worker } from 'node:worker_threads'
import { entryFile, startThread } from '#app/threads/entries.ts'
import { heapLimits } from '#app/threads/young-generation.ts'

type EarlyThread = 'writer' | 'listener'

/**
 * The writer and the first listener, started before the main thread loads its own code and the configuration.
 * They load their code on another processor in the meantime, so the gateway is ready earlier.
 */
export class EarlyThreads {
  readonly #waiting = new Map<EarlyThread, Worker>()

  start(file: (thread: EarlyThread) => string = entryFile): void {
    this.#start('writer', { file: file('writer'), name: 'writer' })
    this.#start('listener', { file: file('listener'), name: 'listener 1' })
  }

  /** The early thread; undefined if it is taken already or failed. Then a new thread is needed. */
  take(thread: EarlyThread): Worker | undefined {
    const worker = this.#waiting.get(thread)
    this.#waiting.delete(thread)
    return worker
  }

  #start(thread: EarlyThread, { file, name }: { file: string; name: string }): void {
    const worker = startThread(file, { name, resourceLimits: heapLimits() })
    this.#waiting.set(thread, worker)
    // An error this early is not reported here: the thread that replaces this one fails in the same way.
    const forget = () => void this.#waiting.delete(thread)
    worker.once('error', forget).once('exit', forget)
  }
}
