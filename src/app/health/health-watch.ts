/**
 * Reports the state of the machine to the writer at intervals, which makes the writer check the health rules.
 */

import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { afterMs } from '#app/clock.ts'
import { readCertificateFacts, readDiskFacts } from '#app/health/read-machine.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { MachineFacts } from '#contracts/health.ts'

const TIMEDATECTL_MS_MAX = 3_000
/** systemd-timesyncd touches this file each time that it has corrected the clock. */
const TOUCHED_FILE = '/run/systemd/timesync/synchronized'

/** Interval at which the health rules run. */
export const HEALTH_CHECK_EVERY_MS = 5_000
/** Interval at which the main thread reads certificates. The room on the disk is read for each check. */
const CERTIFICATE_READ_EVERY_MS = 60_000
/** Interval at which the machine is asked about its clock, while the writer is in doubt. */
const CLOCK_ASKED_EVERY_MS = 15_000

export interface HealthWatchPorts {
  readonly config: Config
  readonly writer: Writer
  readonly backups: { readonly failure: MachineFacts['backup']; onChange: () => void }
  readonly checks: { readonly damage: MachineFacts['damage']; onChange: () => void }
  /** What is known of the cluster; null: the gateway is in none. */
  readonly cluster: { facts(): MachineFacts['cluster'] } | null
  readonly timeServer?: Pick<TimeServer, 'isSynchronised'>
  readonly monoMs?: () => number
  /** A timer that fires once; returns a function that cancels it. Default: `setTimeout`. */
  readonly after?: typeof afterMs
}

export class HealthWatch {
  readonly #ports: Required<Omit<HealthWatchPorts, 'config'>>
  #config: Config
  #certificate: MachineFacts['certificate'] = null
  #readAt = Number.NEGATIVE_INFINITY
  #clockAskedAt = Number.NEGATIVE_INFINITY
  #cancel = () => {}
  #stopped = false

  constructor({ config, ...ports }: HealthWatchPorts) {
    const timeServer = new TimeServer()
    this.#ports = { monoMs: () => performance.now(), after: afterMs, timeServer, ...ports }
    this.#config = config
  }

  start(): void {
    const { backups, checks } = this.#ports
    for (const part of [backups, checks]) part.onChange = () => void this.#report()
    void this.#check()
  }

  /** The next check uses this configuration. */
  async reconfigure(config: Config): Promise<null> {
    this.#config = config
    this.#readAt = Number.NEGATIVE_INFINITY
    return null
  }

  stop(): void {
    this.#stopped = true
    this.#cancel()
  }

  async #check(): Promise<void> {
    const { monoMs, after } = this.#ports
    if (monoMs() - this.#readAt >= CERTIFICATE_READ_EVERY_MS) {
      this.#certificate = readCertificateFacts(this.#config)
      this.#readAt = monoMs()
    }
    await this.#report()
    if (!this.#stopped) this.#cancel = after(() => void this.#check(), HEALTH_CHECK_EVERY_MS)
  }

  /** Ignores a refusal by a writer that is stopping or whose disk is full: the next report comes soon. */
  async #report(): Promise<void> {
    const { writer, backups, checks, cluster } = this.#ports
    const machine = {
      backup: backups.failure,
      certificate: this.#certificate,
      cluster: cluster?.facts() ?? null,
      damage: checks.damage,
      disk: readDiskFacts(this.#config.data_dir),
    }
    const answer = await writer.ask('health.check', machine).catch(() => null)
    if (answer?.isClockInDoubt === true) await this.#confirmClock()
  }

  /** A clock that a time server keeps is right, however far it jumped. */
  async #confirmClock(): Promise<void> {
    const { writer, timeServer, monoMs } = this.#ports
    if (monoMs() - this.#clockAskedAt < CLOCK_ASKED_EVERY_MS) return
    this.#clockAskedAt = monoMs()
    if (await timeServer.isSynchronised()) await writer.ask('clock.confirm', {}).catch(() => {})
  }
}

interface TimeServerPorts {
  readonly file?: string
  /** What `timedatectl show` prints; null: it is not installed, or does not answer. */
  readonly askTimedatectl?: () => Promise<string | null>
}

/** Whether the machine says that a time server keeps its clock right. */
export class TimeServer {
  readonly #ports: Required<TimeServerPorts>
  #touchedMs = 0

  constructor(ports: TimeServerPorts = {}) {
    this.#ports = { file: TOUCHED_FILE, askTimedatectl, ...ports }
  }

  /**
   * `timedatectl` knows it of any time service, and also that the clock was set by hand since. In a container
   * there may be only the file. It stays when the clock is set, so it counts again once it is touched again.
   */
  async isSynchronised(): Promise<boolean> {
    const { file, askTimedatectl } = this.#ports
    const answer = /^NTPSynchronized=(yes|no)$/m.exec((await askTimedatectl()) ?? '')?.[1]
    if (answer !== undefined) return answer === 'yes'
    const touchedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? this.#touchedMs
    const isTouched = touchedMs !== this.#touchedMs
    this.#touchedMs = touchedMs
    return isTouched
  }
}

function askTimedatectl(): Promise<string | null> {
  const args = ['show', '--property=NTPSynchronized']
  return new Promise(resolve => {
    execFile('timedatectl', args, { timeout: TIMEDATECTL_MS_MAX }, (error, stdout) =>
      resolve(error === null ? stdout : null),
    )
  })
}
