import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Heartbeat } from '#app/health/heartbeat.ts'
import type { Writer } from '#contracts/commands.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { HEARTBEAT_EVERY_MS } from '#contracts/health-bounds.ts'
import { HandClock } from '#test/kit/hand-clock.ts'

test('a watcher on this machine is called each minute, but not while a problem is critical', async t => {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    response.end()
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const clock = new HandClock()
  let severity = 'warning'
  let asked = 0
  const writer = {
    async ask() {
      asked += 1
      return [{ severity }]
    },
  } as unknown as Writer
  const { port } = server.address() as AddressInfo
  const heartbeat_url = `http://127.0.0.1:${port}/ping/1?status=up`
  const heartbeat = new Heartbeat({
    config: { ...CONFIG_DEFAULTS, alarms: { ...CONFIG_DEFAULTS.alarms, heartbeat_url } },
    writer,
    log: { entry() {}, write() {} },
    after: (run, ms) => clock.after(ms, run),
  })
  t.after(() => heartbeat.stop())
  const armed = async () => {
    while (clock.nextInMs === null) await turn()
  }
  heartbeat.start()
  await armed()
  assert.deepEqual(calls, ['GET /ping/1?status=up'])
  severity = 'critical'
  clock.advance(HEARTBEAT_EVERY_MS)
  await armed()
  assert.deepEqual([asked, calls.length], [2, 1])
  severity = 'warning'
  clock.advance(HEARTBEAT_EVERY_MS)
  await armed()
  assert.deepEqual([asked, calls.length], [3, 2])
})
