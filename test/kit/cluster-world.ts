/**
 * A cluster in virtual time: the real member, lease, log and entries, with models of etcd, of the writer, and
 * of a phone that transmits whatever it is told. A new leader asks the phone about each text that was on its
 * way, so a `go` that leaves too late is a text that is sent twice.
 */
import { ClusterLog } from '#app/cluster/cluster-log.ts'
import { type Copy, type Led, Member, type OwnLease } from '#app/cluster/member.ts'
import { openLeadership } from '#rate-limit/leadership.ts'
import { EntryOpener, sealEntry, TermKey } from '#storage/cluster-entry.ts'
import type { LoggedValue } from '#storage/log-follower.ts'
import { hashOfEntry, type Membership } from '#storage/membership.ts'
import { EtcdModel } from '#test/kit/etcd-model.ts'
import { Random } from '#test/kit/random.ts'
import { Process, VirtualTime } from '#test/kit/virtual-time.ts'

/** Ways to break the promise, which the simulation must find. */
export type Mutant = 'no fence' | 'effects before the append' | 'lease too long' | 'no comparison'

export const KEY = new Uint8Array(32)
export const ID = 'clu_simulated'
const MEMBERS = 3
const RESTARTED_AFTER_MS = 500
/** Faults begin before this time; after it, everything heals. */
const FAULTS_MS = 25_000
const END_MS = 45_000

/** A change of a row: a text is accepted, is handed to the phone, or was sent. */
type Change = readonly ['accept' | 'go' | 'sent', number]

/** A copy in memory. It takes entries as the real one does. */
export class MemoryCopy implements Copy {
  position: Membership
  readonly newerSchema = null
  hasRoom = true
  readonly rows = new Map<number, Change[0]>()
  readonly values: LoggedValue[] = []
  readonly #opener = new EntryOpener(KEY)

  constructor(hash: Uint8Array) {
    this.position = { clusterId: ID, entry: 1, hash }
  }

  touch(): void {}

  take(values: readonly LoggedValue[]): void {
    for (const { number, value } of values) {
      const { kind, previous, body } = this.#opener.open(value, { clusterId: ID, number })
      const { entry, hash } = this.position
      if (number !== entry + 1 || Buffer.compare(previous, hash) !== 0) throw new Error('the copy differs')
      if (kind === 'changes')
        for (const [what, text] of JSON.parse(Buffer.from(body).toString()) as Change[])
          this.rows.set(text, what)
      this.values.push({ number, value })
      this.position = { clusterId: ID, entry: number, hash: hashOfEntry(value) }
    }
  }
}

export function foundingEntry(): Uint8Array {
  const term = new TermKey(KEY, new Uint8Array(16))
  const founding = { kind: 'lead', schema: 1, previous: new Uint8Array(32), body: new Uint8Array() } as const
  return sealEntry(term, { clusterId: ID, number: 1 }, founding)
}

interface Node {
  readonly process: Process
  readonly copy: MemoryCopy
  readonly name: string
  readonly ownLease: OwnLease
}

/** What a restart of the process leaves. */
export function keptLease(): OwnLease {
  let kept: string | null = null
  return {
    read: () => kept,
    note(lease) {
      kept = lease
    },
  }
}

export interface Outcome {
  readonly faults: readonly string[]
  readonly accepted: number
  readonly takeovers: number
}

export class ClusterWorld {
  readonly #time = new VirtualTime()
  readonly #dice: Random
  readonly #etcd: EtcdModel
  readonly #mutant: Mutant | null
  readonly #nodes: Node[] = []
  readonly #acked = new Set<number>()
  readonly #transmitted: number[] = []
  readonly #faults: string[] = []
  #nextText = 0
  #takeovers = 0

  constructor(seed: number, mutant: Mutant | null = null) {
    this.#dice = new Random(seed)
    this.#etcd = new EtcdModel(this.#time, this.#dice)
    this.#mutant = mutant
  }

  async run(): Promise<Outcome> {
    const first = foundingEntry()
    const founder = new Process(this.#time, this.#dice)
    void this.#found(founder, first)
    for (let index = 0; index < MEMBERS; index++) {
      const process = new Process(this.#time, this.#dice)
      const copy = new MemoryCopy(hashOfEntry(first))
      const node = { process, copy, name: `gw${index}`, ownLease: keptLease() }
      this.#nodes.push(node)
      this.#time.after(100 * index, () => this.#start(node), process)
    }
    this.#planFaults()
    await this.#time.runUntil(FAULTS_MS)
    this.#heal()
    this.#etcd.ignoresComparisons = this.#mutant === 'no comparison'
    await this.#time.runUntil(END_MS)
    this.#judge()
    return { faults: this.#faults, accepted: this.#acked.size, takeovers: this.#takeovers }
  }

  async #found(founder: Process, first: Uint8Array): Promise<void> {
    const log = new ClusterLog(this.#etcd.seenBy(founder))
    while (!(await log.found(ID, first).catch(() => false))) {
      const look = await log.look(1).catch(() => null)
      if (look?.id === ID) break
    }
    this.#etcd.ignoresComparisons = this.#mutant === 'no comparison'
  }

  #start(node: Node): void {
    const { process, copy, name, ownLease } = node
    const member = new Member({
      log: new ClusterLog(this.#etcd.seenBy(process)),
      me: { name, url: `https://${name}` },
      copy,
      clusterKey: KEY,
      schema: 1,
      monoNs: process.monoNs,
      wallMs: () => 0,
      pause: process.pause,
      looked: () => undefined,
      readSecrets: async () => undefined,
      ownLease,
    })
    member
      .follow(new AbortController().signal)
      .then(end => (typeof end === 'object' ? this.#lead(node, end.led) : undefined))
      .catch(error => this.#faults.push(`${name}: ${String(error)}`))
  }

  /** What the writer does, and then the end of the process. */
  async #lead(node: Node, led: Led): Promise<void> {
    const { process, copy } = node
    this.#takeovers += 1
    const leadership = openLeadership(led.leadership, process.monoNs)
    const term = new TermKey(KEY, led.salt)
    if (this.#mutant === 'lease too long') this.#trustForLonger(led, process)
    const mayLeave = () => this.#mutant === 'no fence' || leadership.holds()
    // What was on its way, the phone is asked about.
    await process.pause(20)
    const known = new Set(this.#transmitted)
    let again = [...copy.rows].flatMap(([text, row]): Change[] =>
      row === 'go' ? [[known.has(text) ? 'sent' : 'accept', text]] : [],
    )
    for (;;) {
      const changes: Change[] = [...again, ...this.#work(copy)]
      again = []
      if (changes.length > 0) {
        const { entry, hash } = copy.position
        const number = entry + 1
        const body = Buffer.from(JSON.stringify(changes))
        const value = sealEntry(
          term,
          { clusterId: ID, number },
          { kind: 'changes', schema: 1, previous: hash, body },
        )
        if (this.#mutant === 'effects before the append') this.#letGo(changes)
        const isAppended = await led.lease.append(number, value)
        if (!isAppended && this.#mutant !== 'no fence') break
        if (isAppended) copy.take([{ number, value }])
        // Anything may happen between the commit and the effects, also that the process sleeps for a while.
        if (this.#time.nowMs < FAULTS_MS && this.#dice.chance(1 / 60))
          process.pausedUntilMs = this.#time.nowMs + this.#dice.below(9_000)
        await process.pause(this.#dice.below(10))
        if (!mayLeave()) break
        if (this.#mutant !== 'effects before the append') this.#letGo(changes)
        if (!isAppended) break
      }
      await process.pause(1 + this.#dice.below(300))
      if (!mayLeave()) break
    }
    this.#restart(node)
  }

  /** New texts, the `go` of one that waits, and the report of one that was sent. */
  #work({ rows }: MemoryCopy): Change[] {
    const changes: Change[] = []
    if (this.#dice.chance(1 / 2)) changes.push(['accept', this.#nextText++])
    const waiting = [...rows].find(([, row]) => row === 'accept')
    if (waiting !== undefined) changes.push(['go', waiting[0]])
    const known = new Set(this.#transmitted)
    const reported = [...rows].find(([text, row]) => row === 'go' && known.has(text))
    if (reported !== undefined && this.#dice.chance(1 / 2)) changes.push(['sent', reported[0]])
    return changes
  }

  #letGo(changes: readonly Change[]): void {
    for (const [what, text] of changes) {
      if (what === 'accept') this.#acked.add(text)
      if (what === 'go') this.#time.after(this.#dice.below(20), () => this.#transmitted.push(text))
    }
  }

  #trustForLonger({ leadership }: Led, process: Process): void {
    const words = new BigInt64Array(leadership, 0, 1)
    const extend = () => {
      const until = words[0] ?? 0n
      if (until > 1n) words[0] = until + 4_000_000_000n
      void process.pause(900).then(extend)
    }
    extend()
  }

  #restart(node: Node): void {
    node.process.kill()
    this.#time.after(RESTARTED_AFTER_MS, () => this.#start(node), node.process)
  }

  #planFaults(): void {
    const dice = this.#dice
    for (let left = 3 + dice.below(6); left > 0; left--) {
      const node = this.#nodes[dice.below(MEMBERS)] as Node
      const faults: (() => void)[] = [
        () => this.#restart(node),
        () => {
          node.process.pausedUntilMs = this.#time.nowMs + dice.below(9_000)
        },
        () => this.#cut(node.process, dice.below(9_000)),
        () => {
          this.#etcd.isDown = true
          this.#time.after(dice.below(6_000), () => {
            this.#etcd.isDown = false
            this.#etcd.changeLeader()
          })
        },
      ]
      const fault = faults[dice.below(faults.length)] as () => void
      this.#time.after(1_000 + dice.below(FAULTS_MS - 2_000), fault)
    }
  }

  #cut(process: Process, ms: number): void {
    this.#etcd.cut.add(process)
    this.#time.after(ms, () => this.#etcd.cut.delete(process))
  }

  #heal(): void {
    this.#etcd.isDown = false
    this.#etcd.cut.clear()
    for (const { process } of this.#nodes) process.pausedUntilMs = 0
  }

  #judge(): void {
    const longest = this.#nodes
      .map(({ copy }) => copy)
      .reduce((a, b) => (b.values.length > a.values.length ? b : a))
    for (const { copy, name } of this.#nodes)
      for (const [index, { value }] of copy.values.entries())
        if (Buffer.compare(value, longest.values[index]?.value ?? Buffer.alloc(0)) !== 0) {
          this.#faults.push(`${name} has another entry ${index + 2}`)
          break
        }
    for (const text of this.#acked) if (!longest.rows.has(text)) this.#faults.push(`lost: ${text}`)
    const seen = new Set<number>()
    for (const text of this.#transmitted) {
      if (seen.has(text)) this.#faults.push(`sent twice: ${text}`)
      seen.add(text)
    }
  }
}
