import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { WriterClient } from '#storage/writer-client.ts'

test('whoever asks a writer that is gone is refused, before and after it went', async () => {
  const { port1, port2 } = new MessageChannel()
  const client = new WriterClient(port1)
  const refused = { code: 'SERVICE_UNAVAILABLE', message: 'the gateway is stopping' }
  const waiting = assert.rejects(client.ask('gateway.check', {}), refused)
  const closed = once(port1, 'close')
  port2.close()
  await Promise.all([waiting, closed])
  await assert.rejects(client.ask('gateway.check', {}), refused)
  assert.equal(client.waiting, 0)
})
