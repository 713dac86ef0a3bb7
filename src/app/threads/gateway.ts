/**
 * Runs the gateway: takes the lock, starts and connects the threads, and stops them in order. `runGateway`
 * shows the whole sequence.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { CertificateKeeper, type CertificateKeeperPorts } from '#app/certificate/keep-certificate.ts'
import type { Leader } from '#app/cluster/leader.ts'
import { runningAt, setupInvitation, setupUrl, welcome } from '#app/commands/welcome.ts'
import { writeCompileCacheLater } from '#app/compile-cache.ts'
import { withPorts } from '#app/config/find-port.ts'
import { localUrlOf, publicUrlOf } from '#app/config/public-url.ts'
import { type GatewayAbout, serveControl } from '#app/control/control-socket.ts'
import { announceGateway } from '#app/discovery/announce-gateway.ts'
import { explain, sentenceOf } from '#app/explain-failure.ts'
import { type HomeAssistantPorts, startHomeAssistant } from '#app/home-assistant/start-home-assistant.ts'
import type { Log } from '#app/log.ts'
import { MetricsCollector } from '#app/metrics/collect-metrics.ts'
import { Reloader, type ReloaderPorts } from '#app/service/reloader.ts'
import { ServiceReport } from '#app/service/service-report.ts'
import { Closer } from '#app/threads/closer.ts'
import { DatabaseChecks } from '#app/threads/database-checks.ts'
import { entryFile } from '#app/threads/entries.ts'
import type { GatewayOptions } from '#app/threads/gateway-options.ts'
import { ListenerThreads } from '#app/threads/listener-threads.ts'
import { NightlyBackups } from '#app/threads/nightly-backups.ts'
import { startPhones } from '#app/threads/reached-phones.ts'
import { logFailure, logStopped, reportEnd } from '#app/threads/report-end.ts'
import { startNotifications } from '#app/threads/start-notifications.ts'
import { isClustered, takeDirectory } from '#app/threads/take-directory.ts'
import { watchHealth } from '#app/threads/watch-health.ts'
import { WriterThread } from '#app/threads/writer-thread.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { Migrating } from '#contracts/thread-frames.ts'
import { VERSION } from '#contracts/version.ts'
import { Problem } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import { PoolHost } from '#pool/pool-host.ts'
import { createGenerationBuffer, openGeneration } from '#rate-limit/generation.ts'
import { createLimiterBuffer } from '#rate-limit/limiter.ts'
import type { DataDirectory } from '#storage/data-directory.ts'

/** How long a stopping gateway waits for the reports of phones that hold a `go`. */
const STOP_MS_MAX = 10_000

function reportMigration(report: ServiceReport, log: Log, { step, steps, percent }: Migrating): void {
  report.migrating({ step, steps, percent })
  log.write('info', 'database.migrating', { step, steps, percent })
}

/** Runs the gateway until a stop signal or a failure. Returns the exit code. */
export async function runGateway(options: GatewayOptions): Promise<number> {
  const { log } = options
  const closer = new Closer()
  const startedAt = instant(Date.now())
  const { report, commits } = startReport(options)
  try {
    const directory = await takeDirectory(options, closer)
    const config = await withPorts(options.config)
    const [publicUrl, url] = [publicUrlOf(config), localUrlOf(config)]
    const about = () => ({ version: VERSION, pid: process.pid, startedAt, url, publicUrl })
    const leading = { config, directory, log, report, about, stop: options.stop }
    const cluster = isClustered(config)
      ? await (await import('#app/cluster/lead-cluster.ts')).leadCluster(leading, closer)
      : null
    const ended =
      cluster === 'stopped'
        ? 'stop'
        : await serveGateway(options, { directory, config, about, cluster, report, commits, closer })
    await closer.close()
    return logStopped(ended, log)
  } catch (error) {
    report.failed(sentenceOf(error))
    await closer.close().catch(() => {})
    return logFailure(log, error)
  }
}

interface Serving {
  readonly directory: DataDirectory
  /** With the ports that were found. */
  readonly config: Config
  readonly about: () => GatewayAbout
  /** What leads the cluster; null: the gateway is in none. */
  readonly cluster: Leader | null
  readonly report: ServiceReport
  readonly commits: SharedArrayBuffer
  readonly closer: Closer
}

/** Starts and connects all threads, and stops them in order. Returns why it ended. */
async function serveGateway(options: GatewayOptions, serving: Serving): Promise<string> {
  const { log, entries, early } = options
  const { directory, config, about, cluster, report, commits, closer } = serving
  const { publicUrl, url, startedAt } = about()
  const credentials = createGenerationBuffer()
  const leadership = cluster?.writer.leadership ?? null
  const shared = { config, publicUrl, credentials }
  const writerThread = new WriterThread({
    ...shared,
    commits,
    cluster: cluster?.writer ?? null,
    log,
    entry: entries?.writer,
    early,
  })
  writerThread.onMigrating = progress => reportMigration(report, log, progress)
  closer.add('writer', () => writerThread.stop())
  const writer = writerThread.attach(0)
  const pool = startPool(options, closer)
  const checks = new DatabaseChecks({ config, log })
  const backups = new NightlyBackups({ config, log, damaged: cause => checks.noteDamage(cause) })
  for (const part of [checks, backups]) closer.add('backups', () => part.stop())

  const metrics = new MetricsCollector({
    pool,
    writer: writerThread,
    backups,
    cluster,
    listeners: () => listeners,
  })
  closer.add('metrics', () => metrics.stop())

  const listeners = new ListenerThreads({
    allMetrics: () => metrics.collect(),
    data: { ...shared, startedAt, limiter: createLimiterBuffer(), leadership },
    cluster,
    writerThread,
    pool,
    log,
    entry: entries?.listener,
    early,
  })
  closer.add('listeners', () => listeners.stop())
  const keeper = keepCertificate({ config, log, listeners, writerThread }, closer)
  await keeper.renewBeforeStart()
  const opened = openDatabase(writerThread, writer, log).then(async firstStart => {
    // Before the port opens: then clients may send commands, and all senders their alerts, at once.
    const control = await serveControl(directory.controlSocket, { writer, about, keeper, cluster })
    closer.add('control socket', () => control.close())
    await pool.ready
    return firstStart
  })
  // The threads load their code in parallel.
  const [{ first, setup }] = await Promise.all([opened, listeners.start(config.http.listeners, opened)])
  const notifications = startNotifications({ config, log, writer, pool, writerThread, cluster })
  closer.add('notifications', () => notifications.stop())
  const phones = startPhones({ config, log, writer, writerThread, entry: entries?.phone, leadership }, closer)
  await announce({ config, publicUrl, database: directory.database, writer, writerThread, log }, closer)
  greet(options.say, { first, setup }, about())
  log.write('info', 'listening', { url, listeners: config.http.listeners })
  options.onReady?.(url, writer)
  for (const part of [checks, keeper]) part.start()
  const health = await watchHealth({ config, writer, writerThread, log, backups, checks, cluster }, closer)
  const parts = [writerThread, keeper, listeners, notifications, phones, ...health]
  becomeReady(options, { writer, report, running: config, parts })
  const ended = await Promise.race([aborted(options.stop), listeners.failed, endOf(writerThread, cluster)])
  reportEnd(ended, { log, report })
  if (ended === 'stop') await drain({ log, writer, writerThread, listeners })
  return ended
}

/** Resolves with the reason when the writer has failed, or its disk is full and another member could lead. */
function endOf(writerThread: WriterThread, cluster: Leader | null): Promise<string> {
  if (cluster === null) return writerThread.failed
  const { promise, resolve } = Promise.withResolvers<string>()
  cluster.onReplaceable = () => {
    if (writerThread.isDiskFull) resolve('the disk is full: another gateway of the cluster goes on')
  }
  return Promise.race([writerThread.failed, promise])
}

/** Tells the network and Home Assistant about the gateway. */
async function announce(ports: HomeAssistantPorts, closer: Closer): Promise<void> {
  closer.add('announcement', await announceGateway(ports.config, ports.log))
  closer.add('home assistant', await startHomeAssistant(ports))
}

interface KeeperParts extends Pick<CertificateKeeperPorts, 'config' | 'log'> {
  readonly listeners: ListenerThreads
  readonly writerThread: WriterThread
}

/** Makes the certificate keeper. Until its `start`, it loads no certificate. */
function keepCertificate(
  { listeners, writerThread, ...ports }: KeeperParts,
  closer: Closer,
): CertificateKeeper {
  // The writer tells pairing devices which certificate authority to trust, and a new certificate may come
  // from a new authority.
  const serve = async (config: Config) =>
    (await listeners.reconfigure(config)) ?? (await writerThread.reconfigure(config))
  const keeper = new CertificateKeeper({ ...ports, serve })
  closer.add('certificate', () => keeper.stop())
  return keeper
}

function startReport({ service = null }: GatewayOptions) {
  const commits = createGenerationBuffer()
  const counted = openGeneration(commits)
  return { commits, report: new ServiceReport({ systemd: service, commits: () => counted.current() }) }
}

interface RunningParts extends Pick<ReloaderPorts, 'parts'> {
  readonly writer: Writer
  readonly report: ServiceReport
  /** The configuration in force. */
  readonly running: Config
}

/** Reports readiness. From now on, systemd gets the status and may request a reload. */
function becomeReady(options: GatewayOptions, { report, parts, running, writer }: RunningParts): void {
  const { reload: source, config: read, log } = options
  writeCompileCacheLater()
  report.ready(writer)
  if (source === undefined) return
  const reloader = new Reloader({ source, log, report, parts }, { read, running })
  source.onRequest(() => void reloader.reload())
}

function startPool({ config, entries, log }: GatewayOptions, closer: Closer): PoolHost {
  const pool = new PoolHost({
    file: entries?.pool ?? entryFile('pool'),
    threads: config.pool.threads,
    faulted: (task, error) => {
      const event = task === null ? 'pool.thread_failed' : 'pool.task_failed'
      log.write('error', event, { task, cause: explain(error) })
    },
  })
  closer.add('pool', () => pool.close())
  return pool
}

/** Waits for the database, then makes account and setup link. @throws when the database cannot be opened */
async function openDatabase(writerThread: WriterThread, writer: Writer, log: Log) {
  const { lost, copied } = await writerThread.ready
  if (lost !== null)
    log.write('error', 'database.commits_lost', {
      ended: 'open messages and all account tokens',
      commits: lost.commits,
      messages: lost.messages,
    })
  if (copied !== null) log.write('warn', 'database.copied', { ended: 'open messages', messages: copied })
  const first = await writer.ask('gateway.first-start', {})
  // The gateway starts even if the disk is full, to serve requests that write nothing.
  const setup = await writer.ask('setup.create-token', {}).catch(error => {
    if (error instanceof Problem && error.code === 'SERVICE_UNAVAILABLE') return null
    throw error
  })
  return { first, setup }
}

type Opened = Awaited<ReturnType<typeof openDatabase>>

/** Prints the addresses, the sandbox key of a first start, and the setup link while there is no password. */
function greet(say: GatewayOptions['say'], { first, setup }: Opened, about: GatewayAbout): void {
  const { url, publicUrl } = about
  say(runningAt({ url, publicUrl }), {})
  if (first !== null) say(welcome(url, first), { sandboxKey: first.testKey })
  if (setup === null) return
  const link = setupUrl(publicUrl, setup.token)
  say(setupInvitation(link), { setupUrl: link })
}

interface Draining {
  readonly log: Log
  readonly writer: Writer
  readonly writerThread: WriterThread
  readonly listeners: ListenerThreads
}

/** Refuses new work, and waits at most STOP_MS_MAX for phones to report messages that they are sending. */
async function drain({ log, writer, writerThread, listeners }: Draining): Promise<void> {
  log.write('info', 'stopping', {})
  listeners.drain()
  writerThread.drain()
  const until = performance.now() + STOP_MS_MAX
  for (;;) {
    const { sending } = await writer.ask('gateway.state', {})
    if (sending === 0 || performance.now() >= until) return
    log.write('info', 'gateway.waiting_for_reports', { sending })
    await pause(200)
  }
}

function aborted(signal: AbortSignal): Promise<'stop'> {
  return new Promise(resolve => {
    if (signal.aborted) resolve('stop')
    else signal.addEventListener('abort', () => resolve('stop'), { once: true })
  })
}
