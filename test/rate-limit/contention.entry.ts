/**
 * Takes from shared buckets as fast as it can. The clock is a counter in shared memory that all workers
 * advance.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { Region } from '#rate-limit/bucket-table.ts'
import { openLimiter } from '#rate-limit/limiter.ts'

export interface Contention {
  readonly buffer: SharedArrayBuffer
  /** [0] workers ready, [1] go. */
  readonly gate: Int32Array
  /** [0] nanoseconds of the shared clock. */
  readonly clock: BigInt64Array
  /** By how much each take advances the clock; 0 stops it. */
  readonly nsPerTake: bigint
  readonly region: Region
  readonly keys: readonly string[]
  readonly limitPerMinute: number
  readonly takes: number
}

const work = workerData as Contention
const limiter = openLimiter(work.buffer, {
  wallMs: () => 0,
  monotonicNs: () => Atomics.add(work.clock, 0, work.nsPerTake),
})
const allowed = work.keys.map(() => 0)
Atomics.add(work.gate, 0, 1)
Atomics.notify(work.gate, 0)
Atomics.wait(work.gate, 1, 0)
for (let i = 0; i < work.takes; i++) {
  const at = i % work.keys.length
  if (limiter.take(work.region, work.keys[at] ?? '', work.limitPerMinute).allowed) {
    allowed[at] = (allowed[at] ?? 0) + 1
  }
}
parentPort?.postMessage(allowed)
