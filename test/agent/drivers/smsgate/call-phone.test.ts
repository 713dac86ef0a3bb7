import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { type TestContext, test } from 'node:test'
import { callPhone, PhoneCallError } from '#agent/drivers/smsgate/call-phone.ts'
import { HandClock } from '#test/kit/hand-clock.ts'

/** A phone that counts what arrives, by method. */
async function phone(t: TestContext) {
  const arrived: string[] = []
  const server = createServer((request, response) => {
    arrived.push(request.method ?? '')
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { arrived, url: `http://phone.test:${(server.address() as AddressInfo).port}` }
}

test('a gateway that loses the lead while it connects to a phone posts nothing', async t => {
  const { arrived, url } = await phone(t)
  let leads = true
  const lookup: LookupFunction = (_, options, done) => {
    leads = false
    if (options.all) done(null, [{ address: '127.0.0.1', family: 4 }])
    else done(null, '127.0.0.1', 4)
  }
  const access = { url, username: 'a', password: 'b', lookup, mayTransmit: () => leads }
  const posted = callPhone(new HandClock(), access, { method: 'POST', path: '/messages', body: { a: 1 } })
  await assert.rejects(posted, error => error instanceof PhoneCallError && error.mayHaveArrived)
  await assert.rejects(callPhone(new HandClock(), access, { method: 'POST', path: '/', body: {} }))
  assert.equal((await callPhone(new HandClock(), access, { method: 'GET', path: '/' })).httpStatus, 200)
  assert.deepEqual(arrived, ['GET'])
})
