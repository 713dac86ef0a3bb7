import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { findPort } from '#app/public-url.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { createLimiterBuffer, openLimiter } from '#limits/limiter.ts'
import { startServer } from '#transport/http/start-server.ts'

test('a server that stops answers what it has begun, also what does not wait for the writer', async () => {
  const port = await findPort({ host: '127.0.0.1', port: 0 })
  const config = { ...CONFIG_DEFAULTS, http: { ...CONFIG_DEFAULTS.http, host: '127.0.0.1', port } }
  const begun = Promise.withResolvers<void>()
  const work = Promise.withResolvers<void>()
  const listening = Promise.withResolvers<boolean>()
  const server = startServer({
    listener: 1,
    config,
    writer: { ask: () => assert.fail('nobody asks'), waiting: 0 },
    limiter: openLimiter(createLimiterBuffer()),
    plan: () => assert.fail('nobody is known'),
    log: ({ event }) => assert.fail(event),
    credentials: {} as never,
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
    listening: listening.resolve,
  })
  assert.ok(await listening.promise)
  const answer = fetch(`http://127.0.0.1:${port}/slow`)
  await begun.promise
  const stopped = server.stop()
  // Whoever stops without looking has stopped by now.
  for (let turns = 0; turns < 10; turns++) await nextTurn()
  work.resolve()
  assert.deepEqual(await (await answer).json(), { success: true, data: 'done' })
  await stopped
})
