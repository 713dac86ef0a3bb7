import type { Worker } from 'node:worker_threads'
import { entryFile, startThread } from '#app/threads/entries.ts'
import type { UpkeepTask } from '#contracts/thread-frames.ts'

/** A thread that carries out one task and ends. The thread's error is the error of the task. */
export class UpkeepThread {
  #worker: Worker | null = null

  run(task: UpkeepTask): Promise<void> {
    const worker = startThread(entryFile('upkeep'), { data: task, name: task.kind })
    this.#worker = worker
    return new Promise<void>((done, fail) => {
      worker.once('error', fail)
      worker.once('exit', code => (code === 0 ? done() : fail(new Error('the thread was ended'))))
    }).finally(() => {
      this.#worker = null
    })
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate()
  }
}
