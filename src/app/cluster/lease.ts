/**
 * The leader's lease. It counts from the moment at which it was asked for, by the machine's monotonic clock,
 * and for less time than etcd gives. So nothing leaves this process once etcd may let another member lead.
 */
import type { ClusterLog, Term } from '#app/cluster/cluster-log.ts'
import { LEASE_TRUSTED_MS } from '#contracts/cluster.ts'
import type { Leadership } from '#rate-limit/leadership.ts'

/** How often the lease is renewed. */
const RENEWED_EVERY_MS = 1_000
/** Pause between two tries. */
const RETRY_MS = 100

export interface LeasePorts {
  readonly log: Pick<ClusterLog, 'keepAlive' | 'append'>
  readonly leadership: Pick<Leadership, 'holds' | 'holdUntil' | 'giveUp'>
  readonly monoNs: () => bigint
  readonly pause: (ms: number) => Promise<void>
}

export class Lease {
  readonly #ports: LeasePorts
  readonly term: Term
  /** Whether who leads still works. While it does not, the lease is not renewed. */
  mayRenew: () => boolean = () => true

  /** `askedAtNs`: when the lease was asked for. */
  constructor(ports: LeasePorts, term: Term, askedAtNs: bigint) {
    this.#ports = ports
    this.term = term
    ports.leadership.holdUntil(trustedUntil(askedAtNs))
  }

  /** Renews the lease until it is lost. Resolves with the reason. */
  async keep(): Promise<string> {
    const { log, monoNs, pause, leadership } = this.#ports
    while (leadership.holds()) {
      const askedAtNs = monoNs()
      const isAlive = this.mayRenew() ? await log.keepAlive(this.term.lease).catch(() => null) : null
      if (isAlive === false) leadership.giveUp()
      // Does nothing if the lease has been found over since.
      if (isAlive === true && leadership.holds()) leadership.holdUntil(trustedUntil(askedAtNs))
      await pause(isAlive === true ? RENEWED_EVERY_MS : RETRY_MS)
    }
    if (!this.mayRenew()) return 'the lease ended: the writer does not answer, as on a disk that hangs'
    return 'the lease ended: another gateway may lead now, or no majority of etcd answers'
  }

  /**
   * Appends an entry. If no answer comes, asks again for the same place until the lease ends. False: the
   * entry is not there, or it is not known, and nothing of it may leave.
   */
  append(number: number, value: Uint8Array): Promise<boolean> {
    return this.insist(() => this.#ports.log.append(this.term, number, value))
  }

  /**
   * Repeats a call that needs this term until etcd answers, or the lease ends. False: this term no longer
   * leads.
   */
  async insist(call: () => Promise<boolean>): Promise<boolean> {
    const { leadership, pause } = this.#ports
    while (leadership.holds()) {
      const isDone = await call().catch(() => null)
      if (isDone === false) leadership.giveUp()
      if (isDone !== null) return isDone && leadership.holds()
      await pause(RETRY_MS)
    }
    return false
  }
}

function trustedUntil(askedAtNs: bigint): bigint {
  return askedAtNs + BigInt(LEASE_TRUSTED_MS) * 1_000_000n
}
