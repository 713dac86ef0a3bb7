/**
 * Reports to systemd: readiness, a status line, and watchdog messages. A watchdog message is sent only if the
 * writer has answered. If it has not committed anything for an hour, it must make a commit. So a busy gateway
 * writes nothing extra, and an idle one about 30 KB an hour.
 */
import { afterMs } from '#app/clock.ts'
import type { SystemdConnection } from '#app/service/connect-systemd.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Migrating } from '#contracts/thread-frames.ts'
import { count } from '#domain/words.ts'

/** How often the status line is updated; systemd gets only changed lines. */
const STATUS_EVERY_MS = 15_000
/** An idle writer proves this often that it can commit. */
const COMMIT_PROVEN_EVERY_MS = 3_600_000
/** During a migration, each extension sets the start timeout to this time from now. */
const START_EXTENDED_MS = 120_000
/** Time between two extensions of the start timeout. */
const START_EXTENDED_EVERY_MS = 30_000
/** The extensions end after this time. A longer migration has probably hung, and systemd may end it. */
const MIGRATION_MS_MAX = 6 * 3_600_000

export interface ServiceReportPorts {
  /** Null: systemd did not start this process. */
  readonly systemd: SystemdConnection | null
  /** A counter that grows with each commit. */
  readonly commits: () => number
  readonly monoMs?: () => number
  /** A timer that fires once; returns a function that cancels it. Default: `setTimeout`. */
  readonly after?: typeof afterMs
}

export class ServiceReport {
  readonly #ports: Required<ServiceReportPorts>
  readonly #timers = new Map<string, () => void>()
  #writer: Writer | null = null
  #commits = 0
  /** When the last commit was noticed, milliseconds of the monotonic clock. */
  #committedAtMs = Number.NEGATIVE_INFINITY
  #status = ''
  /** A sentence for the status line: what the owner has to do after a reload; null: nothing. */
  #advice: string | null = null
  #ended = false

  constructor(ports: ServiceReportPorts) {
    const monoMs = () => Number(process.hrtime.bigint() / 1_000_000n)
    this.#ports = { monoMs, after: afterMs, ...ports }
  }

  /** Reports the progress of a migration, and extends the start timeout. */
  migrating({ step, steps, percent }: Omit<Migrating, 'kind'>): void {
    const share = percent === 0 ? '' : `, ${percent} %`
    this.#setStatus(`Bringing the database up to date: step ${step} of ${steps}${share}`)
    if (this.#ports.systemd !== null && !this.#timers.has('start')) this.#extendStart(MIGRATION_MS_MAX)
  }

  /**
   * Reports that the gateway stands by and another one leads its cluster. `describe` returns the status line;
   * null: this process hangs.
   */
  standBy(describe: () => string | null): void {
    const { systemd } = this.#ports
    if (systemd === null) return
    systemd.notify('READY=1')
    const beat = () => {
      const sentence = describe()
      if (sentence !== null) {
        this.#setStatus(sentence)
        systemd.notify('WATCHDOG=1')
      }
      this.#arm('beat', systemd.watchdogMs ?? STATUS_EVERY_MS, beat)
    }
    beat()
  }

  /** Reports that the gateway accepts requests. */
  ready(writer: Writer): void {
    this.#cancel('start')
    this.#writer = writer
    const { systemd } = this.#ports
    if (systemd === null) return
    systemd.notify('READY=1')
    this.#updateStatus()
    if (systemd.watchdogMs !== null) void this.#beat(systemd, systemd.watchdogMs)
  }

  /** Reports that a reload begins; `reloaded` must follow. */
  reloading(): void {
    this.#ports.systemd?.notify('RELOADING=1', `MONOTONIC_USEC=${this.#ports.monoMs() * 1000}`)
  }

  /**
   * Reports the end of a reload. `sentence`: what the owner has to do, shown until the next reload; null:
   * nothing.
   */
  reloaded(sentence: string | null): void {
    this.#advice = sentence
    this.#ports.systemd?.notify('READY=1')
    this.#updateStatus()
  }

  /** Reports that the gateway stops after a signal. */
  stopping(): void {
    this.#end()
    this.#ports.systemd?.notify('STOPPING=1', 'STATUS=Stopping')
  }

  /** Reports that the gateway ends for this reason; `systemctl status` shows it. */
  failed(reason: string): void {
    this.#end()
    this.#ports.systemd?.notify(`STATUS=Failed: ${reason}`)
  }

  #end(): void {
    this.#ended = true
    for (const name of [...this.#timers.keys()]) this.#cancel(name)
  }

  #extendStart(leftMs: number): void {
    if (leftMs <= 0) return
    this.#ports.systemd?.notify(`EXTEND_TIMEOUT_USEC=${START_EXTENDED_MS * 1000}`)
    this.#arm('start', START_EXTENDED_EVERY_MS, () => this.#extendStart(leftMs - START_EXTENDED_EVERY_MS))
  }

  async #beat(systemd: SystemdConnection, everyMs: number): Promise<void> {
    const { commits, monoMs } = this.#ports
    const isOld = monoMs() - this.#committedAtMs >= COMMIT_PROVEN_EVERY_MS
    const isCommitDue = isOld && commits() === this.#commits
    // The next message is scheduled after this answer, so no message is sent while the writer hangs.
    const asked = this.#writer?.ask(isCommitDue ? 'gateway.check' : 'gateway.state', {})
    const hasAnswered = await asked?.then(
      () => true,
      () => false,
    )
    if (this.#ended) return
    const hasCommitted = commits() !== this.#commits
    if (hasCommitted) this.#committedAtMs = monoMs()
    if (hasCommitted || (hasAnswered && !isCommitDue)) systemd.notify('WATCHDOG=1')
    this.#commits = commits()
    this.#arm('beat', everyMs, () => void this.#beat(systemd, everyMs))
  }

  #updateStatus(): void {
    if (this.#ports.systemd === null) return
    this.#cancel('status')
    const update = async () => {
      const state = await this.#writer?.ask('gateway.state', {}).catch(() => null)
      if (this.#ended) return
      if (state != null) {
        const { devicesOnline, waiting, critical } = state
        const phones = count(devicesOnline, 'phone', 'phones')
        const messages = count(waiting, 'message', 'messages')
        const sentences = [`${phones} connected, ${messages} waiting`, critical, this.#advice]
        this.#setStatus(sentences.filter(sentence => sentence !== null).join('. '))
      }
      this.#arm('status', STATUS_EVERY_MS, () => void update())
    }
    void update()
  }

  #setStatus(sentence: string): void {
    if (sentence === this.#status) return
    this.#status = sentence
    this.#ports.systemd?.notify(`STATUS=${sentence}`)
  }

  #arm(name: string, ms: number, run: () => void): void {
    this.#cancel(name)
    this.#timers.set(name, this.#ports.after(run, ms))
  }

  #cancel(name: string): void {
    this.#timers.get(name)?.()
    this.#timers.delete(name)
  }
}
