import type { MessagePort } from 'node:worker_threads'
import { openAccess } from '#app/auth/open-access.ts'
import { readAuthority } from '#app/certificate/own-certificate.ts'
import { writeCompileCacheLater } from '#app/compile-cache.ts'
import { settingsHere } from '#app/config/settings.ts'
import { targetChecker, targetPolicyOf } from '#app/config/target-policy.ts'
import { ListenerMetrics } from '#app/metrics/listener-metrics.ts'
import { PhoneConnections } from '#app/phones/phone-connections.ts'
import { openAssets } from '#app/threads/read-assets.ts'
import { VERSION } from '#app/version.ts'
import { PHONE_NUMBERS_CACHED_MAX } from '#contracts/bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { ListenerControl, ListenerData, ListenerNews, LogEntry } from '#contracts/thread-frames.ts'
import type { Plan } from '#domain/account/plan.ts'
import { causeOf } from '#domain/cause.ts'
import { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'
import type { Settings } from '#domain/settings.ts'
import { PoolClient } from '#pool/pool-client.ts'
import { openGeneration } from '#rate-limit/generation.ts'
import { openLimiter } from '#rate-limit/limiter.ts'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'
import { openReadOnly } from '#storage/database.ts'
import { openDayCountReader } from '#storage/day-counts.ts'
import { openInboxReader } from '#storage/inbox-reader.ts'
import { openMessageReader } from '#storage/message-reader.ts'
import { openDeliveryReader } from '#storage/notification-reader.ts'
import { loadSecret } from '#storage/secret-file.ts'
import { openSeenTriggerReader } from '#storage/seen-trigger-reader.ts'
import { openUsageReader } from '#storage/usage-reader.ts'
import { openWebhookReader } from '#storage/webhook-reader.ts'
import { WriterClient } from '#storage/writer-client.ts'
import { type Cloud, openCloud } from '#transport/device/smsgate-cloud/open-cloud.ts'
import { dialectRoutes } from '#transport/http/dialects/dialect-routes.ts'
import type { TextPorts } from '#transport/http/dialects/send-texts.ts'
import { renderInPool } from '#transport/http/render-in-pool.ts'
import type { Route } from '#transport/http/route.ts'
import { accountRoutes } from '#transport/http/routes/account.ts'
import { authorityRoutes } from '#transport/http/routes/authority.ts'
import { consoleRoutes } from '#transport/http/routes/console.ts'
import { deviceRoutes } from '#transport/http/routes/devices.ts'
import { healthRoutes } from '#transport/http/routes/health.ts'
import { inboxRoutes } from '#transport/http/routes/inbox.ts'
import { liveRoutes } from '#transport/http/routes/live.ts'
import { messageRoutes } from '#transport/http/routes/messages.ts'
import { metricsRoutes } from '#transport/http/routes/metrics.ts'
import { notificationRoutes } from '#transport/http/routes/notifications.ts'
import { openapiRoutes } from '#transport/http/routes/openapi.ts'
import { type PairingPorts, pairingRoutes } from '#transport/http/routes/pairing.ts'
import { seenTriggerRoutes } from '#transport/http/routes/seen-triggers.ts'
import { senderRoutes } from '#transport/http/routes/senders.ts'
import { statusRoutes } from '#transport/http/routes/status.ts'
import { triggerRoutes } from '#transport/http/routes/trigger.ts'
import { twoFactorRoutes } from '#transport/http/routes/two-factor.ts'
import { usageDayRoutes } from '#transport/http/routes/usage-days.ts'
import { webhookRoutes } from '#transport/http/routes/webhooks.ts'
import { type Server, startServer } from '#transport/http/start-server.ts'
import { TriggerJournal } from '#transport/http/trigger-journal.ts'
import { openTriggers, type TriggerPorts, type Triggers } from '#transport/http/trigger-webhook.ts'

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
  const { config } = data
  const tell = (news: ListenerNews) => port.postMessage(news)
  const log = (entry: LogEntry) => tell({ kind: 'log', entry })
  const directory = dataDirectory(config.data_dir)
  const database = openReadOnly(directory.database)
  let settings = settingsHere(config, data.publicUrl)
  const plan = planIn(() => settings)
  const limiter = openLimiter(data.limiter)
  const writer = openWriter(data, () => ({ server, cloud }))
  const phones = new PhoneConnections({ writer, directory, config })
  const policy = targetPolicyOf(config)
  const judgeTarget = targetChecker(policy)
  const metrics = new ListenerMetrics(data.listener, tell)
  const pool = new PoolClient(data.pool)
  const access = openAccess({
    ...{ database, writer, limiter, pool, log },
    tokenKey: loadSecret(directory.jwtKey),
    generation: openGeneration(data.credentials),
  })
  const messages = openMessageReader(database)
  const numbers = new PhoneNumberCache(PHONE_NUMBERS_CACHED_MAX)
  const webhooks = openWebhookReader(database)
  const bodyBytesMax = alertBytesMax(config)
  const defaultCountry = () => settings.defaultCountry
  const sending = { writer, plan, messages, judgeTarget, numbers, defaultCountry }
  const render = renderInPool(pool, log)
  const triggers = triggersOf({ writer, webhooks, messages, limiter, plan, render, bodyBytesMax })
  const dialectPorts = { ...sending, ...access.forDialects, triggers, wallMs: Date.now }
  const cloud = cloudOf(data, { writer, access, directory, settings: () => settings })
  const server: Server = startServer({
    ...{ config, writer, limiter, plan, log, listener: data.listener },
    credentials: access.credentials,
    routes: withDescription(data.publicUrl, [
      ...messageRoutes(sending),
      ...readingRoutes(database, { numbers, webhooks, plan }),
      ...webhookRoutes({ writer, webhooks, numbers, pool, wallMs: Date.now }),
      ...triggerRoutes(triggers),
      ...dialectRoutes(config.dialects.enabled, dialectPorts),
      ...notificationRoutes({ writer, judgeTarget, deliveries: openDeliveryReader(database) }),
      ...[...twoFactorRoutes({ writer, numbers }), ...deviceRoutes({ writer, phones })],
      ...[...access.routes, ...healthRoutes({ writer }), ...cloud.routes],
      ...authorityRoutes({ readAuthority: () => readAuthority(directory) }),
      ...statusRoutes({ ...data, writer, version: VERSION, wallMs: Date.now }),
      ...[...liveRoutes(), ...assetRoutes({ writer, settings: () => settings }), ...senderRoutes(data)],
      ...metricsRoutes({ readMetrics: () => metrics.readAll() }),
    ]),
    listening: refused => tell(refused === null ? { kind: 'listening' } : { kind: 'refused', port: refused }),
  })
  dieCleanly(server, tell)
  writeCompileCacheLater()
  port.on('message', async (control: ListenerControl) => {
    if (metrics.take(control, server)) return
    if (control.kind === 'reconfigure') {
      settings = settingsHere(control.config, data.publicUrl)
      phones.reconfigure(control.config)
      Object.assign(policy, targetPolicyOf(control.config))
      Object.assign(bodyBytesMax, alertBytesMax(control.config))
      const fault = await server.reconfigure(control.config)
      return tell({ kind: 'reconfigured', id: control.id, fault })
    }
    server.drain() // For `drain` and for `stop`.
    if (control.kind === 'drain') return
    metrics.stop()
    await server.stop()
    for (const one of [writer, pool, database, cloud]) one.close()
    tell({ kind: 'stopped' })
    port.close()
  })
}

interface ReadingPorts extends Pick<TextPorts, 'numbers' | 'plan'> {
  readonly webhooks: ReturnType<typeof openWebhookReader>
}

/** The routes that only read the database. */
function readingRoutes(database: ReturnType<typeof openReadOnly>, ports: ReadingPorts): Route[] {
  const { numbers, webhooks, plan } = ports
  return [
    ...inboxRoutes({ inbox: openInboxReader(database), numbers }),
    ...usageDayRoutes({ dayCounts: openDayCountReader(database), wallMs: Date.now }),
    ...seenTriggerRoutes({ webhooks, seenTriggers: openSeenTriggerReader(database), wallMs: Date.now }),
    ...accountRoutes({ plan, usage: openUsageReader(database), wallMs: Date.now }),
  ]
}

/** The routes that serve built files. */
function assetRoutes(ports: Omit<PairingPorts, 'agentFile'>): Route[] {
  const assets = openAssets()
  return [...pairingRoutes({ ...ports, ...assets }), ...consoleRoutes(assets)]
}

/** Bytes that a request body may have, at the address of an existing webhook and at any other address. */
function alertBytesMax({ webhooks, http }: Config) {
  return { known: webhooks.body_bytes_max, unknown: http.body_bytes_max }
}

/** Connects to the writer, and passes its orders and news to the sockets of this listener. */
function openWriter(
  { writer }: ListenerData,
  parts: () => { readonly server: Server; readonly cloud: Cloud },
): WriterClient {
  return new WriterClient(
    writer,
    effects => {
      const { server, cloud } = parts()
      for (const one of [server, cloud]) one.apply(effects)
    },
    news => parts().server.live.apply(news),
  )
}

interface CloudParts {
  readonly writer: Writer
  readonly access: ReturnType<typeof openAccess>
  readonly directory: DataDirectory
  readonly settings: () => Settings
}

function cloudOf({ listener, publicUrl }: ListenerData, parts: CloudParts): Cloud {
  const { writer, access, directory, settings } = parts
  return openCloud({
    ...{ listener, publicUrl, writer, reader: access.credentials.reader },
    key: loadSecret(directory.codeKey),
    offlineAfterMs: () => settings().offlineAfterMs,
    wallMs: Date.now,
  })
}

function triggersOf(ports: Omit<TriggerPorts, 'journal' | 'wallMs'>): Triggers {
  return openTriggers({ ...ports, journal: new TriggerJournal(ports.writer, ports.render), wallMs: Date.now })
}

/** Finds a plan by its name. A plan that is no longer configured is treated as `free`. */
function planIn(settings: () => Settings): (name: string) => Plan {
  return name => {
    const found = settings().plan(name) ?? settings().plan('free')
    if (found === undefined) throw new Error('the plan free is missing, although it is built in')
    return found
  }
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
