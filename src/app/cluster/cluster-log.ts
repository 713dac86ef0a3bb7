/**
 * What a cluster keeps in etcd, below `roost/`: its id, the leader under a lease, the log, what each member
 * has applied, and the secrets that all members share.
 */

import * as v from 'valibot'
import type { ClusterAddress } from '#contracts/cluster.ts'
import type { Comparison, Etcd, KeyValue, Operation } from '#transport/etcd/etcd-client.ts'

const ID = 'roost/cluster'
const LEADER = 'roost/leader'
const SECRETS = 'roost/secrets'
const LOG = 'roost/log/'
/** All entries: numbers below 10^15 begin with a 0. */
const ENTRIES = { from: `${LOG}0`, to: `${LOG}1` }
const MEMBERS = 'roost/members/'
const MEMBERS_END = 'roost/members0'
/** Digits of an entry's number, so that keys are in the order of the numbers. */
const NUMBER_DIGITS = 16
/** Entries of one look: most have 1 kB, the longest 1 MB. */
export const ENTRIES_PER_LOOK = 16
/** At either end of the log, so many foreign keys are passed over. */
const FOREIGN_MAX = 8

const Address = v.object({ name: v.string(), url: v.string() })
const Note = v.object({ name: v.string(), url: v.string(), applied: v.number(), lastSeen: v.string() })
export type MemberNote = v.InferOutput<typeof Note>

/** A member's note, with the revision of etcd that changes with each report. */
export interface SeenNote extends MemberNote {
  readonly modRevision: string
}

/** The cluster at one moment. */
export interface Look {
  /** Null: there is no cluster in this etcd. */
  readonly id: string | null
  readonly leader: (ClusterAddress & { readonly revision: string }) | null
  /** First and last entry that the log still has; null: it is empty. */
  readonly first: number | null
  readonly head: number | null
  /** Entries from the asked one on. */
  readonly entries: readonly { readonly number: number; readonly value: Buffer }[]
  readonly members: readonly SeenNote[]
  /** Changes with the shared secrets; null: none are stored. */
  readonly secretsRevision: string | null
  /** Keys that no member wrote, or whose value cannot be read. They are passed over. */
  readonly unread: readonly string[]
}

/** The right of a leader to write: the leader's key that it made. */
export interface Term {
  readonly lease: string
  /** The revision at which this leader made its key. */
  readonly revision: string
}

export class ClusterLog {
  readonly #etcd: Etcd

  constructor(etcd: Etcd) {
    this.#etcd = etcd
  }

  /**
   * Looks at everything at once. `from`: the first entry that is wanted. @throws when etcd does not answer
   */
  async look(from: number): Promise<Look> {
    const { found } = await this.#etcd.transact(
      [],
      [
        { get: ID },
        { get: LEADER },
        { range: ENTRIES, limit: FOREIGN_MAX, keysOnly: true },
        { range: ENTRIES, limit: FOREIGN_MAX, order: 'DESCEND', keysOnly: true },
        { range: { ...ENTRIES, from: entryKey(from) }, limit: ENTRIES_PER_LOOK },
        { range: { from: MEMBERS, to: MEMBERS_END } },
        { get: SECRETS, keysOnly: true },
      ],
    )
    const [id, leader, first, last, entries, members, secrets] = found
    const unread = new Set<string>()
    const readAll = <T>(keys: readonly KeyValue[] = [], read: (one: KeyValue) => T | null): T[] =>
      keys.flatMap(one => {
        const value = read(one)
        if (value === null) unread.add(one.key)
        return value === null ? [] : [value]
      })
    return {
      id: id?.[0]?.value.toString() ?? null,
      leader: readAll(leader, readLeader)[0] ?? null,
      first: readAll(first, numberOf)[0] ?? null,
      head: readAll(last, numberOf)[0] ?? null,
      entries: readAll(entries, readEntry),
      members: readAll(members, readNote),
      secretsRevision: secrets?.[0]?.modRevision ?? null,
      unread: [...unread],
    }
  }

  /**
   * Founds a cluster with its first entry. False: there is one already. `force`: everything of an earlier one
   * is removed first, unless a member leads it.
   */
  async found(id: string, first: Uint8Array, force = false): Promise<boolean> {
    if (force) {
      const { succeeded } = await this.#etcd.transact(
        [{ key: LEADER, exists: false }],
        [{ delete: 'roost/', to: 'roost0' }],
      )
      if (!succeeded) return false
    }
    const { succeeded } = await this.#etcd.transact(
      [ID, LEADER, entryKey(1)].map(key => ({ key, exists: false })),
      [
        { put: ID, value: id },
        { put: entryKey(1), value: first },
      ],
    )
    return succeeded
  }

  /** Becomes the leader unless there is one. Null: there is one, or this is another cluster. */
  async campaign(id: string, lease: string, me: ClusterAddress): Promise<Term | null> {
    const { succeeded, revision } = await this.#etcd.transact(
      [
        { key: ID, value: id },
        { key: LEADER, exists: false },
      ],
      [{ put: LEADER, value: JSON.stringify(me), lease }],
    )
    return succeeded ? { lease, revision } : null
  }

  grant(seconds: number): Promise<string> {
    return this.#etcd.grant(seconds)
  }

  keepAlive(lease: string): Promise<boolean> {
    return this.#etcd.keepAlive(lease)
  }

  /** Ends a lease, and with it the leadership. */
  revoke(lease: string): Promise<void> {
    return this.#etcd.revoke(lease)
  }

  /**
   * Appends an entry at exactly the place after the last one, while this term leads. May be repeated: the
   * second time finds its own value. False: another entry is there, or another member leads.
   *
   * @throws when it is not known whether the log has the entry
   */
  async append(term: Term, number: number, value: Uint8Array): Promise<boolean> {
    const leads = { key: LEADER, createRevision: term.revision }
    const { succeeded, found } = await this.#etcd.transact(
      [leads, { key: entryKey(number - 1), exists: true }, { key: entryKey(number), exists: false }],
      [{ put: entryKey(number), value }],
      [{ get: LEADER }, { get: entryKey(number) }],
    )
    if (succeeded) return true
    const [leader, there] = found
    const isStillLeader = leader?.[0]?.createRevision === term.revision
    return isStillLeader && there?.[0] !== undefined && Buffer.compare(there[0].value, value) === 0
  }

  /** Tells the others what this member has. */
  async report(note: MemberNote): Promise<void> {
    await this.#etcd.transact([], [{ put: MEMBERS + note.name, value: JSON.stringify(note) }])
  }

  async forget(name: string): Promise<void> {
    await this.#etcd.transact([], [{ delete: MEMBERS + name }])
  }

  /** Removes the entries before `before`, never the last one. */
  async trim(term: Term, before: number): Promise<void> {
    const { succeeded, revision } = await this.#etcd.transact(
      [this.#leads(term), { key: entryKey(before), exists: true }],
      [{ delete: LOG, to: entryKey(before) }],
    )
    if (succeeded) await this.#etcd.compact(revision)
  }

  async readSecrets(): Promise<Buffer | null> {
    const { found } = await this.#etcd.transact([], [{ get: SECRETS }])
    return found[0]?.[0]?.value ?? null
  }

  /** False: this term no longer leads. */
  async writeSecrets(term: Term, value: Uint8Array): Promise<boolean> {
    return (await this.#etcd.transact([this.#leads(term)], [{ put: SECRETS, value }])).succeeded
  }

  /** Removes everything of a cluster that has no leader. */
  async dissolve(): Promise<void> {
    const remove: Operation = { delete: 'roost/', to: 'roost0' }
    await this.#etcd.transact([{ key: LEADER, exists: false }], [remove])
  }

  #leads(term: Term): Comparison {
    return { key: LEADER, createRevision: term.revision }
  }
}

function entryKey(number: number): string {
  return LOG + String(number).padStart(NUMBER_DIGITS, '0')
}

/** Null: it is no key of an entry. */
function numberOf({ key }: KeyValue): number | null {
  const digits = key.slice(LOG.length)
  return /^\d+$/.test(digits) && digits.length === NUMBER_DIGITS ? Number(digits) : null
}

function readEntry(found: KeyValue): Look['entries'][number] | null {
  const number = numberOf(found)
  return number === null ? null : { number, value: found.value }
}

function readLeader({ value, createRevision }: KeyValue): Look['leader'] {
  const address = readJson(Address, value)
  return address === null ? null : { ...address, revision: createRevision }
}

function readNote({ value, modRevision }: KeyValue): SeenNote | null {
  const note = readJson(Note, value)
  return note === null ? null : { ...note, modRevision }
}

/** Null: it is not such a value. */
function readJson<T extends v.GenericSchema>(schema: T, value: Buffer): v.InferOutput<T> | null {
  try {
    const read = v.safeParse(schema, JSON.parse(value.toString()))
    return read.success ? read.output : null
  } catch {
    return null
  }
}
