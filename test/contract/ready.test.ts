import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { controlSocketFile } from '#app/control/control-socket-file.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { bundled, bundledThreads } from '#test/kit/bundle.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

test('a gateway is ready only once its pool is: then all senders may post at once', async t => {
  const dataDir = temporaryDirectory(t)
  const gate = join(dataDir, 'gate')
  execFileSync('mkfifo', [gate])
  process.env['POOL_GATE'] = gate
  t.after(() => delete process.env['POOL_GATE'])
  let isReady = false
  const entries = { ...bundledThreads(), pool: bundled('gated-pool') }
  const started = startGateway({ dataDir, entries }).finally(() => {
    isReady = true
  })
  const control = controlSocketFile(dataDirectory(dataDir).controlSocket)
  while (!existsSync(control)) await nextTurn()
  // The database is open. Without its pool, the gateway would be ready after far fewer turns.
  for (let turns = 0; turns < 2_000; turns += 1) await nextTurn()
  const wasReady = isReady
  writeFileSync(gate, 'open')
  const other = await started
  const { status } = await other.call('GET', '/readyz')
  await other.stop()
  assert.deepEqual([wasReady, status], [false, 200])
})
