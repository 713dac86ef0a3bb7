import type { MessagePort } from 'node:worker_threads'
import { loadSecret, verifyAccountToken } from '#app/account-token.ts'
import { PendingAnswers } from '#app/metrics/pending-answers.ts'
import { watchThread } from '#app/metrics/watch-thread.ts'
import { settingsOf } from '#app/settings.ts'
import { VERSION } from '#app/version.ts'
import { PAIRING_TRIES_MAX, PHONE_NUMBERS_CACHED_MAX } from '#contracts/limits.ts'
import type { ListenerControl, ListenerData, ListenerNews, LogEntry } from '#contracts/thread-frames.ts'
import type { Plan } from '#domain/account/plan.ts'
import { RememberedKeys } from '#domain/account/remembered-keys.ts'
import { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'
import { openGeneration } from '#limits/generation.ts'
import { openLimiter } from '#limits/limiter.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { openReadOnly } from '#storage/database.ts'
import { openMessageReader } from '#storage/message-reader.ts'
import { openPrincipalReader, openUsageReader } from '#storage/readers.ts'
import { WriterClient } from '#storage/writer-client.ts'
import { hashOf } from '#transport/http/authenticate.ts'
import { failureCounter } from '#transport/http/failure-counter.ts'
import type { Route } from '#transport/http/route.ts'
import { accountRoutes } from '#transport/http/routes/account.ts'
import { deviceRoutes } from '#transport/http/routes/devices.ts'
import { messageRoutes } from '#transport/http/routes/messages.ts'
import { metricsRoutes } from '#transport/http/routes/metrics.ts'
import { openapiRoutes } from '#transport/http/routes/openapi.ts'
import { operationRoutes } from '#transport/http/routes/operation.ts'
import { pairingRoutes } from '#transport/http/routes/pairing.ts'
import { startServer } from '#transport/http/start-server.ts'

type MainPort = Pick<MessagePort, 'on' | 'postMessage' | 'close'>

/** Builds a listener and lets it run until it is told to stop; `port` leads to the main thread. */
export function runListener(data: ListenerData, port: MainPort): void {
  const { config } = data
  const tell = (news: ListenerNews) => port.postMessage(news)
  const log = (entry: LogEntry) => tell({ kind: 'log', entry })
  const directory = dataDirectory(config.data_dir)
  const database = openReadOnly(directory.database)
  const settings = settingsOf(config, data.publicUrl)
  const plan = (name: string): Plan => {
    const found = settings.plan(name) ?? settings.plan('free')
    if (found === undefined) throw new Error('the built-in plan free is always configured')
    return found
  }
  const limiter = openLimiter(data.limiter)
  const writer = new WriterClient(data.writer, effects => server.devices.apply(effects))
  const reader = openPrincipalReader(database)
  const generation = openGeneration(data.credentials)
  const tokenKey = loadSecret(directory.jwtKey)
  const withOpenapi = (routes: Route[]): Route[] => {
    const { publicUrl } = data
    return [...routes, ...openapiRoutes({ routes, publicUrl, version: VERSION })]
  }
  const allMetrics = new PendingAnswers<string>()
  const watch = watchThread(`listener ${data.listener}`)
  const server = startServer({
    listener: data.listener,
    config,
    writer,
    limiter,
    plan,
    log,
    credentials: {
      reader,
      keys: new RememberedKeys(reader, { generation: () => generation.current(), hash: hashOf }),
      verifyToken: token => verifyAccountToken(token, tokenKey),
    },
    routes: withOpenapi([
      ...messageRoutes({
        writer,
        plan,
        messages: openMessageReader(database),
        numbers: new PhoneNumberCache(PHONE_NUMBERS_CACHED_MAX),
      }),
      ...deviceRoutes({ writer }),
      ...accountRoutes({ plan, usage: openUsageReader(database), wallMs: Date.now }),
      ...pairingRoutes({
        writer,
        publicUrl: data.publicUrl,
        agentFile: data.agentFile,
        failures: failureCounter(limiter, 'pair', PAIRING_TRIES_MAX),
      }),
      ...operationRoutes({ writer }),
      ...metricsRoutes({ readMetrics: () => allMetrics.ask(id => tell({ kind: 'all-metrics', id })) }),
    ]),
    listening: bound => tell(bound ? { kind: 'listening' } : { kind: 'refused' }),
  })
  port.on('message', async (control: ListenerControl) => {
    if (control.kind === 'all-metrics') return allMetrics.settle(control.id, control.text)
    if (control.kind === 'metrics')
      return tell({ kind: 'metrics', id: control.id, metrics: [...server.metrics(), ...watch.read()] })
    server.drain()
    if (control.kind === 'drain') return
    watch.stop()
    await server.stop()
    writer.close()
    database.close()
    tell({ kind: 'stopped' })
    port.close()
  })
}
