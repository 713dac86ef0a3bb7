/**
 * What a leader does besides leading: tells what it has, notes who follows, removes entries that all members
 * have, and shares the secrets.
 */
import { type FSWatcher, watch } from 'node:fs'
import type { ClusterLog, Look } from '#app/cluster/cluster-log.ts'
import type { Lease } from '#app/cluster/lease.ts'
import { REPORT_EVERY_MS } from '#app/cluster/member.ts'
import { listSharedSecrets, nextSerial, noteSerial, sealSecrets } from '#app/cluster/shared-secrets.ts'
import type { ClusterAddress } from '#contracts/cluster.ts'
import type { ClusterFacts } from '#contracts/health.ts'
import { leadsNoLonger } from '#domain/problem.ts'
import type { DataDirectory } from '#storage/data-directory.ts'

/** A member that has not reported for this long is away: three reports were missed. */
const AWAY_MS = 3 * REPORT_EVERY_MS
/** A member whose copy is behind for this long lags. */
const LAGGING_MS = 30_000
/** A member that was silent for this long is gone for good. */
const GONE_MS = 7 * 86_400_000
/** Entries are removed after this time even if a member does not have them. */
const KEPT_MS_MAX = 3_600_000
/** The log is never longer than this. */
const KEPT_BYTES_MAX = 67_108_864

export interface LeaderPorts {
  readonly log: ClusterLog
  readonly lease: Lease
  readonly me: ClusterAddress
  readonly directory: DataDirectory
  readonly clusterKey: Uint8Array
  /** The last entry of the log. */
  readonly head: number
  readonly monoMs: () => number
  readonly wallMs: () => number
  readonly looked: (look: Look | null, trouble: null) => void
  /** Called with each report that another member would take the lead. */
  readonly replaceable: () => void
}

interface Heard {
  modRevision: string
  atMs: number
}

/** The head of the log at some moment, and the bytes of all entries up to it. */
interface Mark {
  readonly atMs: number
  readonly head: number
  readonly bytes: number
}

export class LeaderDuties {
  readonly #ports: LeaderPorts
  /** When each other member last reported, by the own clock. */
  readonly #heard = new Map<string, Heard>()
  /** One for each report, the oldest first. */
  #marks: Mark[] = []
  #head: number
  #bytes = 0
  #secrets = ''
  #timer: NodeJS.Timeout | undefined
  #watcher: FSWatcher | null = null
  #running: Promise<void> = Promise.resolve()
  #sharing: Promise<void> = Promise.resolve()
  #members: Look['members'] = []
  /** Whether etcd answered at the last report. */
  #hasLooked = true
  /** Since when each condition lasts. */
  readonly #begun = new Map<string, number>()
  readonly #startedMs: number

  constructor(ports: LeaderPorts) {
    this.#ports = ports
    this.#head = ports.head
    this.#startedMs = ports.monoMs()
  }

  get head(): number {
    return this.#head
  }

  /** Notes an entry that the log has now. */
  noteAppended(number: number, bytes: number): void {
    this.#head = number
    this.#bytes += bytes
  }

  start(): void {
    // A password of a phone is shared at once.
    this.#watcher = watch(this.#ports.directory.secrets, () => void this.shareSecrets().catch(() => {}))
    this.#next()
  }

  #next(): void {
    this.#running = this.#run().finally(() => {
      this.#timer = setTimeout(() => this.#next(), REPORT_EVERY_MS)
    })
  }

  async stop(): Promise<void> {
    this.#watcher?.close()
    await this.#running
    clearTimeout(this.#timer)
  }

  /** What the health rules need to know. */
  facts(): ClusterFacts {
    const others = this.#others()
    const now = this.#ports.monoMs()
    const isAway = (name: string) => this.#isAway(name)
    const reached = this.#marks.findLast(({ atMs }) => now - atMs >= LAGGING_MS)?.head ?? 0
    const lagging = others.flatMap(({ name, applied }) => {
      const cause = isAway(name) ? 'it does not report' : applied < reached ? 'its copy is behind' : null
      const since = this.#since(`lagging ${name}`, cause !== null)
      return cause === null || since === null ? [] : [{ name, since, cause }]
    })
    const isAlone = now - this.#startedMs > AWAY_MS && others.every(({ name }) => isAway(name))
    const aloneSince = this.#since('alone', isAlone)
    return { lagging, aloneSince, noQuorumSince: this.#since('no quorum', !this.#hasLooked) }
  }

  #others(): Look['members'] {
    return this.#members.filter(({ name }) => name !== this.#ports.me.name)
  }

  #isAway(name: string): boolean {
    return this.#ports.monoMs() - (this.#heard.get(name)?.atMs ?? this.#startedMs) > AWAY_MS
  }

  /** Whether it reported since this gateway leads: an older note may be of a dead machine. */
  #hasReported(name: string): boolean {
    return !this.#isAway(name) && this.#heard.get(name)?.atMs !== this.#startedMs
  }

  /** Whether another member would take the lead. */
  get isReplaceable(): boolean {
    return this.#others().some(({ name }) => this.#hasReported(name))
  }

  /** Since when something is so; null: it is not. */
  #since(what: string, isSo: boolean): number | null {
    if (!isSo) this.#begun.delete(what)
    else if (!this.#begun.has(what)) this.#begun.set(what, this.#ports.wallMs())
    return this.#begun.get(what) ?? null
  }

  /**
   * Shares the secrets as they are now, one call after the other. Rejects when this gateway no longer leads.
   */
  shareSecrets(): Promise<void> {
    const shared = this.#sharing.then(() => this.#share())
    this.#sharing = shared.catch(() => {})
    return shared
  }

  async #share(): Promise<void> {
    const { log, lease, directory, clusterKey, wallMs } = this.#ports
    const list = listSharedSecrets(directory)
    if (list === this.#secrets) return
    const serial = nextSerial(directory, wallMs())
    const sealed = sealSecrets(clusterKey, list, serial)
    if (!(await lease.insist(() => log.writeSecrets(lease.term, sealed)))) throw leadsNoLonger()
    noteSerial(directory, serial)
    this.#secrets = list
  }

  async #run(): Promise<void> {
    const { log, me, wallMs, looked, replaceable } = this.#ports
    try {
      await this.shareSecrets()
      const lastSeen = new Date(wallMs()).toISOString()
      await log.report({ ...me, applied: this.#head, lastSeen })
      const look = await log.look(this.#head + 1)
      looked(look, null)
      this.#hasLooked = true
      this.#hear(look.members)
      if (this.isReplaceable) replaceable()
      await this.#forgetGone()
      await this.#trim()
    } catch {
      this.#hasLooked = false
      // The lease says what it means if etcd does not answer.
    }
  }

  #hear(members: Look['members']): void {
    this.#members = members
    for (const { name, modRevision } of members) {
      if (this.#heard.get(name)?.modRevision === modRevision) continue
      const isFirst = !this.#heard.has(name)
      // A note that was there before may be old: it counts from the start of this leader.
      this.#heard.set(name, { modRevision, atMs: isFirst ? this.#startedMs : this.#ports.monoMs() })
    }
  }

  /** Forgets members that are gone for good. One that returns reports itself. */
  async #forgetGone(): Promise<void> {
    for (const [name, { atMs }] of this.#heard) {
      if (this.#ports.monoMs() - atMs < GONE_MS) continue
      this.#heard.delete(name)
      await this.#ports.log.forget(name)
    }
  }

  async #trim(): Promise<void> {
    const { log, lease, monoMs } = this.#ports
    const now = monoMs()
    this.#marks.push({ atMs: now, head: this.#head, bytes: this.#bytes })
    const mustGo = this.#marks.findLast(
      ({ atMs, bytes }) => now - atMs > KEPT_MS_MAX || this.#bytes - bytes > KEPT_BYTES_MAX,
    )
    if (mustGo !== undefined) this.#marks = this.#marks.slice(this.#marks.indexOf(mustGo))
    const applied = Math.min(this.#head, ...this.#members.map(one => one.applied))
    const before = Math.max(applied, mustGo?.head ?? 0)
    if (before > 1) await log.trim(lease.term, before)
  }
}
