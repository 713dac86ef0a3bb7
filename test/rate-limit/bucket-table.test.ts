/**
 * Interleavings that real threads rarely hit. While one call reads the table, other calls run from beginning
 * to end between two of its reads, with slightly different clocks.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  ACCOUNT_BUCKETS,
  BUCKETS_PROBED,
  BucketTable,
  createTable,
  hashKey,
} from '#rate-limit/bucket-table.ts'
import { WINDOW_UNITS } from '#rate-limit/gcra.ts'

const LIMIT = 6
const HEADER_WORDS = 8

/** Twelve keys that share the eight slots of the first set of accounts (seed 0). */
const crowd: string[] = []
for (let i = 0; crowd.length < 12; i++) {
  if (hashKey(`acc_${i}`, 0, 0) % ACCOUNT_BUCKETS < BUCKETS_PROBED) crowd.push(`acc_${i}`)
}

interface Call {
  readonly key: number
  /** Time that passes before this call. */
  readonly waitUnits: number
  /** How old the caller's reading of the clock is at the call. */
  readonly lateUnits: number
  /** The number of the read before which the next call of the list runs; 99: none. */
  readonly interruptedAtRead: number
}

const call: fc.Arbitrary<Call> = fc.record({
  key: fc.nat(crowd.length - 1),
  waitUnits: fc.oneof(fc.constant(0), fc.nat(WINDOW_UNITS / LIMIT), fc.nat(2 * WINDOW_UNITS)),
  lateUnits: fc.oneof(fc.constant(0), fc.nat(WINDOW_UNITS / LIMIT)),
  interruptedAtRead: fc.oneof(fc.constant(99), fc.nat(17)),
})

/**
 * Runs the calls. Before read number `interruptedAtRead` of a call, counted from 0, the next call runs whole.
 * `check` runs after each.
 */
function play(calls: readonly Call[], run: (call: Call, nowUnits: number) => void, check: () => void) {
  const load = Atomics.load
  const waiting = [...calls]
  let clock = 0
  const next = () => {
    const current = waiting.shift()
    if (current === undefined) return
    clock += current.waitUnits
    let reads = 0
    const outer = Atomics.load
    Atomics.load = ((words: BigUint64Array, index: number) => {
      if (reads++ === current.interruptedAtRead) next()
      return load(words, index)
    }) as typeof Atomics.load
    run(current, Math.max(0, clock - current.lateUnits))
    Atomics.load = outer
    check()
  }
  try {
    while (waiting.length > 0) next()
  } finally {
    Atomics.load = load
  }
}

test('with any interleaving a key has one bucket, and a set allows no more calls than its slots hold', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 150 }), calls => {
      const buffer = createTable(0n, 0n)
      const table = new BucketTable(buffer)
      const slots = new BigUint64Array(buffer, HEADER_WORDS * 8, BUCKETS_PROBED)
      let spent = 0
      let elapsedUnits = 0
      const run = ({ key }: Call, nowUnits: number) => {
        elapsedUnits = Math.max(elapsedUnits, nowUnits)
        if (table.spend('account', crowd[key] ?? '', { limit: LIMIT, nowUnits }).spent) spent++
      }
      play(calls, run, () => {
        const tags = [...slots].filter(word => word !== 0n).map(word => word >> 44n)
        assert.equal(new Set(tags).size, tags.length, 'a key is in two slots')
        const refilled = Math.floor((elapsedUnits * LIMIT) / WINDOW_UNITS)
        assert.ok(
          spent <= BUCKETS_PROBED * (LIMIT + refilled),
          'the set allowed more calls than its slots hold',
        )
      })
    }),
    { numRuns: 2000 },
  )
})
