import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { findPort } from '#app/config/public-url.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { DEVICE_SUBPROTOCOL } from '#contracts/device-frames.ts'
import { createLimiterBuffer, openLimiter } from '#rate-limit/limiter.ts'
import { type StartPorts, startServer } from '#transport/http/start-server.ts'

/** A server on a free port whose phone has the token `t`. */
async function start(ports: Partial<StartPorts>) {
  const port = await findPort({ host: '127.0.0.1', port: 0 })
  const config = { ...CONFIG_DEFAULTS, http: { ...CONFIG_DEFAULTS.http, host: '127.0.0.1', port } }
  const listening = Promise.withResolvers<boolean>()
  const server = startServer({
    listener: 1,
    config,
    writer: { ask: () => assert.fail('nobody asks'), waiting: 0 },
    limiter: openLimiter(createLimiterBuffer()),
    plan: () => assert.fail('nobody is known'),
    log: ({ event }) => assert.fail(event),
    credentials: { reader: { device: () => ({ deviceId: 'dev_1', accountId: 'acc_1' }) } } as never,
    routes: [],
    listening: listening.resolve,
    ...ports,
  })
  assert.ok(await listening.promise)
  return { server, port }
}

test('a server that stops answers what it has begun, also what does not wait for the writer', async () => {
  const begun = Promise.withResolvers<void>()
  const work = Promise.withResolvers<void>()
  const { server, port } = await start({
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
  // Whoever stops without looking has stopped by now.
  for (let turns = 0; turns < 10; turns++) await nextTurn()
  work.resolve()
  assert.deepEqual(await (await answer).json(), { success: true, data: 'done' })
  await stopped
})

test('a phone may come and go as often as it likes', async () => {
  const connectionsMax = 3
  const { server, port } = await start({ connectionsMax })
  for (let turn = 0; turn < 3 * connectionsMax; turn++) {
    const phone = await connectPhone(port)
    phone.close()
    await once(phone, 'close')
  }
  await server.stop()
})

test('connections beyond the bound are ended, until others are', async () => {
  const connectionsMax = 3
  const { server, port } = await start({ connectionsMax })
  const phones = []
  while (phones.length < connectionsMax) phones.push(await connectPhone(port))
  for (let turn = 0; turn < 3; turn++) await assert.rejects(connectPhone(port))
  const [first] = phones
  first?.close()
  await once(first as WebSocket, 'close')
  await connectPhone(port)
  await server.stop()
})

async function connectPhone(port: number): Promise<WebSocket> {
  const headers = { authorization: 'Bearer t' }
  const phone = new WebSocket(`ws://127.0.0.1:${port}/device/v1/socket`, DEVICE_SUBPROTOCOL, { headers })
  await once(phone, 'open')
  return phone
}
