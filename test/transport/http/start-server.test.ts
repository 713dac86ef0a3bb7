import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { DEVICE_SUBPROTOCOL } from '#contracts/device-frames.ts'
import type { DeviceIdentity } from '#domain/account/principal.ts'
import { createLimiterBuffer, openLimiter } from '#rate-limit/limiter.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { CONNECTIONS_PER_ADDRESS_MAX } from '#transport/http/bound-connections.ts'
import { LargeBodies } from '#transport/http/large-bodies.ts'
import { type StartPorts, startServer } from '#transport/http/start-server.ts'

const PHONE: DeviceIdentity = { deviceId: 'dev_1', accountId: 'acc_1', protocol: 'roost' }

/** Starts a server on a free port, with a phone whose token is `t`. */
async function start(t: TestContext, ports: Partial<StartPorts>, http = CONFIG_DEFAULTS.http) {
  const port = await freePort()
  const config = { ...CONFIG_DEFAULTS, http: { ...http, host: '127.0.0.1', port } }
  const listening = Promise.withResolvers<number | null>()
  const server = startServer({
    listener: 1,
    config,
    writer: { ask: () => assert.fail('nobody asks'), waiting: 0 },
    limiter: openLimiter(createLimiterBuffer()),
    plan: () => assert.fail('no caller is known'),
    large: new LargeBodies(1),
    log: ({ event }) => assert.fail(event),
    credentials: { reader: { device: () => PHONE } } as never,
    routes: [],
    listening: listening.resolve,
    ...ports,
  })
  t.after(() => server.stop())
  assert.equal(await listening.promise, null)
  return { server, port }
}

test('a stopping server still answers the requests that it has started', async t => {
  const begun = Promise.withResolvers<void>()
  const work = Promise.withResolvers<void>()
  const { server, port } = await start(t, {
    routes: [
      {
        method: 'get',
        path: '/slow',
        access: 'public',
        body: 'none',
        async handle() {
          begun.resolve()
          await work.promise
          return { data: 'done' }
        },
      },
    ],
  })
  const answer = fetch(`http://127.0.0.1:${port}/slow`)
  await begun.promise
  const stopped = server.stop()
  // By now a server that does not wait for open requests has stopped.
  for (let turns = 0; turns < 10; turns++) await nextTurn()
  work.resolve()
  assert.deepEqual(await (await answer).json(), { success: true, data: 'done' })
  await stopped
})

test('a phone may connect and disconnect often', async t => {
  const connectionsMax = 3
  const { port } = await start(t, { connectionsMax })
  for (let turn = 0; turn < 3 * connectionsMax; turn++) {
    const phone = await connectPhone(port)
    phone.close()
    await once(phone, 'close')
  }
})

test('connections above the bound are closed until others end', async t => {
  const connectionsMax = 3
  const { port } = await start(t, { connectionsMax, log: () => {} })
  const phones = []
  while (phones.length < connectionsMax) phones.push(await connectPhone(port))
  for (let turn = 0; turn < 3; turn++) await assert.rejects(connectPhone(port))
  const [first] = phones
  first?.close()
  await once(first as WebSocket, 'close')
  await connectPhone(port)
})

test('while most connections are in use, one address gets only its share, and others are served', async t => {
  const told: string[] = []
  const { port } = await start(t, { connectionsMax: 250, log: ({ event }) => void told.push(event) })
  assert.equal(await staying(port, '127.0.0.2', 200), CONNECTIONS_PER_ADDRESS_MAX)
  assert.equal(await staying(port, '127.0.0.3', 20), 20)
  await connectPhone(port, '127.0.0.4')
  assert.deepEqual(told, ['connections.refused'])
})

test('while few connections are in use, an address may open as many as it wants', async t => {
  const { port } = await start(t, { connectionsMax: 600 })
  assert.equal(await staying(port, '127.0.0.2', 200), 200)
})

test('a proxy, named or on the same machine, may have more connections than one address', async t => {
  const http = { ...CONFIG_DEFAULTS.http, trusted_proxies: ['127.0.0.2/32'] }
  const { port } = await start(t, { connectionsMax: 450 }, http)
  assert.equal(await staying(port, '127.0.0.2', 200), 200)
  assert.equal(await staying(port, '127.0.0.1', 200), 200)
})

test('the last tenth is kept for addresses from which a phone was connected', async t => {
  const connectionsMax = 20
  const { port } = await start(t, { connectionsMax, log: () => {} })
  const phone = await connectPhone(port, '127.0.0.4')
  phone.close()
  await once(phone, 'close')
  assert.equal(await staying(port, '127.0.0.2', 30), 18)
  await assert.rejects(connectPhone(port, '127.0.0.3'))
  await connectPhone(port, '127.0.0.4')
  await connectPhone(port, '127.0.0.4')
  await assert.rejects(connectPhone(port, '127.0.0.4'))
})

/** Opens `count` connections from this address. @returns how many of them are served */
async function staying(port: number, localAddress: string, count: number): Promise<number> {
  const sockets = Array.from({ length: count }, () => connect({ host: '127.0.0.1', port, localAddress }))
  const served = await Promise.all(sockets.map(answers))
  return served.filter(Boolean).length
}

/** Whether a request on this connection is answered, rather than the connection closed. */
async function answers(socket: Socket): Promise<boolean> {
  const answered = Promise.withResolvers<boolean>()
  socket.on('error', () => answered.resolve(false))
  socket.on('close', () => answered.resolve(false))
  socket.on('data', () => answered.resolve(true))
  socket.write('GET / HTTP/1.1\r\nHost: roost\r\n\r\n')
  return answered.promise
}

async function connectPhone(port: number, localAddress = '127.0.0.1'): Promise<WebSocket> {
  const options = { headers: { authorization: 'Bearer t' }, localAddress }
  const phone = new WebSocket(`ws://127.0.0.1:${port}/device/v1/socket`, DEVICE_SUBPROTOCOL, options)
  await once(phone, 'open')
  return phone
}
