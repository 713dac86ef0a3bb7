/**
 * Makes a backup each night. The names of existing backups show whether one is due. So a backup that was
 * missed, because the machine was off or a disk was not mounted, is made later, and a restart makes no second
 * one.
 */

import { resolve } from 'node:path'
import { afterMs } from '#app/clock.ts'
import type { Log } from '#app/log.ts'
import { isDamaged } from '#app/threads/database-checks.ts'
import { findNewestBackup } from '#app/threads/find-newest-backup.ts'
import { UpkeepThread } from '#app/threads/upkeep-thread.ts'
import type { Config } from '#contracts/config.ts'
import type { MachineFacts } from '#contracts/health.ts'
import type { Metric } from '#contracts/metrics.ts'
import type { NightlyBackupTask } from '#contracts/thread-frames.ts'
import { backupName, lastDueAt } from '#domain/backup/backup-schedule.ts'
import { messageOf } from '#domain/cause.ts'
import { gauge } from '#domain/metrics/describe-metric.ts'

/** How often the gateway checks whether the nightly backup is due. */
export const BACKUP_CHECK_EVERY_MS = 60_000
/** A failed nightly backup is tried again after an hour: a full or missing disk takes time to fix. */
export const BACKUP_RETRY_MS = 3_600_000

export interface NightlyBackupsPorts {
  readonly config: Config
  readonly log: Log
  /** Called with the reason when a backup finds that the database is damaged. */
  readonly damaged?: (cause: string) => void
  readonly wallMs?: () => number
  /** A timer that fires once; returns a function that cancels it. Default: `setTimeout`. */
  readonly after?: typeof afterMs
  /** Makes one backup. Default: in a thread of its own. */
  readonly make?: (task: NightlyBackupTask) => Promise<void>
}

export class NightlyBackups {
  /** Called after each backup, whether it succeeded or failed. */
  onChange: () => void = () => {}
  readonly #ports: Required<Omit<NightlyBackupsPorts, 'config' | 'make'>>
  readonly #make: (task: NightlyBackupTask) => Promise<void>
  #config: Config
  #cancel = () => {}
  readonly #thread = new UpkeepThread()
  #running: Promise<void> | null = null
  #isStarted = false
  #stopped = false
  #failure: MachineFacts['backup'] = null
  #triedAt = Number.NEGATIVE_INFINITY
  #madeAt: number | null = null

  constructor({ config, make, ...ports }: NightlyBackupsPorts) {
    this.#ports = { wallMs: Date.now, after: afterMs, damaged: () => {}, ...ports }
    this.#make = make ?? (task => this.#thread.run(task))
    this.#config = config
  }

  start(): void {
    this.#isStarted = true
    this.#check()
  }

  /** Looks at once whether a backup is due by this configuration. */
  async reconfigure(config: Config): Promise<null> {
    this.#config = config
    this.#triedAt = Number.NEGATIVE_INFINITY
    if (!this.#isStarted || this.#stopped) return null
    this.#cancel()
    this.#check()
    return null
  }

  /** Since when backups have been failing, and the last reason; null: the last one succeeded. */
  get failure(): MachineFacts['backup'] {
    return this.#config.backup.dir === '' ? null : this.#failure
  }

  metrics(): Metric[] {
    const { dir } = this.#config.backup
    if (dir === '') return []
    return [
      gauge(
        { name: 'roost_backup_failed', help: '1 while nightly backups fail.' },
        Number(this.#failure !== null),
      ),
      gauge(
        { name: 'roost_backup_timestamp_seconds', help: 'When the newest nightly backup was made; 0: none.' },
        Math.floor((this.#madeAt ?? 0) / 1000),
      ),
    ]
  }

  /** Cancels a backup in progress; it leaves no file under its final name. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancel()
    await this.#thread.stop()
    await this.#running
  }

  #check(): void {
    if (this.#running === null && this.#isDue())
      this.#running = this.#backUp().finally(() => {
        this.#running = null
      })
    this.#cancel = this.#ports.after(() => this.#check(), BACKUP_CHECK_EVERY_MS)
  }

  #isDue(): boolean {
    const { dir, second_dir, at } = this.#config.backup
    if (dir === '') return false
    const wallMs = this.#ports.wallMs()
    // After the clock was set back, retry at once.
    if (wallMs >= this.#triedAt && wallMs - this.#triedAt < BACKUP_RETRY_MS) return false
    const newest = [dir, second_dir].filter(path => path !== '').map(findNewestBackup)
    this.#madeAt = newest[0] ?? null
    return newest.some(madeAt => madeAt === null || madeAt < lastDueAt(wallMs, at))
  }

  async #backUp(): Promise<void> {
    const { log, wallMs } = this.#ports
    const { backup, data_dir } = this.#config
    const now = wallMs()
    this.#triedAt = now
    // Only the second folder may lack tonight's backup.
    const newest = findNewestBackup(backup.dir) ?? Number.NEGATIVE_INFINITY
    const name = backupName(newest >= lastDueAt(now, backup.at) ? newest : now)
    try {
      await this.#make({
        kind: 'backup',
        dataDir: data_dir,
        dir: resolve(backup.dir),
        secondDir: backup.second_dir === '' ? '' : resolve(backup.second_dir),
        name,
        kept: { days: backup.keep_days, weeks: backup.keep_weeks },
      })
    } catch (error) {
      if (this.#stopped) return
      const cause = messageOf(error)
      if (isDamaged(error)) this.#ports.damaged(cause)
      this.#failure = { failedSince: this.#failure?.failedSince ?? now, cause }
      this.onChange()
      log.write('error', 'backup.failed', { cause, retryInMinutes: BACKUP_RETRY_MS / 60_000 })
      return
    }
    this.#failure = null
    this.onChange()
    this.#madeAt = now
    this.#triedAt = Number.NEGATIVE_INFINITY
    log.write('info', 'backup.made', { file: resolve(backup.dir, name) })
  }
}
