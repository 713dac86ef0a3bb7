/**
 * This gateway's part in its cluster: it waits for its owner, follows, takes new copies, and leads at last.
 * What the owner asks for is done between two turns, while the database is closed.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { readAuthority } from '#app/certificate/own-certificate.ts'
import { renewCertificate } from '#app/cluster/cluster-desk.ts'
import { ClusterLog, type Look } from '#app/cluster/cluster-log.ts'
import { memberToken } from '#app/cluster/copy-desk.ts'
import { addressOf, openEtcd } from '#app/cluster/etcd-access.ts'
import { type FollowEnd, Member } from '#app/cluster/member.ts'
import { ownLeaseIn } from '#app/cluster/own-lease.ts'
import { errandOf } from '#app/cluster/run-errand.ts'
import { secretsReader } from '#app/cluster/shared-secrets.ts'
import { renewCopy } from '#app/cluster/take-copy.ts'
import type { ClusterRequest } from '#app/control/cluster-requests.ts'
import type { Log } from '#app/log.ts'
import type { ClusterAddress, ClusterState } from '#contracts/cluster.ts'
import type { Config } from '#contracts/config.ts'
import type { ClusterFacts } from '#contracts/health.ts'
import { causeOf, messageOf } from '#domain/cause.ts'
import { clusterProblems } from '#domain/health/cluster-rules.ts'
import { Problem } from '#domain/problem.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { LogFollower, needsNewCopy } from '#storage/log-follower.ts'
import { MIGRATIONS } from '#storage/migrate.ts'
import { isTransient } from '#storage/sqlite-fault.ts'
import type { EtcdClient } from '#transport/etcd/etcd-client.ts'

/** Pause before another try to take a copy. */
const COPY_RETRY_MS = 2_000
/** Pause before another try to write to a full disk. */
const FULL_RETRY_MS = 10_000
/** One member of etcd that dies is no loss of the majority: the next one is asked within this time. */
const NO_QUORUM_AFTER_MS = 3_000
const WAITING_FOR_OWNER =
  'this gateway is a member of no cluster: run roost cluster create on the gateway that has the data, or ' +
  'roost cluster join CODE with a code of roost cluster invite'

export interface HostPorts {
  readonly config: Config
  readonly directory: DataDirectory
  readonly log: Log
}

interface Errand {
  readonly run: () => Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

export class ClusterHost {
  readonly me: ClusterAddress
  readonly etcd: EtcdClient
  readonly clusterLog: ClusterLog
  readonly #ports: HostPorts
  #errands: Errand[] = []
  /** Ends the current turn. */
  #turn = new AbortController()
  #look: Look | null = null
  #lastLeader: ClusterAddress | null = null
  #applied = 0
  #clusterId: string | null = null
  #trouble: string | null = null
  #troubleSince = 0
  #quorum = true
  /** When etcd answered last, milliseconds of the monotonic clock. */
  #answeredAtMs = performance.now()
  #quorumSince = 0
  readonly #readSecrets: (revision: string | null) => Promise<void>
  /** What was last said of keys in etcd that it cannot read. */
  #unread = ''
  #isLeading = false
  /** Called when there may be another copy, with another certificate. */
  onErrand: () => Promise<void> = async () => {}
  /** When the last turn or look was, milliseconds of the monotonic clock. */
  activeAtMs = performance.now()

  constructor(ports: HostPorts) {
    this.#ports = ports
    this.me = addressOf(ports.config)
    this.etcd = openEtcd(ports.config)
    this.clusterLog = new ClusterLog(this.etcd)
    this.#readSecrets = secretsReader(ports.directory, this.clusterLog, this.#say.bind(this))
  }

  /** Follows until this gateway leads. Null: `stop` came first. */
  async untilLeading(stop: AbortSignal): Promise<Exclude<FollowEnd, string>['led'] | null> {
    while (!stop.aborted) {
      for (const errand of this.#errands.splice(0)) {
        await errand.run().then(errand.resolve, errand.reject)
        await this.onErrand()
      }
      this.#turn = new AbortController()
      const end = await this.#follow(AbortSignal.any([stop, this.#turn.signal]))
      if (typeof end === 'object') {
        this.#isLeading = true
        return end.led
      }
      if (end === 'behind') await this.#renewCopy()
    }
    return null
  }

  get clusterKey(): Uint8Array {
    return readFileSync(this.#ports.directory.clusterKey)
  }

  /** The address of the gateway that leads; null: none, or this one. */
  get leader(): ClusterAddress | null {
    return this.#isLeading ? null : this.#lastLeader
  }

  /** Does what the owner asks for, while the database is closed. */
  ask(request: ClusterRequest): Promise<unknown> {
    if (request.do === 'status') return Promise.resolve(this.state())
    const desk = { ...this.#ports, tell: (sentence: string) => this.#say('cluster.desk', sentence) }
    const run = errandOf(desk, request)
    if (run === null) {
      const where =
        this.leader === null ? 'the gateway that leads' : `${this.leader.name} (${this.leader.url})`
      return Promise.reject(new Problem('CONFLICT', `this gateway does not lead: run this on ${where}`))
    }
    if (this.#isLeading)
      return Promise.reject(new Problem('CONFLICT', 'this gateway leads: stop it first, then run this again'))
    return new Promise((resolve, reject) => {
      this.#errands.push({ run, resolve, reject })
      this.#turn.abort()
    })
  }

  /** `leading`: what a leader knows. */
  state(leading?: { readonly head: number; readonly facts: ClusterFacts }): ClusterState {
    const look = this.#look
    const leader = this.#isLeading ? this.me : this.#lastLeader
    const role = this.#isLeading ? 'leader' : this.#trouble === null ? 'follower' : 'waiting'
    return {
      id: this.#clusterId,
      name: this.me.name,
      role,
      leader,
      quorum: this.#quorum,
      log: { head: leading?.head ?? look?.head ?? 0, applied: leading?.head ?? this.#applied },
      members: (look?.members ?? []).map(({ modRevision: _, ...member }) => member),
      problems: clusterProblems(leading?.facts ?? this.#facts()),
    }
  }

  /** What `systemctl status` shows. */
  describe(): string {
    if (!this.#quorum) return 'Waits for etcd: no majority answers'
    if (this.#trouble !== null) return `Waits: ${this.#trouble}`
    const leader = this.#lastLeader?.name ?? 'a cluster without a leader'
    return `Follows ${leader}, has entry ${this.#applied}`
  }

  /** Notes what was seen of the cluster. */
  noteLook(look: Look | null, trouble: string | null): void {
    this.activeAtMs = performance.now()
    if (look !== null) this.#answeredAtMs = performance.now()
    const quorum = performance.now() - this.#answeredAtMs < NO_QUORUM_AFTER_MS
    if (quorum !== this.#quorum) {
      this.#quorum = quorum
      this.#quorumSince = Date.now()
      const { log } = this.#ports
      if (this.#quorum) log.write('info', 'cluster.quorum', { hint: 'a majority of etcd answers again' })
      else
        log.write('error', 'cluster.no_quorum', {
          hint: 'no majority of etcd answers, so nothing is accepted',
        })
    }
    if (!quorum) this.#lastLeader = null
    if (look === null) return
    this.#look = look
    const unread = look.unread.join(', ')
    if (unread !== this.#unread && unread !== '') this.#say('cluster.unread', unread)
    this.#unread = unread
    const { leader } = look
    if (leader?.name !== this.#lastLeader?.name && leader !== null)
      this.#ports.log.write('info', 'cluster.leader', { leader: leader.name, url: leader.url })
    this.#lastLeader = leader === null ? null : { name: leader.name, url: leader.url }
    this.#setTrouble(trouble)
  }

  async #follow(stop: AbortSignal): Promise<FollowEnd> {
    const { directory, config } = this.#ports
    const copy = this.#openCopy()
    if (copy === null) {
      this.#clusterId = null
      this.#setTrouble(WAITING_FOR_OWNER)
      await this.#rest(stop)
      return 'stopped'
    }
    try {
      this.#clusterId = copy.position.clusterId
      this.#setTrouble(null)
      if (readAuthority(directory) !== null) await renewCertificate(directory, config, 'if missing')
      return await this.#memberOf(copy).follow(stop)
    } catch (error) {
      if (isTransient(error)) {
        this.#setTrouble(messageOf(error))
        await pause(FULL_RETRY_MS, null, { signal: stop }).catch(() => {})
        return 'stopped'
      }
      if (!needsNewCopy(error)) throw error
      this.#say('cluster.copy_differs', causeOf(error))
      return 'behind'
    } finally {
      copy.close()
      // A copy may take hours.
      this.activeAtMs = Number.POSITIVE_INFINITY
    }
  }

  #openCopy(): LogFollower | null {
    try {
      return LogFollower.open(this.#ports.directory, () => this.clusterKey)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
      throw new Error(`${this.#ports.directory.clusterKey} is missing: join the cluster again`, {
        cause: error,
      })
    }
  }

  #memberOf(copy: LogFollower): Member {
    return new Member({
      log: this.clusterLog,
      me: this.me,
      copy,
      clusterKey: this.clusterKey,
      schema: MIGRATIONS.length,
      monoNs: process.hrtime.bigint,
      wallMs: Date.now,
      pause,
      looked: (look, trouble) => {
        this.#applied = copy.position.entry
        this.noteLook(look, trouble ?? copy.trouble)
      },
      readSecrets: this.#readSecrets,
      ownLease: ownLeaseIn(this.#ports.directory),
    })
  }

  /** Moves the copy aside and takes a new one from the leader. It tries again at the next turn. */
  async #renewCopy(): Promise<void> {
    const { directory, config, log } = this.#ports
    const authority = readAuthority(directory)
    try {
      if (this.#lastLeader === null) throw new Error('no gateway leads')
      if (authority === null) throw new Error('secrets/authority.pem is missing: join the cluster again')
      const { url } = this.#lastLeader
      this.#setTrouble('takes a new copy from the gateway that leads')
      const aside = await renewCopy(directory, {
        url,
        authority: authority.pem,
        token: memberToken(this.clusterKey),
      })
      await renewCertificate(directory, config)
      await this.onErrand()
      log.write('warn', 'cluster.copy_renewed', { aside })
    } catch (error) {
      this.#setTrouble(`cannot take a new copy: ${messageOf(error)}`)
      await pause(COPY_RETRY_MS)
    }
  }

  /** Waits for an errand, or the stop. */
  #rest(stop: AbortSignal): Promise<void> {
    this.activeAtMs = Number.POSITIVE_INFINITY
    return new Promise(resolve => {
      if (stop.aborted) resolve()
      else stop.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  #setTrouble(trouble: string | null): void {
    if (trouble === this.#trouble) return
    this.#trouble = trouble
    this.#troubleSince = Date.now()
    if (trouble !== null) this.#say('cluster.waiting', trouble)
  }

  #say(event: string, cause: string): void {
    this.#ports.log.write('warn', event, { cause })
  }

  #facts(): ClusterFacts {
    const { name } = this.me
    const trouble = this.#trouble
    return {
      lagging: trouble === null ? [] : [{ name, since: this.#troubleSince, cause: trouble }],
      aloneSince: null,
      noQuorumSince: this.#quorum ? null : this.#quorumSince,
    }
  }
}
