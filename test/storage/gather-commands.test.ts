import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMANDS_PER_BATCH_MAX } from '#contracts/bounds.ts'
import { GATHERING_COMMANDS_MIN, GATHERING_MS_MAX, gatherCommands } from '#storage/gather-commands.ts'
import { nextTurn } from '#test/kit/next-turn.ts'

/**
 * Gathers after a transaction of `lastBatch` commands. `arrivals`: how many commands wait at each look.
 * Returns how long it gathered, in milliseconds; null: it has not ended.
 */
async function gather(lastBatch: number, arrivals: readonly number[]): Promise<number | null> {
  let looks = 0
  let gatheredMs = 0
  let isDone = false
  const wakes: (() => void)[] = []
  const setTimer = (wake: () => void, inMs: number) => {
    gatheredMs += inMs
    wakes.push(wake)
  }
  const waiting = () => arrivals[looks++] ?? assert.fail('it looked too often')
  gatherCommands({ lastBatch, waiting, setTimer }, () => {
    isDone = true
  })
  await nextTurn()
  for (let wake = wakes.pop(); wake !== undefined; wake = wakes.pop()) wake()
  return isDone ? gatheredMs : null
}

const LARGE = GATHERING_COMMANDS_MIN + 1

test('after a small transaction the next one begins without delay', async () => {
  assert.equal(await gather(GATHERING_COMMANDS_MIN, []), 0)
})

test('after a large transaction commands are gathered until no more arrive', async () => {
  assert.equal(await gather(LARGE, [16, 48, 48]), 2)
  assert.equal(await gather(LARGE, [0, 0]), 1)
})

test('commands are gathered for a bounded time', async () => {
  const growing = Array.from({ length: GATHERING_MS_MAX + 1 }, (_, look) => 16 * (look + 1))
  assert.equal(await gather(LARGE, growing), GATHERING_MS_MAX)
})

test('commands that fill a transaction are not kept waiting', async () => {
  assert.equal(await gather(LARGE, [COMMANDS_PER_BATCH_MAX]), 0)
})
