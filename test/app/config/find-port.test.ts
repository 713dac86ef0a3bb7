import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { findPort } from '#app/config/find-port.ts'
import { freePort, freePorts } from '#test/kit/free-ports.ts'

const HOST = '127.0.0.1'

describe('a free port', () => {
  test('is never one that the system hands out, nor the same twice', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, () => findPort({ host: HOST, port: 0 })))
    assert.equal(new Set(ports).size, ports.length)
    assert.ok(ports.every(port => port >= 10_000 && port < 32_768))
  })

  test('is the next one when another program has it', async t => {
    const before = await findPort({ host: HOST, port: 0 })
    const other = createServer().listen(before + 1, HOST)
    t.after(() => other.close())
    await once(other, 'listening')
    const found = await findPort({ host: HOST, port: 0 })
    assert.notEqual(found, before + 1)
    await assert.rejects(findPort({ host: HOST, port: before + 1 }), { code: 'EADDRINUSE', port: before + 1 })
  })

  test('of a test is no other test’s, even before it is opened', async t => {
    const taken = (await freePort()) + 1
    const other = createSocket('udp4').bind({ port: taken, address: HOST, exclusive: true })
    t.after(() => other.close())
    await once(other, 'listening')
    const ports = await freePorts(5)
    assert.equal(new Set(ports).size, ports.length)
    assert.ok(!ports.includes(taken))
  })
})
