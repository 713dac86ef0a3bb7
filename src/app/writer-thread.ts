import { MessageChannel, Worker } from 'node:worker_threads'
import { entryFile } from '#app/entries.ts'
import type { Log } from '#app/log.ts'
import { PendingAnswers } from '#app/metrics/pending-answers.ts'
import type { Config } from '#contracts/config.ts'
import type { Metric } from '#contracts/metrics.ts'
import type { WriterControl, WriterData, WriterNews } from '#contracts/thread-frames.ts'
import { WriterClient } from '#storage/writer-client.ts'

export interface WriterThreadOptions {
  readonly config: Config
  readonly publicUrl: string
  readonly credentials: SharedArrayBuffer
  readonly log: Log
  readonly entry?: string
}

/** The writer's thread as the main thread sees it. When it dies, the process must end. */
export class WriterThread {
  /** Settled with the reason when the writer cannot go on. */
  readonly failed: Promise<string>
  /** Called after each commit that gives the sender of notifications something to do. */
  onNotificationsDue: () => void = () => {}
  readonly #worker: Worker
  readonly #stopped: Promise<void>
  readonly #metrics = new PendingAnswers<readonly Metric[]>()

  private constructor(worker: Worker, log: Log) {
    this.#worker = worker
    let stop: () => void = () => {}
    this.#stopped = new Promise(resolve => {
      stop = resolve
    })
    this.failed = new Promise(resolve => {
      worker.on('message', (news: WriterNews) => {
        if (news.kind === 'log') log.entry(news.entry)
        else if (news.kind === 'metrics') this.#metrics.settle(news.id, news.metrics)
        else if (news.kind === 'notifications') this.onNotificationsDue()
        else if (news.kind === 'lost') resolve('the disk failed')
        else if (news.kind === 'stopped') stop()
      })
      worker.on('error', error => {
        log.write('error', 'the writer thread failed', { cause: error.stack ?? error.message })
        resolve('the writer thread failed')
        stop()
      })
      worker.on('exit', () => {
        resolve('the writer thread ended')
        stop()
      })
    })
  }

  /** @throws when the database cannot be opened */
  static async start({ log, entry, ...workerData }: WriterThreadOptions): Promise<WriterThread> {
    const worker = new Worker(entry ?? entryFile('writer'), {
      workerData: workerData satisfies WriterData,
      name: 'writer',
    })
    const ready = new Promise<number>((resolve, reject) => {
      worker.once('error', reject)
      worker.on('message', (news: WriterNews) => {
        if (news.kind === 'ready') resolve(news.quarantined)
      })
    })
    const quarantined = await ready
    if (quarantined > 0)
      log.write('error', 'the database went backwards: open messages were ended, none is sent again', {
        messages: quarantined,
      })
    return new WriterThread(worker, log)
  }

  /** A new line to the writer for a thread of its own. */
  attachPort(asker: number): MessageChannel['port1'] {
    const { port1, port2 } = new MessageChannel()
    this.#worker.postMessage({ kind: 'attach', asker, port: port2 } satisfies WriterControl, [port2])
    return port1
  }

  /** A line to the writer for this thread. */
  attach(asker: number): WriterClient {
    return new WriterClient(this.attachPort(asker))
  }

  /** The thread behind this line died: whatever it held is over. */
  forget(asker: number): void {
    this.#worker.postMessage({ kind: 'forget', asker } satisfies WriterControl)
  }

  /** Its numbers; null when it does not answer in time. */
  metrics(): Promise<readonly Metric[] | null> {
    return this.#metrics.ask(id => this.#worker.postMessage({ kind: 'metrics', id } satisfies WriterControl))
  }

  drain(): void {
    this.#worker.postMessage({ kind: 'drain' } satisfies WriterControl)
  }

  /** Commits what waits, checkpoints, ends the thread. */
  async stop(): Promise<void> {
    this.#worker.postMessage({ kind: 'stop' } satisfies WriterControl)
    await this.#stopped
    await this.#worker.terminate()
  }
}
