/**
 * The leading part of a gateway in a cluster: takes the entries of the writer to the log, keeps the lease,
 * and answers the listeners' questions.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { readAuthority } from '#app/certificate/own-certificate.ts'
import type { ClusterHost } from '#app/cluster/cluster-host.ts'
import { CopyDesk, INVITATION_MS } from '#app/cluster/copy-desk.ts'
import { writeInvitation } from '#app/cluster/invitation.ts'
import { LeaderDuties } from '#app/cluster/leader-duties.ts'
import type { Led } from '#app/cluster/member.ts'
import { type WriterWatch, watchWriter } from '#app/cluster/watch-writer.ts'
import type { ClusterRequest } from '#app/control/cluster-requests.ts'
import type { ClusterState } from '#contracts/cluster.ts'
import type { Writer } from '#contracts/commands.ts'
import type { ClusterFacts } from '#contracts/health.ts'
import type { ClusterAnswer, ClusterQuestion, LogFrame, WriterCluster } from '#contracts/thread-frames.ts'
import { causeOf } from '#domain/cause.ts'
import { Problem } from '#domain/problem.ts'
import { type Leadership, openLeadership } from '#rate-limit/leadership.ts'
import type { DataDirectory } from '#storage/data-directory.ts'

export interface LeaderPorts {
  readonly host: ClusterHost
  readonly led: Led
  readonly directory: DataDirectory
  /** The last entry of the log. */
  readonly head: number
}

export class Leader {
  /** Resolves with the reason when the lease is over: the process must end at once. */
  readonly lost: Promise<string>
  readonly writer: WriterCluster
  /** Called often while another member could lead. */
  onReplaceable: () => void = () => {}
  readonly #ports: LeaderPorts
  readonly #leadership: Leadership
  readonly #duties: LeaderDuties
  readonly #copies: CopyDesk
  readonly #port: MessagePort
  #watch: WriterWatch | null = null

  constructor(ports: LeaderPorts) {
    const { host, led, directory, head } = ports
    this.#ports = ports
    this.#leadership = openLeadership(led.leadership)
    const monoMs = () => performance.now()
    const { clusterKey, me } = host
    this.#copies = new CopyDesk({ directory, clusterKey, monoMs })
    this.#duties = new LeaderDuties({
      log: host.clusterLog,
      lease: led.lease,
      me,
      directory,
      clusterKey,
      head,
      monoMs,
      wallMs: Date.now,
      looked: (look, trouble) => host.noteLook(look, trouble),
      replaceable: () => this.onReplaceable(),
    })
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    port1.on('message', (frame: LogFrame) => void this.#append(frame))
    this.writer = { port: port2, leadership: led.leadership, salt: led.salt }
    this.lost = led.kept
  }

  start(): void {
    this.#duties.start()
  }

  /** From now on the lease ends when the writer hangs and another member could lead. */
  watch(writer: Writer): void {
    const ask = () => writer.ask('gateway.state', {})
    const watched = watchWriter({ ask, monoMs: () => performance.now(), pause })
    this.#watch = watched
    this.#ports.led.lease.mayRenew = () => !watched.hangs() || !this.#duties.isReplaceable
  }

  /** Gives up the lead, so that another member goes on at once. */
  async stop(): Promise<void> {
    this.#watch?.stop()
    await this.#duties.stop()
    await this.#copies.stop()
    this.#leadership.giveUp()
    this.#port.close()
    await this.#ports.host.clusterLog.revoke(this.#ports.led.lease.term.lease).catch(() => {})
    await this.#ports.host.etcd.close()
  }

  facts(): ClusterFacts {
    return this.#duties.facts()
  }

  state(): ClusterState {
    return this.#ports.host.state({ head: this.#duties.head, facts: this.facts() })
  }

  async answer(question: ClusterQuestion): Promise<ClusterAnswer> {
    try {
      if (question === 'state') return this.state()
      if (question !== 'share-secrets') return this.#copies.answer(question)
      await this.#duties.shareSecrets()
      return { shared: true }
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem('INTERNAL_ERROR', causeOf(error))
      return { problem: problem.toData() }
    }
  }

  /** Does what the owner asks for. */
  async ask(request: ClusterRequest): Promise<unknown> {
    const { host, directory } = this.#ports
    if (request.do === 'status') return this.state()
    if (request.do === 'share-secrets') {
      await this.#duties.shareSecrets()
      return { shared: true }
    }
    if (request.do !== 'invite') return host.ask(request)
    const authority = readAuthority(directory)
    if (authority === null)
      throw new Problem('CONFLICT', 'this gateway has no authority: make one with roost certificate create')
    const fingerprint = authority.fingerprint.replaceAll(':', '').toLowerCase()
    const code = writeInvitation({ url: host.me.url, fingerprint, token: this.#copies.invite() })
    return { code, expiresInS: INVITATION_MS / 1000 }
  }

  async #append({ number, value }: LogFrame): Promise<void> {
    const isAppended = await this.#ports.led.lease.append(number, value)
    if (isAppended) this.#duties.noteAppended(number, value.length)
    this.#leadership.answerAppend(isAppended)
  }
}
