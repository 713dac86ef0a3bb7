import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAllowedHosts, refusalOfPhone } from '#app/phones/phone-hosts.ts'

test('a phone is in a private network, or listed, and never a neighbour of the gateway', async () => {
  const allowed = parseAllowedHosts(['127.0.0.1', '203.0.113.7'])
  const neighbours = [
    { hostname: '10.0.0.1', port: 2379 },
    { hostname: 'localhost', port: 1883 },
  ]
  const refusal = (url: string) => refusalOfPhone(url, { allowed, neighbours })
  for (const url of ['http://192.168.1.20:8080', 'http://203.0.113.7:8080', 'http://10.0.0.1:8080'])
    assert.equal(await refusal(url), null, url)
  assert.match((await refusal('http://203.0.113.8:8080')) ?? '', /is not in a private network/)
  for (const url of ['http://10.0.0.1:2379', 'http://127.0.0.1:1883', 'http://localhost:1883'])
    assert.match((await refusal(url)) ?? '', /is a service beside this gateway/, url)
})
