import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TaskQueue } from '#pool/task-queue.ts'
import { nextTurn } from '#test/kit/next-turn.ts'

/** A queue for one task at a time. Each task notes its name and ends when the test calls `end`. */
function open() {
  const queue = new TaskQueue({ what: 'tasks', runningMax: 1, waitingPerOwnerMax: 3, waitingMax: 5 })
  const started: string[] = []
  const ends: (() => void)[] = []
  const run = (name: string) =>
    queue.run(() => {
      started.push(name)
      return new Promise<void>(resolve => ends.push(resolve))
    }, name.charAt(0))
  return { queue, started, run, end: () => ends.shift()?.() }
}

test('owners take turns, each in the order of its own tasks', async () => {
  const { started, run, end, queue } = open()
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map(run)
  assert.equal(queue.waiting, 5)
  for (const task of [0, 1, 4, 5, 2, 3]) {
    await nextTurn()
    end()
    await all[task]
  }
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'c1', 'a3', 'a4'])
  assert.equal(queue.waiting, 0)
})

test('each queue is bounded, and so are all together, but each owner gets a place', async () => {
  const { run, end, queue } = open()
  const accepted = ['a1', 'a2', 'a3', 'a4'].map(run)
  await assert.rejects(run('a5'), {
    code: 'SERVICE_UNAVAILABLE',
    message: 'too many tasks are waiting: try again in 5 s',
  })
  accepted.push(run('b1'), run('b2'))
  await assert.rejects(run('b3'), { code: 'SERVICE_UNAVAILABLE' })
  accepted.push(run('c1'))
  await assert.rejects(run('c2'), { code: 'SERVICE_UNAVAILABLE' })
  assert.equal(queue.waiting, 6)
  for (const task of [0, 1, 4, 6, 2, 5, 3]) {
    await nextTurn()
    end()
    await accepted[task]
  }
})

test('a task that fails makes room for the next one', async () => {
  const { queue } = open()
  const failed = queue.run(() => Promise.reject(new Error('no')), 'a')
  const next = queue.run(() => Promise.resolve('done'), 'a')
  await assert.rejects(failed, /no/)
  assert.equal(await next, 'done')
})
