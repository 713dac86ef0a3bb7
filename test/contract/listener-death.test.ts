import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundled } from '#test/kit/bundle.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { nextLook } from '#test/kit/next-turn.ts'

const LISTENER = bundled('dying-listener')

test('a listener that throws out of a callback is replaced, and the process keeps running', async t => {
  const gateway = await startGateway({ entries: { listener: LISTENER } })
  t.after(() => gateway.stop())
  await assert.rejects(fetch(`${gateway.url}/healthz`))
  const isReplaced = () => gateway.log.some(({ event }) => event === 'listener.replaced')
  while (!isReplaced()) await nextLook()
  for (;;) {
    const answer = await gateway.call('GET', '/healthz').catch(() => null)
    if (answer === null) continue
    assert.equal(answer.status, 200)
    break
  }
  const cause = JSON.stringify(gateway.log.find(({ event }) => event === 'listener.failed'))
  assert.match(cause, /a planted fault/)
})
