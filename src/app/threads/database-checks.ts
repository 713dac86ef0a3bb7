/**
 * Checks the database for damage, such as pages that a dying SD card lost: a small one after each start, any
 * one at least once a week. A check reads the whole file, in a thread of its own.
 */
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { afterMs } from '#app/clock.ts'
import type { Log } from '#app/log.ts'
import { UpkeepThread } from '#app/threads/upkeep-thread.ts'
import type { Config } from '#contracts/config.ts'
import type { MachineFacts } from '#contracts/health.ts'
import type { UpkeepTask } from '#contracts/thread-frames.ts'
import { messageOf } from '#domain/cause.ts'
import { DAY_MS } from '#domain/time.ts'
import { dataDirectory } from '#storage/data-directory.ts'

const EVERY_MS = 7 * DAY_MS
/** Whether a check is due is looked at this often, because `roost backup` may ask for one. */
const LOOKED_EVERY_MS = 60_000
/** A check that failed is repeated after this time. */
const RETRY_MS = 3_600_000
/** The check of such a file takes less than a second, even on an SD card that reads 100 MB/s. */
const CHECKED_AT_START_BYTES_MAX = 64_000_000

export interface DatabaseChecksPorts {
  readonly config: Config
  readonly log: Log
  readonly wallMs?: () => number
  /** A timer that fires once; returns a function that cancels it. Default: `setTimeout`. */
  readonly after?: typeof afterMs
  /** Carries out a check. Default: in a thread of its own. */
  readonly run?: (task: UpkeepTask) => Promise<void>
}

export class DatabaseChecks {
  /** Called when damage was found, or is gone. */
  onChange: () => void = () => {}
  readonly #ports: Required<Omit<DatabaseChecksPorts, 'config' | 'run'>>
  readonly #run: (task: UpkeepTask) => Promise<void>
  readonly #thread = new UpkeepThread()
  readonly #dataDir: string
  readonly #startedAt: number
  #triedAt: number | null = null
  #running: Promise<void> | null = null
  #damage: MachineFacts['damage'] = null
  #cancel = () => {}
  #stopped = false

  constructor({ config, run, ...ports }: DatabaseChecksPorts) {
    this.#ports = { wallMs: Date.now, after: afterMs, ...ports }
    this.#run = run ?? (task => this.#thread.run(task))
    this.#dataDir = config.data_dir
    this.#startedAt = this.#ports.wallMs()
  }

  /** What is wrong with the database, and since when; null: nothing that is known. */
  get damage(): MachineFacts['damage'] {
    return this.#damage
  }

  /** The first check is a minute later: at the start, all senders repeat their alerts. */
  start(): void {
    this.#cancel = this.#ports.after(() => {
      if (this.#isDue()) this.#running ??= this.#check().finally(() => (this.#running = null))
      this.start()
    }, LOOKED_EVERY_MS)
  }

  /** Records damage, found here or by a backup, and forgets the last good check. */
  noteDamage(cause: string): void {
    rmSync(dataDirectory(this.#dataDir).databaseChecked, { force: true })
    if (this.#damage === null) this.#ports.log.write('error', 'database.damaged', { cause })
    this.#damage ??= { foundAt: this.#ports.wallMs(), cause }
    this.onChange()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancel()
    await this.#thread.stop()
    await this.#running
  }

  #isDue(): boolean {
    const now = this.#ports.wallMs()
    if (this.#triedAt !== null && now >= this.#triedAt && now - this.#triedAt < RETRY_MS) return false
    const { database, databaseChecked } = dataDirectory(this.#dataDir)
    const checkedAt = statSync(databaseChecked, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const isSmall = (statSync(database, { throwIfNoEntry: false })?.size ?? 0) <= CHECKED_AT_START_BYTES_MAX
    // A time in the future is of a clock that was wrong.
    if (checkedAt > now || now - checkedAt >= EVERY_MS) return true
    return isSmall && this.#triedAt === null && checkedAt < this.#startedAt
  }

  async #check(): Promise<void> {
    this.#triedAt = this.#ports.wallMs()
    const { database, databaseChecked } = dataDirectory(this.#dataDir)
    try {
      await this.#run({ kind: 'check', database })
    } catch (error) {
      if (this.#stopped) return
      if (isDamaged(error)) return this.noteDamage(messageOf(error))
      return this.#ports.log.write('warn', 'database.not_checked', { cause: messageOf(error) })
    }
    const isOver = this.#damage !== null
    this.#damage = null
    if (isOver) this.onChange()
    try {
      writeFileSync(databaseChecked, '', { mode: 0o600 })
      utimesSync(databaseChecked, this.#triedAt / 1000, this.#triedAt / 1000)
    } catch {
      // The disk is full. The next start checks again.
    }
  }
}

/** An error that crosses threads loses its class and keeps its code. */
export function isDamaged(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'DATABASE_DAMAGED'
}
