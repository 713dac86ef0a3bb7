import type { Worker } from 'node:worker_threads'
import type { Log } from '#app/log.ts'
import { PendingAnswers } from '#app/metrics/pending-answers.ts'
import type { EarlyThreads } from '#app/threads/early-threads.ts'
import { entryFile, startThread } from '#app/threads/entries.ts'
import type { WriterThread } from '#app/threads/writer-thread.ts'
import { heapLimits } from '#app/threads/young-generation.ts'
import { RECONFIGURE_MS_MAX } from '#contracts/bounds.ts'
import type { Config } from '#contracts/config.ts'
import type { Metric } from '#contracts/metrics.ts'
import type {
  ClusterAnswer,
  ClusterQuestion,
  ListenerControl,
  ListenerData,
  ListenerNews,
} from '#contracts/thread-frames.ts'
import { causeOf } from '#domain/cause.ts'
import type { PoolHost } from '#pool/pool-host.ts'

export interface ListenerThreadsOptions {
  readonly data: Omit<ListenerData, 'listener' | 'takesMail' | 'writer' | 'pool'>
  readonly writerThread: WriterThread
  readonly pool: PoolHost
  readonly log: Log
  /** The metrics of all threads, as text. */
  readonly allMetrics: () => Promise<string>
  /** Null: the gateway is in no cluster. */
  readonly cluster: { answer(question: ClusterQuestion): Promise<ClusterAnswer> } | null
  readonly entry: string | undefined
  readonly early: EarlyThreads | undefined
}

/**
 * When listeners die more often than this in a minute, replacing them does not help, and the gateway ends.
 */
const DEATHS_PER_MINUTE_MAX = 5

/** Starts the listener threads, and replaces a listener that dies. */
export class ListenerThreads {
  /** Resolves with the reason when listeners die too often. */
  readonly failed: Promise<string>
  #options: ListenerThreadsOptions
  readonly #threads = new Map<number, Worker>()
  readonly #metrics = new PendingAnswers<readonly Metric[]>()
  readonly #reconfigured = new PendingAnswers<{ readonly fault: string | null }>(RECONFIGURE_MS_MAX)
  #fail: (reason: string) => void = () => {}
  #deaths: number[] = []
  #last = 0
  /** The listener that takes mails. */
  #mailTaker = 0
  /** True once all listeners have opened their ports. Before that, the start fails if a listener dies. */
  #started = false
  #stopping = false

  constructor(options: ListenerThreadsOptions) {
    this.#options = options
    this.failed = new Promise(resolve => {
      this.#fail = resolve
    })
  }

  /**
   * Starts the threads, which load their code while the database opens, then lets them listen.
   *
   * @throws when a port cannot be opened, or when `databaseOpen` rejects
   */
  async start(count: number, databaseOpen: Promise<unknown>): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#startOne(databaseOpen)))
    this.#started = true
  }

  drain(): void {
    this.#stopping = true
    for (const worker of this.#threads.values())
      worker.postMessage({ kind: 'drain' } satisfies ListenerControl)
  }

  /** The metrics of each thread; null for one that does not answer in time. */
  metrics(): Promise<readonly (readonly Metric[] | null)[]> {
    const ask = (worker: Worker) =>
      this.#metrics.ask(id => worker.postMessage({ kind: 'metrics', id } satisfies ListenerControl))
    return Promise.all([...this.#threads.values()].map(ask))
  }

  /**
   * Applies a new configuration to all listeners and to later replacements. Returns what went wrong, or null.
   */
  async reconfigure(config: Config): Promise<string | null> {
    this.#options = { ...this.#options, data: { ...this.#options.data, config } }
    const ask = (worker: Worker) =>
      this.#reconfigured.ask(id =>
        worker.postMessage({ kind: 'reconfigure', id, config } satisfies ListenerControl),
      )
    const answers = await Promise.all([...this.#threads.values()].map(ask))
    if (answers.includes(null)) return 'a listener did not apply the configuration in time'
    return answers.find(answer => answer?.fault != null)?.fault ?? null
  }

  async #answerMetrics(worker: Worker, id: number): Promise<void> {
    const text = await this.#options.allMetrics()
    worker.postMessage({ kind: 'all-metrics', id, text } satisfies ListenerControl)
  }

  async #answerCluster(worker: Worker, { id, question }: { id: number; question: ClusterQuestion }) {
    const answer = await this.#options.cluster?.answer(question)
    if (answer !== undefined) worker.postMessage({ kind: 'cluster', id, answer } satisfies ListenerControl)
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.all([...this.#threads.values()].map(stopOne))
  }

  #startOne(databaseOpen: Promise<unknown>): Promise<void> {
    const { data: shared, writerThread, pool: poolHost, log, entry, early } = this.#options
    const listener = ++this.#last
    const writer = writerThread.attachPort(listener)
    const pool = poolHost.attachPort()
    if (!this.#threads.has(this.#mailTaker)) this.#mailTaker = listener
    const takesMail = this.#mailTaker === listener
    const data: ListenerData = { ...shared, listener, takesMail, writer, pool }
    const worker = startThread(entry ?? entryFile('listener'), {
      early: early?.take('listener'),
      data,
      transferList: [writer, pool],
      name: `listener ${listener}`,
      resourceLimits: heapLimits(),
    })
    this.#threads.set(listener, worker)
    const begin = () => worker.postMessage({ kind: 'begin' } satisfies ListenerControl)
    return new Promise((resolve, reject) => {
      databaseOpen.then(begin, reject)
      worker.on('message', (news: ListenerNews) => {
        if (news.kind === 'log') log.entry(news.entry)
        else if (news.kind === 'metrics') this.#metrics.settle(news.id, news.metrics)
        else if (news.kind === 'reconfigured') this.#reconfigured.settle(news.id, news)
        else if (news.kind === 'all-metrics') void this.#answerMetrics(worker, news.id)
        else if (news.kind === 'ask-cluster') void this.#answerCluster(worker, news)
        else if (news.kind === 'listening') resolve()
        else if (news.kind === 'refused') reject(new Error(portTaken(data.config.http.host, news.port)))
        else if (news.kind === 'died') {
          log.write('error', 'listener.failed', { listener, cause: news.cause })
          void worker.terminate()
        }
      })
      worker.on('error', error => {
        log.write('error', 'listener.failed', { listener, cause: causeOf(error) })
        reject(error)
      })
      worker.on('exit', () => {
        reject(new Error('the listener thread ended before it opened its port'))
        this.#replace(listener)
      })
    })
  }

  /** Tells the writer that this listener's connections are gone, and starts another listener. */
  #replace(listener: number): void {
    this.#threads.delete(listener)
    if (this.#stopping || !this.#started) return
    const now = performance.now()
    this.#deaths = [...this.#deaths.filter(at => now - at < 60_000), now]
    if (this.#deaths.length > DEATHS_PER_MINUTE_MAX) return this.#fail('listener threads keep dying')
    const { writerThread, log } = this.#options
    log.write('warn', 'listener.replaced', { listener })
    writerThread.forget(listener)
    this.#startOne(Promise.resolve()).then(
      () => log.write('info', 'listener.listening', {}),
      () => {
        // The exit event of the new listener has handled this failure.
      },
    )
  }
}

async function stopOne(worker: Worker): Promise<void> {
  const stopped = new Promise<void>(resolve => {
    worker.on('message', (news: ListenerNews) => {
      if (news.kind === 'stopped') resolve()
    })
    worker.once('exit', () => resolve())
  })
  worker.postMessage({ kind: 'stop' } satisfies ListenerControl)
  await stopped
  await worker.terminate()
}

function portTaken(host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host
  return `cannot listen on ${name}:${port}: the address is in use, or this machine does not have it`
}
