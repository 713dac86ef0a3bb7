import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFaults, killNine } from '#test/kit/kill-nine.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { sized } from '#test/kit/test-size.ts'

const ROUNDS = sized(4, 30)

test('kill -9 under load loses nothing and sends nothing twice', { timeout: HANGS_AFTER_MS }, async t => {
  const seed = Math.floor(Math.random() * 2 ** 32)
  t.diagnostic(`seed ${seed}`)
  const begunAt = performance.now()
  const progress = (round: number) => {
    if (round % 10 === 0)
      t.diagnostic(`${round} rounds after ${((performance.now() - begunAt) / 1000).toFixed()} s`)
  }
  const records = await killNine(t, { rounds: ROUNDS, seed, progress })
  const { acknowledged, keyed, ambiguous, messages, readyMs, gos } = records
  t.diagnostic(`${messages.length} messages, ${acknowledged.size} acknowledged, ${keyed.size} with a key`)
  t.diagnostic(`${ambiguous} requests without an answer or a key, ${gos.length} go`)
  t.diagnostic(
    `ready after ${readyMs[ROUNDS / 2]?.toFixed()} ms (median), ${readyMs.at(-1)?.toFixed()} ms (longest)`,
  )
  assert.deepEqual(findFaults(records), [])
  assert.ok(acknowledged.size >= ROUNDS, 'the run had load')
})
