import type { MessagePort } from 'node:worker_threads'
import { ClusterQuestions, mayPassOf } from '#app/cluster/cluster-questions.ts'
import { writeCompileCacheLater } from '#app/compile-cache.ts'
import { PendingAnswers } from '#app/metrics/pending-answers.ts'
import { watchThread } from '#app/metrics/watch-thread.ts'
import { openParts, rulesOf } from '#app/threads/listener-parts.ts'
import { routesOf } from '#app/threads/listener-routes.ts'
import type { Metric } from '#contracts/metrics.ts'
import type { ListenerControl, ListenerData, ListenerNews, LogEntry } from '#contracts/thread-frames.ts'
import { VERSION } from '#contracts/version.ts'
import { causeOf } from '#domain/cause.ts'
import { WriterClient } from '#storage/writer-client.ts'
import type { Cloud } from '#transport/device/smsgate-cloud/open-cloud.ts'
import { clusterRoutes } from '#transport/http/cluster-routes.ts'
import { LargeBodies } from '#transport/http/large-bodies.ts'
import type { Route } from '#transport/http/route.ts'
import { metricsRoutes } from '#transport/http/routes/metrics.ts'
import { openapiRoutes } from '#transport/http/routes/openapi.ts'
import { type Server, startServer } from '#transport/http/start-server.ts'
import type { MailServer } from '#transport/smtp/mail-server.ts'

type MainPort = Pick<MessagePort, 'on' | 'once' | 'postMessage' | 'close'>

/**
 * Waits until the database is open (`begin`), then runs a listener until `stop`. `port` connects to the main
 * thread.
 */
export function runListener(data: ListenerData, port: MainPort): void {
  port.once('message', (control: ListenerControl) => {
    if (control.kind === 'begin') return listen(data, port)
    port.postMessage({ kind: 'stopped' } satisfies ListenerNews)
    port.close()
  })
}

function listen(data: ListenerData, port: MainPort): void {
  const { config, listener, takesMail, publicUrl } = data
  const tell = (news: ListenerNews) => port.postMessage(news)
  const log = (entry: LogEntry) => tell({ kind: 'log', entry })
  let rules = rulesOf(config, publicUrl)
  const writer = openWriter(data, () => ({ server, cloud }))
  const metrics = new ListenerMetrics(listener, tell)
  const cluster = data.leadership === null ? null : new ClusterQuestions(data.leadership, tell)
  const shareSecrets = cluster?.shareSecrets
  const parts = openParts(data, { writer, log, rules: () => rules, shareSecrets })
  const { database, limiter, pool, plan, access, cloud, phones, modems, triggers } = parts
  const listening = (refused: number | null) =>
    tell(refused === null ? { kind: 'listening' } : { kind: 'refused', port: refused })
  const large = new LargeBodies(config.http.listeners)
  let mail: MailServer | null = null
  let mailEnded: Promise<void> | undefined
  const server: Server = startServer({
    config,
    writer,
    limiter,
    plan,
    log,
    large,
    listener,
    credentials: access.credentials,
    leads: cluster === null ? undefined : () => cluster.leads(),
    routes: withDescription(publicUrl, [
      ...routesOf(data, parts),
      ...metricsRoutes({ readMetrics: () => metrics.readAll() }),
      ...(cluster === null ? [] : clusterRoutes(cluster)),
    ]),
    listening: refused => {
      if (refused !== null || !takesMail || config.smtp.port === 0) return listening(refused)
      // Loaded only for gateways that take mails.
      void import('#transport/smtp/mail-server.ts').then(smtp => {
        mail = new smtp.MailServer(config, { triggers, limiter, large, writer, log, listening })
      })
    },
  })
  dieCleanly(server, tell)
  writeCompileCacheLater()
  port.on('message', async (control: ListenerControl) => {
    if (metrics.take(control, server) || cluster?.take(control)) return
    if (control.kind === 'reconfigure') {
      rules = rulesOf(control.config, publicUrl)
      phones.reconfigure(control.config)
      modems.reconfigure(control.config)
      const fault =
        (await server.reconfigure(control.config)) ?? mail?.renewCertificate(control.config) ?? null
      return tell({ kind: 'reconfigured', id: control.id, fault })
    }
    server.drain() // For `drain` and for `stop`.
    mailEnded ??= mail?.stop()
    if (control.kind === 'drain') return
    metrics.stop()
    await Promise.all([server.stop(), mailEnded])
    for (const one of [writer, pool, database, cloud]) one.close()
    tell({ kind: 'stopped' })
    port.close()
  })
}

/** Connects to the writer, and passes its orders and news to the sockets of this listener. */
function openWriter(
  { writer, leadership }: ListenerData,
  parts: () => { readonly server: Server; readonly cloud: Cloud },
): WriterClient {
  return new WriterClient(
    writer,
    effects => {
      const { server, cloud } = parts()
      for (const one of [server, cloud]) one.apply(effects)
    },
    {
      onNews: news => parts().server.live.apply(news),
      mayPass: leadership === null ? undefined : mayPassOf(leadership),
    },
  )
}

/** Adds the route that describes all others (OpenAPI). */
function withDescription(publicUrl: string, routes: Route[]): Route[] {
  return [...routes, ...openapiRoutes({ routes, publicUrl, version: VERSION })]
}

/**
 * Closes all sockets at an uncaught error, and tells the main thread, which ends this thread and starts
 * another. Without this, the whole process would crash: uWebSockets.js does not survive a thread that ends
 * with open sockets.
 */
function dieCleanly(server: Pick<Server, 'abort'>, tell: (news: ListenerNews) => void): void {
  process.once('uncaughtException', error => {
    const cause = causeOf(error)
    // Ignore further errors while the sockets close.
    process.on('uncaughtException', () => {})
    try {
      server.abort()
    } finally {
      // Sockets close at the end of this turn of the event loop.
      setImmediate(() => setImmediate(() => tell({ kind: 'died', cause })))
    }
  })
}

/**
 * A listener's exchange of metrics with the main thread: it reports its own metrics, and asks for the metrics
 * of all threads.
 */
class ListenerMetrics {
  readonly #tell: (news: ListenerNews) => void
  readonly #all = new PendingAnswers<string>()
  readonly #watch: ReturnType<typeof watchThread>

  constructor(listener: number, tell: (news: ListenerNews) => void) {
    this.#tell = tell
    this.#watch = watchThread(`listener ${listener}`)
  }

  /** The metrics of all threads as text; null when the main thread did not answer in time. */
  readAll(): Promise<string | null> {
    return this.#all.ask(id => this.#tell({ kind: 'all-metrics', id }))
  }

  /** Handles a control message if it is about metrics; false: it is not. */
  take(control: ListenerControl, server: { metrics(): Metric[] }): boolean {
    if (control.kind === 'all-metrics') this.#all.settle(control.id, control.text)
    else if (control.kind === 'metrics')
      this.#tell({
        kind: 'metrics',
        id: control.id,
        metrics: [...server.metrics(), ...this.#watch.read()],
      })
    else return false
    return true
  }

  /** Ends the exchange. Pending calls of `readAll` resolve with null. */
  stop(): void {
    this.#watch.stop()
    this.#all.end()
  }
}
