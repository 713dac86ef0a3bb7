import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { EtcdClient } from '#transport/etcd/etcd-client.ts'

/** A member of etcd that grants leases, or ends every connection. */
async function member(t: TestContext, works: boolean) {
  const seen = { calls: 0 }
  const server = createServer((request, response) => {
    seen.calls += 1
    if (works) response.end('{"ID":"7"}')
    else request.socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

for (const calls of [1, 2, 3])
  test(`after ${calls} calls that failed together, the next member of etcd is asked`, async t => {
    const [first, second, third] = [await member(t, false), await member(t, true), await member(t, true)]
    const endpoints = [first.url, second.url, third.url]
    const client = new EtcdClient({ endpoints, ca: null, cert: null, key: null, user: null })
    t.after(() => client.close())
    const failed = await Promise.allSettled(Array.from({ length: calls }, () => client.grant(4)))
    assert.ok(failed.every(({ status }) => status === 'rejected'))
    assert.equal(await client.grant(4), '7')
    assert.deepEqual([second.seen.calls, third.seen.calls], [1, 0])
  })
