/**
 * A member of a cluster: follows the log, and tries to lead when nobody does. The first entry of a new leader
 * closes the log for the earlier one, and comes after everything that the earlier one could append.
 */
import { randomBytes } from 'node:crypto'
import { type ClusterLog, ENTRIES_PER_LOOK, type Look } from '#app/cluster/cluster-log.ts'
import { Lease } from '#app/cluster/lease.ts'
import { type ClusterAddress, LEASE_S } from '#contracts/cluster.ts'
import { createLeadershipBuffer, openLeadership } from '#rate-limit/leadership.ts'
import { sealEntry, TermKey } from '#storage/cluster-entry.ts'
import { CopyDiffers, type LoggedValue, needsNewCopy } from '#storage/log-follower.ts'
import { hashOfEntry, type Membership } from '#storage/membership.ts'

/** A follower looks at the log this often: a part of the time until another member leads. */
const LOOK_EVERY_MS = 250
/** How often a member tells the others what it has. */
export const REPORT_EVERY_MS = 5_000

/** A copy of the database (`storage/log-follower.ts`). */
export interface Copy {
  readonly position: Membership
  readonly newerSchema: number | null
  /** Whether the disk has room for more. */
  readonly hasRoom: boolean
  take(values: readonly LoggedValue[]): void
  touch(): void
}

export interface MemberPorts {
  readonly log: ClusterLog
  readonly me: ClusterAddress
  readonly copy: Copy
  readonly clusterKey: Uint8Array
  /** The schema of this program. */
  readonly schema: number
  readonly monoNs: () => bigint
  readonly wallMs: () => number
  readonly pause: (ms: number) => Promise<void>
  /** Called with what was seen; null: etcd does not answer. `trouble`: why this member cannot go on. */
  readonly looked: (look: Look | null, trouble: string | null) => void
  /** Takes over the shared secrets when their revision has changed. */
  readonly readSecrets: (revision: string | null) => Promise<void>
  readonly ownLease: OwnLease
}

/** The lease with which this data directory led last. */
export interface OwnLease {
  /** Null: it has not led. */
  read(): string | null
  note(lease: string): void
}

/** What a member leads with. */
export interface Led {
  readonly lease: Lease
  /** Resolves with the reason when the lease is over. */
  readonly kept: Promise<string>
  /** The leadership, for all threads. */
  readonly leadership: SharedArrayBuffer
  /** The first entry of the term, the last of the log. */
  readonly head: number
  /** The salt of the term's key. */
  readonly salt: Uint8Array
}

/** How `follow` ended. `behind`: the log no longer has what follows this copy. */
export type FollowEnd = { readonly led: Led } | 'stopped' | 'behind'

export class Member {
  readonly #ports: MemberPorts
  #reportedAtNs: bigint | null = null

  constructor(ports: MemberPorts) {
    this.#ports = ports
  }

  /** Follows until this member leads, or `stop`. @throws what the copy throws */
  async follow(stop: AbortSignal): Promise<FollowEnd> {
    await this.#endOwnLease()
    while (!stop.aborted) {
      const look = await this.#look()
      if (look !== null && (look.first ?? 0) > this.#next) return 'behind'
      const isAtEnd = look !== null && (await this.#takeFrom(look))
      if (isAtEnd && look.leader === null && this.#mayLead) {
        const led = await this.#campaign()
        if (led !== null) return { led }
      }
      if (look === null || look.entries.length < ENTRIES_PER_LOOK) await this.#ports.pause(LOOK_EVERY_MS)
    }
    return 'stopped'
  }

  /** Who led with this data directory is dead, because this process has its lock: nobody need wait for it. */
  async #endOwnLease(): Promise<void> {
    const lease = this.#ports.ownLease.read()
    if (lease !== null) await this.#ports.log.revoke(lease).catch(() => {})
  }

  get #mayLead(): boolean {
    return this.#ports.copy.newerSchema === null && this.#ports.copy.hasRoom
  }

  get #next(): number {
    return this.#ports.copy.position.entry + 1
  }

  async #look(): Promise<Look | null> {
    const look = await this.#ports.log.look(this.#next).catch(() => null)
    const trouble = look === null ? null : this.#troubleOf(look)
    this.#ports.looked(look, trouble)
    return trouble === null ? look : null
  }

  /** What is wrong with the log; null: nothing. Nobody is founded or led then. */
  #troubleOf({ id, head }: Look): string | null {
    const { clusterId, entry } = this.#ports.copy.position
    if (id !== clusterId)
      return id === null
        ? `the log of the cluster ${clusterId} is gone from etcd`
        : `etcd has the log of another cluster (${id}), and this copy is of ${clusterId}`
    if (head === null || head < entry)
      return `the log ends at entry ${head ?? 0}, and this copy has ${entry}: the log is of an older time`
    return null
  }

  /** Takes what the look brought. True: the copy has all of it. */
  async #takeFrom(look: Look): Promise<boolean> {
    const { copy, readSecrets, monoNs } = this.#ports
    copy.take(look.entries)
    copy.touch()
    await readSecrets(look.secretsRevision)
    if (this.#reportedAtNs === null || monoNs() - this.#reportedAtNs >= BigInt(REPORT_EVERY_MS) * 1_000_000n)
      await this.#report()
    return copy.position.entry === look.head
  }

  async #report(): Promise<void> {
    const { log, me, copy, wallMs, monoNs } = this.#ports
    // Who reports can take the lead.
    if (!copy.hasRoom) return
    this.#reportedAtNs = monoNs()
    const lastSeen = new Date(wallMs()).toISOString()
    await log.report({ ...me, applied: copy.position.entry, lastSeen }).catch(() => {})
  }

  /** Tries to lead. Null: another member leads, or etcd does not answer. */
  async #campaign(): Promise<Led | null> {
    const { log, me, copy, monoNs, pause } = this.#ports
    const buffer = createLeadershipBuffer()
    const leadership = openLeadership(buffer, monoNs)
    const askedAtNs = monoNs()
    let granted: string | null = null
    let isLeading = false
    try {
      granted = await log.grant(LEASE_S)
      this.#ports.ownLease.note(granted)
      const term = await log.campaign(copy.position.clusterId, granted, me)
      if (term !== null) {
        const lease = new Lease({ log, leadership, monoNs, pause }, term, askedAtNs)
        const kept = lease.keep()
        const salt = randomBytes(16)
        isLeading = await this.#closeLog(lease, salt)
        if (isLeading) return { lease, kept, leadership: buffer, head: copy.position.entry, salt }
      }
    } catch (error) {
      // Whatever became of the calls, the lease ends.
      if (needsNewCopy(error)) throw error
    } finally {
      if (!isLeading) {
        leadership.giveUp()
        if (granted !== null) await log.revoke(granted).catch(() => {})
      }
    }
    return null
  }

  /** Takes the log to its end and appends the first entry of this term. False: the lease is over. */
  async #closeLog(lease: Lease, salt: Uint8Array): Promise<boolean> {
    const { log, copy, clusterKey, schema, me, readSecrets } = this.#ports
    for (;;) {
      const { entry, hash } = copy.position
      const { entries, head, secretsRevision } = await log.look(entry)
      await readSecrets(secretsRevision)
      const [last, ...rest] = entries
      if (last === undefined || Buffer.compare(hashOfEntry(last.value), hash) !== 0)
        throw new CopyDiffers(`entry ${entry} of the log is not the one of this copy`)
      copy.take(rest)
      if (copy.newerSchema !== null) return false
      if (copy.position.entry === head) break
    }
    const { clusterId, entry, hash } = copy.position
    const number = entry + 1
    const first = { kind: 'lead', schema, previous: hash, body: Buffer.from(me.name) } as const
    const value = sealEntry(new TermKey(clusterKey, salt), { clusterId, number }, first)
    if (!(await lease.append(number, value))) return false
    copy.take([{ number, value }])
    return true
  }
}
