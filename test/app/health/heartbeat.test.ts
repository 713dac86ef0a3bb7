import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { HEARTBEAT_EVERY_MS, Heartbeat } from '#app/health/heartbeat.ts'
import type { Writer } from '#contracts/commands.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { HandClock } from '#test/kit/hand-clock.ts'
import { nextTurn } from '#test/kit/next-turn.ts'

/** A heartbeat on the manual clock, and a local monitoring server whose answer the test sets. */
async function watched(t: TestContext, path: string, fixed?: readonly string[]) {
  const answer = { status: 200, body: 'OK' }
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    response.writeHead(answer.status).end(answer.body)
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const clock = new HandClock()
  const state = { severity: 'warning', asked: 0 }
  const writer = {
    async ask() {
      state.asked += 1
      return [{ severity: state.severity }]
    },
  } as unknown as Writer
  const logged: { event: string; fields: unknown }[] = []
  const { port } = server.address() as AddressInfo
  const heartbeat_url = `http://127.0.0.1:${port}${path}`
  const config = {
    ...CONFIG_DEFAULTS,
    alarms: { ...CONFIG_DEFAULTS.alarms, heartbeat_url },
    ...(fixed !== undefined && { fixed }),
  }
  const heartbeat = new Heartbeat({
    config,
    writer,
    log: { entry() {}, write: (_, event, fields) => logged.push({ event, fields }) },
    after: (run, ms) => clock.after(ms, run),
  })
  t.after(() => heartbeat.stop())
  const armed = async () => {
    while (clock.nextInMs === null) await nextTurn()
  }
  heartbeat.start()
  await armed()
  const minute = async () => {
    clock.advance(HEARTBEAT_EVERY_MS)
    await armed()
  }
  return { answer, calls, state, logged, minute, heartbeat, config, armed }
}

test('a heartbeat URL on this machine is called each minute unless a problem is critical', async t => {
  const { calls, state, minute } = await watched(t, '/ping/1?status=up')
  assert.deepEqual(calls, ['GET /ping/1?status=up'])
  state.severity = 'critical'
  await minute()
  assert.deepEqual([state.asked, calls.length], [2, 1])
  state.severity = 'warning'
  await minute()
  assert.deepEqual([state.asked, calls.length], [3, 2])
})

test('an address that was chosen at the API obeys the rules for targets when it is called', async t => {
  const { calls, logged } = await watched(t, '/ping/1', [])
  assert.deepEqual([calls, logged.map(({ event }) => event)], [[], ['heartbeat.failed']])
})

test('another address is called at once, and the first one no more', async t => {
  const { calls, minute, heartbeat, config, armed } = await watched(t, '/ping/1')
  const heartbeat_url = config.alarms.heartbeat_url.replace('ping/1', 'ping/2')
  await heartbeat.reconfigure({ ...config, alarms: { ...config.alarms, heartbeat_url } })
  await armed()
  await minute()
  assert.deepEqual(calls, ['GET /ping/1', 'GET /ping/2', 'GET /ping/2'])
  await heartbeat.reconfigure({ ...config, alarms: { ...config.alarms, heartbeat_url: '' } })
  await armed()
  await minute()
  assert.equal(calls.length, 3)
})

/**
 * Addresses as these programs give them out, and what they answer.
 * @see https://healthchecks.io/docs/http_api/
 * @see https://github.com/louislam/uptime-kuma/blob/master/server/routers/api-router.js
 */
const WATCHERS = [
  {
    name: 'Healthchecks, for a check that was removed',
    path: '/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278',
    well: { status: 200, body: 'OK' },
    ill: { status: 200, body: 'OK (not found)' },
  },
  {
    name: 'self-hosted Healthchecks, with a check addressed by its name',
    path: '/ping/fqOOd6-F4MMNuCEnzTU01w/roost?create=1',
    well: { status: 201, body: 'Created' },
    ill: { status: 404, body: 'not found' },
  },
  {
    name: 'Uptime Kuma, for a monitor that is paused',
    path: '/api/push/4Gdp9cHeNu?status=up&msg=OK&ping=',
    well: { status: 200, body: '{"ok":true}' },
    ill: { status: 500, body: '{"ok":false,"msg":"Monitor not found or not active."}' },
  },
]

for (const { name, path, well, ill } of WATCHERS)
  test(`a heartbeat that the monitoring server does not accept is logged once: ${name}`, async t => {
    const { answer, calls, logged, minute } = await watched(t, path)
    const answers = async (next: typeof well) => {
      Object.assign(answer, next)
      await minute()
      await minute()
    }
    await answers(well)
    assert.deepEqual(logged, [], 'an accepted heartbeat is not logged')
    await answers(ill)
    const failed = { status: ill.status, error: null, answer: ill.body }
    assert.deepEqual(logged.splice(0), [{ event: 'heartbeat.failed', fields: failed }])
    await answers(well)
    assert.deepEqual(logged, [{ event: 'heartbeat.recovered', fields: {} }])
    assert.deepEqual([...new Set(calls)], [`GET ${path}`])
  })
