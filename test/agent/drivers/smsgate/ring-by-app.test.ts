import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { examineRinger, ringByApp } from '#agent/drivers/smsgate/smsgate-driver.ts'
import { HandClock } from '#test/kit/hand-clock.ts'

const phoneNumber = '+4915100000001'

/** A stand-in for the app CallGate, which records its calls. */
async function callGate(t: TestContext, httpStatus = 200) {
  const seen: string[] = []
  const news = new EventTarget()
  const server = createServer(async (request, response) => {
    const body = await text(request)
    seen.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`.trim())
    response.writeHead(httpStatus).end()
    news.dispatchEvent(new Event('call'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { access: { url, username: 'a', password: 'b' }, seen, called: () => once(news, 'call') }
}

const DIAL = `POST /api/v1/calls Basic YTpi {"call":{"phoneNumber":"${phoneNumber}"}}`
const HANG_UP = 'DELETE /api/v1/calls Basic YTpi'

test('CallGate calls, and hangs up when the time is over', async t => {
  const { access, seen, called } = await callGate(t)
  const clock = new HandClock()
  const { signal } = new AbortController()
  const ringing = ringByApp(clock, access, { phoneNumber, seconds: 25, signal })
  await called()
  while (clock.nextInMs !== 25_000) await new Promise(setImmediate)
  assert.deepEqual(seen, [DIAL])
  clock.advance(25_000)
  assert.equal(await ringing, 'rang')
  assert.deepEqual(seen, [DIAL, HANG_UP])
})

test('it hangs up when nobody needs the ring any more', async t => {
  const { access, seen, called } = await callGate(t)
  const stop = new AbortController()
  const ringing = ringByApp(new HandClock(), access, { phoneNumber, seconds: 25, signal: stop.signal })
  await called()
  stop.abort()
  await ringing
  assert.deepEqual(seen, [DIAL, HANG_UP])
})

test('an app that refuses, or is not there, has not rung', async t => {
  const { access } = await callGate(t, 401)
  const { signal } = new AbortController()
  const ring = { phoneNumber, seconds: 25, signal }
  assert.equal(await ringByApp(new HandClock(), access, ring), 'failed')
  assert.equal(await ringByApp(new HandClock(), { ...access, url: 'http://127.0.0.1:9' }, ring), 'failed')
})

test('its address and password are tried without a call', async t => {
  const clock = new HandClock()
  for (const [httpStatus, field] of [
    [400, undefined],
    [500, undefined],
    [401, 'password'],
    [404, 'url'],
  ] as const) {
    const { access, seen } = await callGate(t, httpStatus)
    assert.equal((await examineRinger(clock, access))?.field, field)
    assert.deepEqual(seen, ['POST /api/v1/calls Basic YTpi {}'])
  }
  const nobody = { url: 'http://127.0.0.1:9', username: 'a', password: 'b' }
  assert.equal((await examineRinger(clock, nobody))?.field, 'url')
})
