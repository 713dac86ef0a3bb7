import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createLimiterBuffer } from '#rate-limit/limiter.ts'
import { bundled } from '#test/kit/bundle.ts'
import { sized } from '#test/kit/test-size.ts'
import type { Contention } from '#test/rate-limit/contention.entry.ts'

const WORKERS = 4
/** How often each thread takes from a bucket. */
const TAKES = sized(16_000, 40_000)

type Plan = Omit<Contention, 'buffer' | 'gate' | 'clock'>

/**
 * Runs the plan in four threads that start together. Returns the calls allowed per key, and the time that
 * passed.
 */
async function contend(plan: Plan): Promise<{ allowed: number[]; elapsedNs: bigint }> {
  const clock = new BigInt64Array(new SharedArrayBuffer(8))
  const gate = new Int32Array(new SharedArrayBuffer(8))
  const buffer = createLimiterBuffer({ wallMs: () => 0, monotonicNs: () => 0n })
  const workerData: Contention = { ...plan, buffer, gate, clock }
  const workers = Array.from({ length: WORKERS }, () => new Worker(bundled('contention'), { workerData }))
  const answers = workers.map(async worker => {
    const [counts] = (await once(worker, 'message')) as [number[]]
    return counts
  })
  const ended = workers.map(worker => once(worker, 'exit'))
  for (let ready = 0; ready < WORKERS; ready = Atomics.load(gate, 0)) {
    await Atomics.waitAsync(gate, 0, ready).value
  }
  Atomics.store(gate, 1, 1)
  Atomics.notify(gate, 1)
  const counts = await Promise.all(answers)
  await Promise.all(ended)
  const allowed = plan.keys.map((_, i) => counts.reduce((sum, count) => sum + (count[i] ?? 0), 0))
  return { allowed, elapsedNs: Atomics.load(clock, 0) }
}

for (const limitPerMinute of [1, 10, 997, 60_000]) {
  test(`four threads get exactly ${limitPerMinute} calls of a key on a stopped clock`, async () => {
    const plan = { region: 'account', keys: ['acc_1'], limitPerMinute, takes: TAKES, nsPerTake: 0n } as const
    assert.deepEqual((await contend(plan)).allowed, [limitPerMinute])
  })
}

test('four threads that claim many new keys at once give each exactly its calls', async () => {
  // A thousand keys on 8,192 sets: no set overflows. Four threads claim each key at the same moment.
  const keys = Array.from({ length: 1000 }, (_, i) => `192.0.2.${i}`)
  const plan = { region: 'address', keys, limitPerMinute: 3, takes: 8000, nsPerTake: 0n } as const
  const { allowed } = await contend(plan)
  assert.deepEqual(
    allowed,
    keys.map(() => 3),
  )
})

test('four threads on a running clock never get more than the capacity and what was refilled', async () => {
  // Each take advances the shared clock by a millisecond; 60 a minute is one a second.
  const keys = Array.from({ length: 20 }, (_, i) => `acc_${i}`)
  const plan = { region: 'account', keys, limitPerMinute: 60, takes: 20_000, nsPerTake: 1_000_000n } as const
  const { allowed, elapsedNs } = await contend(plan)
  const refilled = Number(elapsedNs / 1_000_000_000n)
  assert.equal(refilled, 80)
  for (const count of allowed) {
    assert.ok(count <= 60 + refilled, `${count} calls were allowed in ${refilled} s`)
    assert.ok(count >= 60 + refilled - 1, `only ${count} calls were allowed in ${refilled} s`)
  }
})
