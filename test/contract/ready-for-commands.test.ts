import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundled } from '#test/kit/bundle.ts'
import { startGateway } from '#test/kit/gateway.ts'

const LISTENER = bundled('commanded-listener')

test('commands are accepted before the port is open', async t => {
  const gateway = await startGateway({ entries: { listener: LISTENER } })
  t.after(() => gateway.stop())
  assert.equal((await gateway.call('GET', '/readyz')).status, 200)
})
