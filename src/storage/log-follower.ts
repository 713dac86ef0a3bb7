/**
 * A follower's copy of the database: takes the entries of the cluster's log, in order. A copy that does not
 * fit to the log is never mended: it is moved aside, and a new one is taken.
 */
import { backUpBeforeMigration } from '#storage/back-up-before-migration.ts'
import { type Entry, EntryOpener } from '#storage/cluster-entry.ts'
import { CommitMark } from '#storage/commit-mark.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { openWritable } from '#storage/database.ts'
import { watchEndedCredentials } from '#storage/ended-credentials.ts'
import { LogEraser } from '#storage/log-eraser.ts'
import {
  hashOfEntry,
  MEMBER_TABLES,
  type Membership,
  membershipOf,
  readMembership,
} from '#storage/membership.ts'
import { MIGRATIONS, migrate } from '#storage/migrate.ts'
import { hasRoom } from '#storage/spare-room.ts'
import { constants, type DatabaseSync } from '#storage/sqlite.ts'
import { asDamage, DatabaseDamaged } from '#storage/sqlite-fault.ts'

/** The rows of this copy are not those of the log. */
export class CopyDiffers extends Error {
  readonly code = 'COPY_DIFFERS'
}

/** One value of the log, as it is in etcd. */
export interface LoggedValue {
  readonly number: number
  readonly value: Uint8Array
}

export class LogFollower {
  readonly #database: DatabaseSync
  readonly #directory: DataDirectory
  readonly #opener: EntryOpener
  readonly #writeEnded: () => void
  readonly #eraser: LogEraser
  readonly #mark: CommitMark
  #position: Membership
  /** The parts of a long entry that are here, in order. They are in the database once the last part is. */
  #parts: Uint8Array[] = []
  /** The schema that an entry needs and this program does not know; null: it knows all. */
  newerSchema: number | null = null

  /** Null: the database belongs to no cluster. The caller holds the lock of the data directory. */
  static open(directory: DataDirectory, clusterKey: () => Uint8Array): LogFollower | null {
    if (membershipOf(directory) === null) return null
    const database = openWritable(directory.database)
    const position = readMembership(database)
    if (position !== null) return new LogFollower(database, directory, { clusterKey: clusterKey(), position })
    database.close()
    return null
  }

  private constructor(
    database: DatabaseSync,
    directory: DataDirectory,
    { clusterKey, position }: { readonly clusterKey: Uint8Array; readonly position: Membership },
  ) {
    this.#database = database
    this.#directory = directory
    this.#opener = new EntryOpener(clusterKey)
    this.#position = position
    this.#mark = new CommitMark(directory.commitMark)
    // The leader checked all references, and the log has the rows that they removed.
    database.exec('PRAGMA foreign_keys = OFF')
    this.#eraser = new LogEraser(database, () => performance.now())
    this.#writeEnded = watchEndedCredentials(database, directory.endedCredentials)
  }

  /** Why this copy cannot go on; null: it can. */
  get trouble(): string | null {
    if (this.newerSchema !== null)
      return `the log needs a newer version of Roost (schema ${this.newerSchema})`
    return this.hasRoom ? null : 'the disk is full: free some space'
  }

  get hasRoom(): boolean {
    return hasRoom(this.#directory.path)
  }

  /** The last entry that was read. */
  get position(): Membership {
    return this.#position
  }

  /**
   * Takes the next entries. It stops before one that needs a newer program (`newerSchema`).
   *
   * @throws CopyDiffers when they do not follow this copy, DatabaseDamaged, or an SQLite error
   */
  take(values: readonly LoggedValue[]): void {
    this.newerSchema = this.#schema > MIGRATIONS.length ? this.#schema : null
    if (this.newerSchema !== null) return
    const opened: (Entry & LoggedValue)[] = []
    let { entry, hash } = this.#position
    for (const { number, value } of values) {
      const next = this.#open(number, value)
      if (number !== entry + 1 || Buffer.compare(next.previous, hash) !== 0)
        throw new CopyDiffers(`entry ${number} of the log does not follow entry ${entry} of this copy`)
      if (next.schema > MIGRATIONS.length) {
        this.newerSchema = next.schema
        break
      }
      opened.push({ ...next, number, value })
      entry = number
      hash = hashOfEntry(value)
    }
    for (const one of opened) this.#migrateTo(one.schema)
    if (opened.length > 0) this.#apply(opened)
    this.#writeEnded()
    this.#eraser.erase()
  }

  /** Notes that the cluster works: the time that a webhook was silent counts until now. */
  touch(): void {
    const at = Date.now()
    this.#mark.touch({ rowsAt: at, trustedAt: at, doubtedFrom: null, jumpedMs: 0 })
  }

  close(): void {
    this.#database.close()
    this.#mark.close()
  }

  get #schema(): number {
    return Number(this.#database.prepare('PRAGMA user_version').get()?.['user_version'])
  }

  #open(number: number, value: Uint8Array): Entry {
    try {
      return this.#opener.open(value, { clusterId: this.#position.clusterId, number })
    } catch (cause) {
      throw new CopyDiffers(`entry ${number} of the log cannot be read with this copy's key`, { cause })
    }
  }

  /** Migrates the copy, as the leader of that version did. A migration that was interrupted goes on. */
  #migrateTo(schema: number): void {
    if (this.#schema >= schema) return
    this.#database.exec('PRAGMA foreign_keys = ON')
    migrate(this.#database, {
      migrations: MIGRATIONS.slice(0, schema),
      starting: () => backUpBeforeMigration(this.#database, this.#directory),
    })
    this.#database.exec('PRAGMA foreign_keys = OFF')
  }

  #apply(opened: readonly (Entry & LoggedValue)[]): void {
    let parts = this.#parts
    let position = this.#position
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      for (const { kind, body, number, value } of opened) {
        // A leader that ended within a long entry left its first parts. They do not count.
        if (kind === 'lead') parts = []
        else parts = [...parts, body]
        if (kind === 'changes') {
          this.#applyChanges(Buffer.concat(parts), number)
          parts = []
        }
        position = { ...position, entry: number, hash: hashOfEntry(value) }
        if (parts.length === 0) this.#store(position)
      }
      this.#database.exec('COMMIT')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw asDamage(error)
    }
    this.#parts = parts
    this.#position = position
    // An entry does not say whether it wiped something.
    this.#eraser.noteLog()
  }

  #applyChanges(changes: Uint8Array, number: number): void {
    const isApplied = this.#database.applyChangeset(changes, {
      filter: table => !MEMBER_TABLES.has(table),
      onConflict: () => constants.SQLITE_CHANGESET_ABORT,
    })
    if (!isApplied) throw new CopyDiffers(`entry ${number} of the log does not fit to the rows of this copy`)
  }

  #store({ entry, hash }: Membership): void {
    this.#database.prepare('UPDATE membership SET entry = ?, hash = ?').run(entry, hash)
  }
}

/** Whether a new copy from the leader would help. */
export function needsNewCopy(error: unknown): boolean {
  return error instanceof CopyDiffers || error instanceof DatabaseDamaged
}

/** Makes the file of the commit mark, if it is missing. */
export function makeCommitMark({ commitMark }: DataDirectory): void {
  new CommitMark(commitMark).close()
}
