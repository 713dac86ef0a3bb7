import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PacedTasks } from '#transport/device/roost/paced-tasks.ts'

/** Tasks whose turns of the event loop begin only when told to. */
function openTasks(perTurn: number) {
  let wakes: (() => void)[] = []
  const tasks = new PacedTasks(perTurn, wake => wakes.push(wake))
  const ran: number[] = []
  const beginTurn = () => {
    const due = wakes
    wakes = []
    for (const wake of due) wake()
  }
  const run = (n: number, isVoid = false) =>
    tasks.run(() => {
      ran.push(n)
      return !isVoid
    })
  return { run, ran, beginTurn, wakes: () => wakes.length }
}

test('each turn runs at most so many tasks, in order', () => {
  const { run, ran, beginTurn } = openTasks(2)
  for (let n = 1; n <= 5; n += 1) run(n)
  assert.deepEqual(ran, [1, 2])
  beginTurn()
  assert.deepEqual(ran, [1, 2, 3, 4])
  // A new task does not overtake one that waits.
  run(6)
  beginTurn()
  assert.deepEqual(ran, [1, 2, 3, 4, 5, 6])
})

test('a task runs at once after a quiet turn, and nothing wakes the loop when nothing waits', () => {
  const { run, ran, beginTurn, wakes } = openTasks(1)
  run(1)
  beginTurn()
  assert.equal(wakes(), 0)
  run(2)
  assert.deepEqual(ran, [1, 2])
})

test('tasks with nothing left to do delay no other task', () => {
  const { run, ran, beginTurn, wakes } = openTasks(1)
  run(1)
  for (const n of [2, 3, 4]) run(n, true)
  run(5)
  run(6)
  beginTurn()
  assert.deepEqual(ran, [1, 2, 3, 4, 5])
  assert.equal(wakes(), 1)
  beginTurn()
  assert.deepEqual(ran, [1, 2, 3, 4, 5, 6])
})
