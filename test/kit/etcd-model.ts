/** A model of etcd in virtual time. Requests and answers are late, lost and doubled, and networks are cut. */
import type { Random } from '#test/kit/random.ts'
import type { Process, VirtualTime } from '#test/kit/virtual-time.ts'
import type { Comparison, Etcd, KeyValue, Operation, TransactionResult } from '#transport/etcd/etcd-client.ts'

interface Stored {
  readonly value: Buffer
  readonly createRevision: number
  readonly modRevision: number
  readonly lease: string | null
}

/** As the client's time limit of a call. */
const CALL_MS_MAX = 1_000

export class EtcdModel {
  /** Processes that are cut off. */
  readonly cut = new Set<Process>()
  /** No majority: nothing is carried out. */
  isDown = false
  /** A faulty etcd, to show that the tests find it. */
  ignoresComparisons = false
  readonly #time: VirtualTime
  readonly #dice: Random
  readonly #keys = new Map<string, Stored>()
  /** The names of the keys in order, because most looks come without a change. Null: they have changed. */
  #sorted: string[] | null = null
  /** When each lease ends, and its length. */
  readonly #leases = new Map<string, { endsMs: number; readonly lengthMs: number }>()
  #revision = 1
  #lastLease = 0

  constructor(time: VirtualTime, dice: Random) {
    this.#time = time
    this.#dice = dice
  }

  /** Another member of etcd leads: leases begin again. */
  changeLeader(): void {
    this.#expire()
    for (const lease of this.#leases.values()) lease.endsMs = this.#time.nowMs + lease.lengthMs
  }

  /** The etcd that a process sees. */
  seenBy(process: Process): Etcd {
    const call = <T>(run: () => T): Promise<T> => this.#call(process, run)
    return {
      transact: (when, then, otherwise = []) => call(() => this.#transact(when, then, otherwise)),
      grant: seconds => call(() => this.#grant(seconds * 1_000)),
      keepAlive: lease => call(() => this.#keepAlive(lease)),
      revoke: lease =>
        call(() => {
          this.#end(lease)
        }),
      compact: () => call(() => undefined),
    }
  }

  #call<T>(process: Process, run: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const dice = this.#dice
      const { life } = process
      const isHeard = () => !this.isDown && !this.cut.has(process)
      this.#time.after(CALL_MS_MAX, () => reject(new Error('no answer')), process)
      const carryOut = () => {
        if (!isHeard()) return
        const answer = attempt(run)
        // A process that was killed meanwhile gets no answer.
        if (process.life !== life || dice.chance(1 / 60)) return
        this.#time.after(
          this.#delayMs(),
          () => {
            if (isHeard()) answer().then(resolve, reject)
          },
          process,
        )
      }
      if (isHeard() && !dice.chance(1 / 60)) this.#time.after(this.#delayMs(), carryOut)
      // A request that was sent twice, or was held up for long on its way.
      if (isHeard() && dice.chance(1 / 60))
        this.#time.after(dice.below(6_000), () => !this.isDown && attempt(run))
    })
  }

  #delayMs(): number {
    return this.#dice.chance(1 / 20) ? this.#dice.below(900) : 1 + this.#dice.below(8)
  }

  #transact(
    when: readonly Comparison[],
    then: readonly Operation[],
    otherwise: readonly Operation[],
  ): TransactionResult {
    this.#expire()
    const succeeded = this.ignoresComparisons || when.every(one => this.#holds(one))
    const operations = succeeded ? then : otherwise
    // As etcd, which refuses the whole transaction.
    for (const one of operations)
      if ('put' in one && one.lease !== undefined && !this.#leases.has(one.lease))
        throw new Error('no such lease')
    if (operations.some(one => 'put' in one || 'delete' in one)) this.#revision += 1
    const found = operations.map(one => this.#operate(one))
    return { succeeded, found, revision: String(this.#revision) }
  }

  #holds(one: Comparison): boolean {
    const stored = this.#keys.get(one.key)
    if ('exists' in one) return (stored !== undefined) === one.exists
    if ('value' in one) return stored?.value.toString() === one.value
    return String(stored?.createRevision ?? 0) === one.createRevision
  }

  #operate(one: Operation): KeyValue[] {
    if ('put' in one) {
      const createRevision = this.#keys.get(one.put)?.createRevision ?? this.#revision
      const { put: key, value, lease = null } = one
      if (!this.#keys.has(key)) this.#sorted = null
      this.#keys.set(key, { value: Buffer.from(value), createRevision, modRevision: this.#revision, lease })
      return []
    }
    if ('delete' in one) {
      for (const { key } of this.#range(one.delete, one.to ?? `${one.delete}\0`)) this.#keys.delete(key)
      this.#sorted = null
      return []
    }
    if ('get' in one) return this.#range(one.get, `${one.get}\0`)
    return this.#range(one.range.from, one.range.to, one)
  }

  #range(
    from: string,
    to: string,
    { order, limit = 0 }: { readonly order?: 'ASCEND' | 'DESCEND'; readonly limit?: number } = {},
  ): KeyValue[] {
    this.#sorted ??= [...this.#keys.keys()].sort()
    const names = this.#sorted.slice(placeOf(this.#sorted, from), placeOf(this.#sorted, to))
    if (order === 'DESCEND') names.reverse()
    return (limit > 0 ? names.slice(0, limit) : names).map(key => {
      const { value, createRevision, modRevision } = this.#keys.get(key) as Stored
      return { key, value, createRevision: String(createRevision), modRevision: String(modRevision) }
    })
  }

  #grant(lengthMs: number): string {
    const lease = String(++this.#lastLease)
    this.#leases.set(lease, { endsMs: this.#time.nowMs + lengthMs, lengthMs })
    return lease
  }

  #keepAlive(id: string): boolean {
    this.#expire()
    const lease = this.#leases.get(id)
    if (lease === undefined) return false
    lease.endsMs = this.#time.nowMs + lease.lengthMs
    return true
  }

  #expire(): void {
    for (const [id, { endsMs }] of this.#leases) if (endsMs <= this.#time.nowMs) this.#end(id)
  }

  #end(id: string): void {
    this.#leases.delete(id)
    for (const [key, { lease }] of this.#keys) if (lease === id) this.#keys.delete(key)
    this.#sorted = null
  }
}

/** Runs it now; the result is for later. */
function attempt<T>(run: () => T): () => Promise<T> {
  try {
    const result = run()
    return () => Promise.resolve(result)
  } catch (error) {
    return () => Promise.reject(error)
  }
}

/** The place of the first name that is not before this one. */
function placeOf(sorted: readonly string[], name: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as string) < name) low = middle + 1
    else high = middle
  }
  return low
}
