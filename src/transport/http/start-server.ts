import {
  App,
  type HttpResponse,
  SSLApp,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
} from 'uWebSockets.js'
import { setTimeout as pause } from 'node:timers/promises'
import { REQUEST_MS_MAX } from '#contracts/bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { Metric } from '#contracts/metrics.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import { type AddressRule, parseAddressRule } from '#domain/network/address-rules.ts'
import { DeviceSockets } from '#transport/device/roost/socket.ts'
import { connectionsMaxOf, readLimits } from '#transport/http/bound-connections.ts'
import { type Answered, HttpMetrics } from '#transport/http/http-metrics.ts'
import type { Route } from '#transport/http/route.ts'
import { type ServerPorts, serveRoutes } from '#transport/http/server.ts'

export interface StartPorts extends Pick<ServerPorts, 'credentials' | 'limiter' | 'plan' | 'log'> {
  readonly listener: number
  readonly config: Config
  readonly writer: Writer & { readonly waiting: number }
  readonly routes: readonly Route[]
  /** Another deadline than `REQUEST_MS_MAX`, for tests. */
  readonly requestMsMax?: number
  /** Another bound than the limit of file descriptors gives, for tests. */
  readonly connectionsMax?: number
  /** Called once: whether the port was to be had. */
  readonly listening: (bound: boolean) => void
}

export interface Server {
  readonly devices: DeviceSockets
  /** What was counted since the start. */
  metrics(): Metric[]
  /** No new connection and no new work; what runs is finished, phones may still report. */
  drain(): void
  /** Answers what waits, then closes everything. */
  stop(): Promise<void>
  /** Closes everything at once, whatever waits. */
  abort(): void
}

/** Opens the port with every route and the device sockets behind it. */
export function startServer(ports: StartPorts): Server {
  const { config, writer } = ports
  const app = openApp(config)
  // Otherwise every request would cost a message to the main thread, which throws it away.
  const isDebug = config.log.level === 'debug'
  let draining = false
  let listenSocket: us_listen_socket | null = null
  let exchanges = 0
  const metrics = new HttpMetrics()
  const shared = {
    trustedProxies: proxiesOf(config),
    tls: config.http.tls_cert_file !== '',
    anonymousCallsPerMinute: config.http.anonymous_calls_per_minute,
    limiter: metrics.counting(ports.limiter),
    log: ports.log,
    draining: () => draining,
  }
  const connectionsMax = ports.connectionsMax ?? connectionsMaxOf(readLimits(), config.http.listeners)
  const connectionClosed = boundConnections(app, connectionsMax)
  const devices = new DeviceSockets(app, {
    ...shared,
    closed: connectionClosed,
    listener: ports.listener,
    writer,
    reader: ports.credentials.reader,
    offlineAfterMs: config.devices.offline_after_s * 1000,
  })
  serveRoutes(app, ports.routes, {
    ...shared,
    credentials: ports.credentials,
    plan: ports.plan,
    bodyBytesMax: config.http.body_bytes_max,
    requestMsMax: ports.requestMsMax ?? REQUEST_MS_MAX,
    opened: () => {
      exchanges += 1
    },
    answered: answered => {
      exchanges -= 1
      metrics.answered(answered)
      if (isDebug) ports.log(lineOf(answered))
    },
  })
  app.listen(config.http.host, config.http.port, socket => {
    listenSocket = socket === false ? null : socket
    ports.listening(listenSocket !== null)
  })
  const drain = () => {
    draining = true
    if (listenSocket !== null) us_listen_socket_close(listenSocket)
    listenSocket = null
  }
  const abort = () => {
    drain()
    devices.close()
    app.close()
  }
  return {
    devices,
    metrics: () => metrics.read(),
    drain,
    abort,
    async stop() {
      drain()
      await settled(() => writer.waiting === 0 && exchanges === 0)
      abort()
    },
  }
}

function lineOf({ ms, ...answered }: Answered): LogEntry {
  return { level: 'debug', event: 'request', fields: { ...answered, ms: Math.round(ms * 1000) / 1000 } }
}

function proxiesOf({ http }: Config): readonly AddressRule[] {
  return http.trusted_proxies.flatMap(text => {
    const parsed = parseAddressRule(text)
    return parsed.ok ? [parsed.rule] : []
  })
}

function openApp(config: Config): TemplatedApp {
  const { tls_cert_file, tls_key_file } = config.http
  if (tls_cert_file === '') return App()
  return SSLApp({ cert_file_name: tls_cert_file, key_file_name: tls_key_file })
}

/**
 * Ends connections beyond the bound, which lies below the limit of file descriptors, at which the loop would
 * spin. The library tells of each that opens, and of each that closes, unless it was upgraded: that one's
 * close must be told by whoever upgraded it, by the function returned.
 */
function boundConnections(app: TemplatedApp, connectionsMax: number): () => void {
  let connections = 0
  const count = (res: HttpResponse, change: number): void => {
    connections += change
    if (change > 0 && connections > connectionsMax) res.close()
  }
  app.filter(count)
  return () => {
    connections -= 1
  }
}

/** How often a stopping listener looks whether everybody was answered, and how long. */
const LOOK_MS = 20
const LOOKS_MAX = 100

async function settled(isDone: () => boolean): Promise<void> {
  for (let looks = 0; !isDone() && looks < LOOKS_MAX; looks += 1) await pause(LOOK_MS)
}
