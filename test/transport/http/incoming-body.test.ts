import type { HttpResponse } from 'uWebSockets.js'
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { nextTurn } from '#test/kit/next-turn.ts'
import {
  IncomingBody,
  REFUSED_BODY_BYTES_MAX,
  REFUSED_BODY_STALL_MS_MAX,
} from '#transport/http/incoming-body.ts'

/**
 * A body whose chunks and clock the test controls, and how often the end of its rest was told. The clock is
 * that of the whole process, so no test waits before it has moved the clock: other code would use it, too.
 */
function arriving(t: TestContext, bytes: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let arrive: (chunk: ArrayBuffer, isLast: boolean) => void = () =>
    assert.fail('nothing has asked for the body')
  const res = {
    onData: (take: typeof arrive) => {
      arrive = take
    },
  }
  const body = new IncomingBody(res as unknown as HttpResponse, { 'content-length': String(bytes) })
  let done = 0
  body.afterRest(() => {
    done += 1
  })
  return {
    body,
    arrive: (bytes: number, isLast = false) => arrive(new ArrayBuffer(bytes), isLast),
    pass: (ms: number) => t.mock.timers.tick(ms),
    done: () => done,
    doneInNextTurn: async () => {
      await nextTurn()
      return done
    },
  }
}

test('the rest of a refused body is awaited until the turn after its last chunk', async t => {
  const it = arriving(t, 10)
  it.arrive(5)
  it.arrive(5, true)
  it.pass(REFUSED_BODY_STALL_MS_MAX)
  assert.equal(it.done(), 0)
  assert.equal(await it.doneInNextTurn(), 1)
})

test('a caller that sends nothing for a while is no longer awaited', async t => {
  const it = arriving(t, 10)
  it.pass(REFUSED_BODY_STALL_MS_MAX - 1)
  it.arrive(5)
  it.pass(REFUSED_BODY_STALL_MS_MAX - 1)
  assert.equal(it.done(), 0)
  it.pass(1)
  assert.equal(it.done(), 1)
  it.arrive(5, true)
  assert.equal(await it.doneInNextTurn(), 1)
})

test('a body larger than the drop limit is not awaited', async t => {
  assert.equal(await arriving(t, REFUSED_BODY_BYTES_MAX + 1).doneInNextTurn(), 1)
})

test('no more than the drop limit is read', async t => {
  const it = arriving(t, REFUSED_BODY_BYTES_MAX)
  it.arrive(REFUSED_BODY_BYTES_MAX)
  assert.equal(await it.doneInNextTurn(), 0)
  it.arrive(1)
  assert.equal(await it.doneInNextTurn(), 1)
})

test('no callback runs after the exchange is over', async t => {
  const it = arriving(t, 10)
  it.body.end()
  it.pass(REFUSED_BODY_STALL_MS_MAX)
  it.arrive(10, true)
  assert.equal(await it.doneInNextTurn(), 0)
})
