import { setTimeout as pause } from 'node:timers/promises'
import { REQUEST_MS_MAX } from '#contracts/bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { Metric } from '#contracts/metrics.ts'
import type { LogEntry, SocketEffect } from '#contracts/thread-frames.ts'
import { parseAddressBlock } from '#domain/network/address-block.ts'
import { DeviceSockets } from '#transport/device/roost/socket.ts'
import { EventStreams } from '#transport/device/smsgate-cloud/event-streams.ts'
import { ConnectionBound, connectionsMaxOf, readLimits } from '#transport/http/bound-connections.ts'
import { isTrustedPeer } from '#transport/http/client-address.ts'
import { type EndedExchange, HttpMetrics } from '#transport/http/http-metrics.ts'
import { ListenSockets } from '#transport/http/listen-sockets.ts'
import type { Route } from '#transport/http/route.ts'
import { serveRoutes } from '#transport/http/server.ts'
import type { ListenerSettings, ServerPorts } from '#transport/http/server-ports.ts'
import { LiveSockets } from '#transport/live/live-sockets.ts'

type SharedPorts = Pick<ServerPorts, 'credentials' | 'large' | 'leads' | 'limiter' | 'plan' | 'log'>

export interface StartPorts extends SharedPorts {
  readonly listener: number
  readonly config: Config
  readonly writer: Writer & { readonly waiting: number }
  readonly routes: readonly Route[]
  /** Time limit of a request, for tests. Default: `REQUEST_MS_MAX`. */
  readonly requestMsMax?: number
  /** Limit of connections, for tests. Default: by the limit of file descriptors. */
  readonly connectionsMax?: number
  /** Called once, with the port that could not be opened; null: all ports are open. */
  readonly listening: (refused: number | null) => void
}

export interface Server {
  /** Carries out orders to phones that the writer has committed. */
  apply(effects: readonly SocketEffect[]): void
  readonly live: Pick<LiveSockets, 'apply'>
  /** The metrics since the start. */
  metrics(): Metric[]
  /**
   * Applies a new configuration. Connections stay open. Returns what went wrong, or null.
   */
  reconfigure(config: Config): Promise<string | null>
  /**
   * Accepts no new connections and no new work. Requests in progress are finished, and phones may still
   * report.
   */
  drain(): void
  /** Answers pending requests, then closes everything. */
  stop(): Promise<void>
  /** Closes everything at once, even pending requests. */
  abort(): void
}

/** Opens the ports, with all routes, device sockets, event streams and live sockets. */
export function startServer(ports: StartPorts): Server {
  let { config } = ports
  let settings = settingsOf(config, sayUnreadable(ports))
  let draining = false
  const metrics = new HttpMetrics()
  const connections = limitConnections(ports, remote => isTrustedPeer(remote, settings.trustedProxies))
  const shared = {
    limiter: metrics.countingRefusals(ports.limiter),
    log: ports.log,
    draining: () => draining,
    settings: () => settings,
  }
  const devicePorts = {
    ...shared,
    ...socketParts(ports),
    admitted: (remote: ArrayBuffer) => connections.rememberPhone(remote),
    closed: () => connections.closed(),
  }
  const exchanges = countExchanges(answered => {
    metrics.answered(answered)
    // Checked here, because each log line costs a message to the main thread.
    if (config.log.level === 'debug') ports.log(logEntryOf(answered))
  })
  const routePorts = {
    ...shared,
    credentials: ports.credentials,
    plan: ports.plan,
    leads: ports.leads,
    large: ports.large,
    requestMsMax: ports.requestMsMax ?? REQUEST_MS_MAX,
    ...exchanges.ports,
  }
  const devices = new DeviceSockets(devicePorts)
  const streams = new EventStreams(devicePorts)
  const live = new LiveSockets(devicePorts)
  const parts = [devices, streams, live]
  const listenSockets = new ListenSockets((app, isTls) => {
    connections.watch(app)
    for (const part of parts) part.serve(app)
    serveRoutes({ app, isTls }, ports.routes, routePorts)
  })
  ports.listening(listenSockets.open(config))
  const drain = () => {
    draining = true
    listenSockets.shut()
  }
  const abort = () => {
    drain()
    for (const part of parts) part.close()
    listenSockets.close()
  }
  return {
    apply: effects => applyAll([devices, streams], effects),
    live,
    metrics: () => metrics.read(),
    drain,
    abort,
    async reconfigure(newConfig) {
      config = newConfig
      settings = settingsOf(newConfig, sayUnreadable(ports))
      return draining ? null : listenSockets.renewCertificate(newConfig)
    },
    async stop() {
      drain()
      await waitUntil(() => ports.writer.waiting === 0 && exchanges.open() === 0)
      abort()
    },
  }
}

function applyAll(parts: readonly Pick<Server, 'apply'>[], effects: readonly SocketEffect[]): void {
  for (const part of parts) part.apply(effects)
}

function limitConnections(
  { config, connectionsMax, log }: StartPorts,
  isTrusted: (remote: ArrayBuffer) => boolean,
) {
  const { listeners } = config.http
  const max = connectionsMax ?? connectionsMaxOf(readLimits(), listeners)
  return new ConnectionBound({ connectionsMax: max, listeners, isTrusted, log })
}

/** Counts the requests in progress. */
function countExchanges(ended: (answered: EndedExchange) => void) {
  let open = 0
  return {
    open: () => open,
    ports: {
      opened: () => {
        open += 1
      },
      answered: (answered: EndedExchange) => {
        open -= 1
        ended(answered)
      },
    },
  }
}

/** What device sockets, event streams and live sockets use of the listener. */
function socketParts({ listener, writer, credentials, config }: StartPorts) {
  return { listener, writer, credentials, reader: credentials.reader, publicUrl: config.public_url }
}

/** Says once what a trusted proxy wrote about its caller and the gateway cannot read. */
function sayUnreadable({ log, writer }: StartPorts): (text: string) => void {
  let isSaid = false
  return text => {
    if (isSaid) return
    isSaid = true
    const value = text.replace(/[^ -~]/g, '?').slice(0, UNREADABLE_LENGTH_MAX)
    log({ level: 'warn', event: 'http.forwarded_unreadable', fields: { value } })
    // For the doctor. A writer that refuses has worse problems.
    writer.ask('http.note-forwarded', { value }).catch(() => undefined)
  }
}

function settingsOf({ http, devices }: Config, unreadable: (text: string) => void): ListenerSettings {
  return {
    forwarded: http.forwarded,
    unreadable,
    trustedProxies: http.trusted_proxies.flatMap(text => {
      const parsed = parseAddressBlock(text)
      return parsed.ok ? [parsed.block] : []
    }),
    anonymousCallsPerMinute: http.anonymous_calls_per_minute,
    bodyBytesMax: http.body_bytes_max,
    offlineAfterMs: devices.offline_after_s * 1000,
  }
}

function logEntryOf({ ms, ...answered }: EndedExchange): LogEntry {
  return { level: 'debug', event: 'request', fields: { ...answered, ms: Math.round(ms * 1000) / 1000 } }
}

/** What a proxy wrote is cut to this length. */
const UNREADABLE_LENGTH_MAX = 100
/** A stopping listener checks at this interval whether all requests are answered. */
const CHECK_EVERY_MS = 20
/** After this many checks it closes the connections anyway. */
const CHECKS_MAX = 100

async function waitUntil(isDone: () => boolean): Promise<void> {
  for (let checks = 0; !isDone() && checks < CHECKS_MAX; checks += 1) await pause(CHECK_EVERY_MS)
}
