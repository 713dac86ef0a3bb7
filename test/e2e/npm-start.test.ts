import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { start } from '#test/kit/program.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const checkout = fileURLToPath(new URL('.', import.meta.resolve('#package.json')))

test('stopping npm start stops the gateway', { timeout: HANGS_AFTER_MS }, async t => {
  const data = join(temporaryDirectory(t), 'data')
  const env = { ROOST_HTTP__HOST: '127.0.0.1', ROOST_HTTP__PORT: '0', ROOST_DATA_DIR: data }
  // Skips the installation of packages that normally runs first.
  const npm = start(['npm', 'start', '--ignore-scripts'], { cwd: checkout, env })
  const { pid } = JSON.parse(await npm.stderr.until(/"event":"starting"/)) as { pid: number }
  t.after(() => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {}
  })
  await npm.stderr.until(/"event":"listening"/)
  npm.child.kill('SIGTERM')
  assert.equal(await npm.ended, 0)
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})
