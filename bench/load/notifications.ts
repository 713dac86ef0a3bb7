/**
 * Measures how fast the gateway delivers notifications to a local receiver: it reads them from the database,
 * signs them on the pool, posts them and records the result. All of them are written before the gateway
 * starts, so that nothing else is measured. The receiver runs in this process.
 */

import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemNow } from '#app/clock.ts'
import { loadConfig } from '#app/config/config-file.ts'
import { settingsOf } from '#app/config/settings.ts'
import { makeBenchFolder } from '#bench/load/bench-folder.ts'
import { startGateway } from '#bench/load/gateway.ts'
import type { CommandCall } from '#contracts/commands.ts'
import { NOTIFICATION_EVENTS } from '#contracts/notification-event.ts'
import { dataDirectory, makeDataDirectory } from '#storage/data-directory.ts'
import { openStorage } from '#storage/open-storage.ts'
import { systemSource } from '#storage/source.ts'
import { COMMANDS_PER_BATCH_MAX } from '#storage/writer-loop.ts'

const EVENTS = 20_000

export async function benchNotifications(): Promise<void> {
  const folder = makeBenchFolder('bench')
  const receiver = await startReceiver(EVENTS)
  writeEvents(folder, receiver.url)
  const env = { ROOST_DATA_DIR: folder, ROOST_NOTIFICATIONS__ALLOWED_HOSTS: '["127.0.0.1"]' }
  const gateway = await startGateway(env)
  const seconds = await receiver.seconds
  await gateway.stop()
  receiver.stop()
  rmSync(folder, { recursive: true, force: true })
  process.stdout.write(
    `\n${EVENTS} notifications, signed and delivered to one local receiver\n` +
      `  ${(EVENTS / seconds).toFixed(0)} events/s\n`,
  )
}

function writeEvents(folder: string, url: string): void {
  const directory = dataDirectory(folder)
  makeDataDirectory(directory)
  const { config } = loadConfig({ options: {}, env: {}, cwd: folder })
  const storage = openStorage(directory, {
    settings: settingsOf(config, { publicUrl: 'http://localhost', authority: null }),
    source: systemSource(new Uint8Array(32)),
    now: systemNow,
    faulted: error => {
      throw error
    },
  })
  const run = (calls: readonly Omit<CommandCall, 'id'>[]) => {
    const { answers } = storage.batch.run(calls.map((call, id) => ({ ...call, id })))
    const [first] = answers
    if (!first?.ok || answers.some(({ ok }) => !ok)) throw new Error('a command was refused')
    return first.output
  }
  const { accountId } = run([{ name: 'gateway.first-start', input: {} }]) as { accountId: string }
  run([{ name: 'notification.set', input: { accountId, url, events: NOTIFICATION_EVENTS } }])
  for (let left = EVENTS; left > 0; left -= COMMANDS_PER_BATCH_MAX) {
    const count = Math.min(left, COMMANDS_PER_BATCH_MAX)
    run(Array.from({ length: count }, () => ({ name: 'notification.test', input: { accountId } })))
  }
  storage.close()
}

/** `seconds` resolves after `count` different notifications, with the time from the first to the last. */
async function startReceiver(count: number) {
  const done = Promise.withResolvers<number>()
  const seen = new Set<unknown>()
  let startedAt = 0
  const server = createServer((request, response) => {
    if (seen.size === 0) startedAt = performance.now()
    seen.add(request.headers['x-webhook-id'])
    request.resume().on('end', () => response.writeHead(204).end())
    if (seen.size === count) done.resolve((performance.now() - startedAt) / 1000)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, seconds: done.promise, stop: () => server.close() }
}
