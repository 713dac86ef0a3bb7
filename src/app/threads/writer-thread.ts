import { MessageChannel, type Worker } from 'node:worker_threads'
import { explainFailure } from '#app/explain-failure.ts'
import type { Log } from '#app/log.ts'
import { PendingAnswers } from '#app/metrics/pending-answers.ts'
import type { EarlyThreads } from '#app/threads/early-threads.ts'
import { entryFile, startThread } from '#app/threads/entries.ts'
import { heapLimits } from '#app/threads/young-generation.ts'
import { RECONFIGURE_MS_MAX } from '#contracts/bounds.ts'
import type { Config } from '#contracts/config.ts'
import type { Metric } from '#contracts/metrics.ts'
import type {
  AccountNews,
  DatabaseOpened,
  Migrating,
  WriterCluster,
  WriterControl,
  WriterData,
  WriterNews,
} from '#contracts/thread-frames.ts'
import { causeOf } from '#domain/cause.ts'
import { openLeadership } from '#rate-limit/leadership.ts'
import { WriterClient } from '#storage/writer-client.ts'

/** The reason why a writer has failed, if another process writes to the database. */
export const ANOTHER_WRITER = 'another process writes to the database'

export interface WriterThreadOptions {
  readonly config: Config
  readonly publicUrl: string
  readonly credentials: SharedArrayBuffer
  readonly commits: SharedArrayBuffer
  /** Null: the gateway is in no cluster. */
  readonly cluster: WriterCluster | null
  readonly log: Log
  readonly entry: string | undefined
  readonly early: EarlyThreads | undefined
}

/** The main thread's side of the writer thread. When the writer dies, the process must end. */
export class WriterThread {
  /**
   * Resolves when the database is open. Rejects when it cannot be opened.
   */
  readonly ready: Promise<DatabaseOpened>
  /** Resolves with the reason when the writer has failed. */
  readonly failed: Promise<string>
  /** Called after each commit that may have made a notification due. */
  onNotificationsDue: () => void = () => {}
  /** Called after each commit that added, changed or removed a phone that the gateway connects to. */
  onReachedPhones: () => void = () => {}
  /** Called after each change of the configuration at the API. */
  onConfiguration: () => void = () => {}
  /** Called with news of accounts that the main thread watches. */
  onNews: (news: readonly AccountNews[]) => void = () => {}
  /** Called when a migration step begins, and after each 5 % of it. */
  onMigrating: (progress: Migrating) => void = () => {}
  isDiskFull = false
  readonly #worker: Worker
  /** Whether what the writer lets go may leave; absent: always. */
  readonly mayPass: (() => boolean) | undefined
  readonly #stopped: Promise<void>
  readonly #metrics = new PendingAnswers<readonly Metric[]>()
  readonly #reconfigured = new PendingAnswers<{ readonly fault: string | null }>(RECONFIGURE_MS_MAX)

  constructor({ log, entry, early, ...data }: WriterThreadOptions) {
    const worker = startThread(entry ?? entryFile('writer'), {
      early: early?.take('writer'),
      data: data satisfies WriterData,
      transferList: data.cluster === null ? [] : [data.cluster.port],
      name: 'writer',
      resourceLimits: heapLimits(),
    })
    this.#worker = worker
    const leadership = data.cluster && openLeadership(data.cluster.leadership)
    this.mayPass = leadership === null ? undefined : () => leadership.holds()
    const ready = Promise.withResolvers<DatabaseOpened>()
    const failed = Promise.withResolvers<string>()
    const stopped = Promise.withResolvers<void>()
    this.ready = ready.promise
    this.failed = failed.promise
    this.#stopped = stopped.promise
    // Prevents an unhandled rejection if opening fails before anything awaits `ready`.
    this.ready.catch(() => {})
    const end = (reason: string) => {
      ready.reject(new Error(reason))
      failed.resolve(reason)
      stopped.resolve()
    }
    worker.on('message', (news: WriterNews) => {
      if (news.kind === 'ready') ready.resolve(news)
      else if (news.kind === 'migrating') this.onMigrating(news)
      else if (news.kind === 'log') log.entry(news.entry)
      else if (news.kind === 'metrics') this.#metrics.settle(news.id, news.metrics)
      else if (news.kind === 'reconfigured') this.#reconfigured.settle(news.id, news)
      else if (news.kind === 'notifications') this.onNotificationsDue()
      else if (news.kind === 'reached-phones') this.onReachedPhones()
      else if (news.kind === 'configuration') this.onConfiguration()
      else if (news.kind === 'disk') this.isDiskFull = news.isFull
      else if (news.kind === 'database-failed') failed.resolve(news.held ? ANOTHER_WRITER : 'the disk failed')
      else if (news.kind === 'leadership-lost') failed.resolve('this gateway no longer leads its cluster')
      else if (news.kind === 'stopped') stopped.resolve()
    })
    worker.on('error', error => {
      const explained = explainFailure(error)
      if (explained === null) log.write('error', 'writer.failed', { cause: causeOf(error) })
      else ready.reject(error)
      end(explained ?? 'the writer thread failed')
    })
    worker.on('exit', () => end('the writer thread ended'))
  }

  /** Makes a port to the writer for another thread, the client. */
  attachPort(client: number): MessageChannel['port1'] {
    const { port1, port2 } = new MessageChannel()
    this.#worker.postMessage({ kind: 'attach', client, port: port2 } satisfies WriterControl, [port2])
    return port1
  }

  /** Makes a client of the writer for the main thread. */
  attach(client: number): WriterClient {
    const onNews = (news: readonly AccountNews[]) => this.onNews(news)
    return new WriterClient(this.attachPort(client), () => {}, { onNews, mayPass: this.mayPass })
  }

  /** Tells the writer that the client's thread has died: its connections are gone. */
  forget(client: number): void {
    this.#worker.postMessage({ kind: 'forget', client } satisfies WriterControl)
  }

  /** The writer's metrics; null when it does not answer in time. */
  metrics(): Promise<readonly Metric[] | null> {
    return this.#metrics.ask(id => this.#worker.postMessage({ kind: 'metrics', id } satisfies WriterControl))
  }

  /** Applies a new configuration. Returns what went wrong, or null. */
  async reconfigure(config: Config): Promise<string | null> {
    const answer = await this.#reconfigured.ask(id =>
      this.#worker.postMessage({ kind: 'reconfigure', id, config } satisfies WriterControl),
    )
    return answer === null ? 'the writer did not apply the configuration in time' : answer.fault
  }

  drain(): void {
    this.#worker.postMessage({ kind: 'drain' } satisfies WriterControl)
  }

  /** Commits pending commands, checkpoints the database and ends the thread. */
  async stop(): Promise<void> {
    this.#worker.postMessage({ kind: 'stop' } satisfies WriterControl)
    await this.#stopped
    await this.#worker.terminate()
  }
}
