/**
 * Appends the changes of each transaction of a cluster's leader to the log, before the transaction commits.
 * So no commit is in the database that is not in the log: a leader that was passed over has nothing to take
 * back. The transaction waits for the log as it waits for the disk.
 */
import type { Session } from 'node:sqlite'
import { ENTRY_BYTES_MAX } from '#contracts/cluster.ts'
import { type EntryKind, sealEntry, TermKey } from '#storage/cluster-entry.ts'
import { hashOfEntry, type Membership, readMembership } from '#storage/membership.ts'
import { MIGRATIONS } from '#storage/migrate.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'
import { DiskFull, LeadershipLost } from '#storage/sqlite-fault.ts'

/** What a leader appends with. */
export interface LogAccess {
  /** The cluster's key, 32 bytes. */
  readonly clusterKey: Uint8Array
  /** The salt of this leader's term. */
  readonly salt: Uint8Array
  /**
   * Appends at exactly this place, and blocks until the log has the entry. False: it never will, or the lease
   * is over.
   */
  readonly append: (number: number, value: Uint8Array) => boolean
  /** Whether the disk has room for a commit. */
  readonly hasRoom: () => boolean
}

/** Room in an entry for all but the body. */
const ENTRY_HEAD_BYTES_MAX = 256

export class ChangeLog {
  readonly #database: DatabaseSync
  readonly #access: LogAccess
  readonly #term: TermKey
  #position: Membership
  #session: Session | null = null

  /** @throws Error when the database belongs to no cluster */
  constructor(database: DatabaseSync, access: LogAccess) {
    const position = readMembership(database)
    if (position === null) throw new Error('the database belongs to no cluster: roost cluster join')
    this.#database = database
    this.#access = access
    this.#term = new TermKey(access.clusterKey, access.salt)
    this.#position = position
  }

  /** Records the changes of the transaction that begins. */
  begin(): void {
    this.#session = this.#database.createSession()
  }

  /** Appends what was recorded. Call this last in the transaction. @throws LeadershipLost, DiskFull */
  seal(): void {
    const changes = this.#session?.patchset() ?? new Uint8Array()
    this.end()
    if (changes.length === 0) return
    // A commit that fails after its append ends the process.
    if (!this.#access.hasRoom()) throw new DiskFull()
    this.#append(changes)
  }

  /** Ends the recording. */
  end(): void {
    this.#session?.close()
    this.#session = null
  }

  #append(body: Uint8Array): void {
    const room = ENTRY_BYTES_MAX - ENTRY_HEAD_BYTES_MAX
    let from = 0
    for (; body.length - from > room; from += room) this.#appendOne('more', body.subarray(from, from + room))
    this.#appendOne('changes', body.subarray(from))
    const { entry, hash } = this.#position
    this.#database.prepare('UPDATE membership SET entry = ?, hash = ?').run(entry, hash)
  }

  #appendOne(kind: EntryKind, body: Uint8Array): void {
    const { clusterId, entry, hash } = this.#position
    const number = entry + 1
    const schema = MIGRATIONS.length
    const value = sealEntry(this.#term, { clusterId, number }, { kind, schema, previous: hash, body })
    if (!this.#access.append(number, value)) throw new LeadershipLost()
    this.#position = { clusterId, entry: number, hash: hashOfEntry(value) }
  }
}
