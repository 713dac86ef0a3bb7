import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { REQUEST_MS_MAX } from '#contracts/bounds.ts'
import { Exchange } from '#transport/http/exchange.ts'
import { LargeBodies } from '#transport/http/large-bodies.ts'
import { OpenExchanges } from '#transport/http/open-exchanges.ts'

/** The parts of a request and response that `Exchange` uses, with a body that the test controls. */
function slowRequest(t: TestContext, headers: Readonly<Record<string, string>> = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  const exchanges = new OpenExchanges(REQUEST_MS_MAX, () => nowMs)
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed++) {
      nowMs += 1
      t.mock.timers.tick(1)
    }
  }
  const calls: string[] = []
  let arrive: (chunk: ArrayBuffer, isLast: boolean) => void = () => {}
  const res = {
    onAborted: () => {},
    onData: (take: typeof arrive) => {
      arrive = take
    },
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    cork: (write: () => void) => write(),
    writeStatus: () => {},
    writeHeader: () => {},
    end: () => {},
  }
  const forEach = (take: (name: string, value: string) => void) => {
    for (const [name, value] of Object.entries(headers)) take(name, value)
  }
  const req = { getMethod: () => 'post', getUrl: () => '/', getQuery: () => '', forEach }
  const host = {
    open: exchanges,
    large: new LargeBodies(1),
    expired: () => calls.push('expired'),
    failed: () => calls.push('failed'),
    ended: (_: Exchange, status: number) => calls.push(`ended ${status}`),
  }
  const open = () => new Exchange(res as unknown as HttpResponse, req as unknown as HttpRequest, host)
  return { calls, open, pass, arrive: (isLast: boolean) => arrive(new ArrayBuffer(1), isLast) }
}

test('a stalled body keeps its connection until the deadline', t => {
  const { calls, open, pass, arrive } = slowRequest(t)
  const exchange = open()
  exchange.readBody(100, () => {})
  arrive(false)
  pass(7_999)
  assert.deepEqual(calls, ['pause', 'resume'])
  pass(REQUEST_MS_MAX - 7_999 - 1)
  assert.deepEqual(calls, ['pause', 'resume', 'pause', 'resume'])
  pass(1)
  assert.deepEqual(calls.slice(4), ['expired'])
})

test('the timeout of a complete body is not renewed while its answer is made', t => {
  const { calls, open, pass, arrive } = slowRequest(t)
  const exchange = open()
  exchange.readBody(100, () => {})
  arrive(true)
  pass(REQUEST_MS_MAX)
  assert.deepEqual(calls, ['expired'])
})

test('the rest of a refused body is read until the deadline at most', async t => {
  const { calls, open, pass, arrive } = slowRequest(t, { 'content-length': '1000' })
  const exchange = open()
  exchange.readBody(100, () =>
    exchange.answer({ status: 413, contentType: 'text/plain', body: '', close: true }),
  )
  for (let passed = 0; passed < REQUEST_MS_MAX; passed += 500) {
    assert.ok(!calls.includes('ended 413'))
    arrive(false)
    pass(500)
  }
  assert.equal(calls.at(-1), 'ended 413')
})
