import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import type { AnswersFrame, CallsFrame } from '#contracts/thread-frames.ts'
import { unpackCall } from '#storage/send-row.ts'
import { CALLS_WAITING_MAX, WriterClient } from '#storage/writer-client.ts'

const CLOSED = { deviceId: 'dev_1', connection: { listener: 1, socket: 1 }, silentMs: 0 }

test('when the writer has ended, waiting and new commands are refused', async () => {
  const { port1, port2 } = new MessageChannel()
  const client = new WriterClient(port1)
  const refused = { code: 'SERVICE_UNAVAILABLE', message: 'the gateway is stopping: try again in 5 s' }
  const waiting = assert.rejects(client.ask('gateway.check', {}), refused)
  const closed = once(port1, 'close')
  port2.close()
  await Promise.all([waiting, closed])
  await assert.rejects(client.ask('gateway.check', {}), refused)
  assert.equal(client.waiting, 0)
})

test('notices are never refused, however many commands wait', async t => {
  const { port1, port2 } = new MessageChannel()
  t.after(() => port2.close())
  const client = new WriterClient(port1)
  const settled = Array.from({ length: CALLS_WAITING_MAX }, () => client.ask('gateway.check', {}))
  await assert.rejects(client.ask('gateway.check', {}), { code: 'SERVICE_UNAVAILABLE' })
  const told = client.ask('phone.closed', CLOSED)
  assert.equal(client.waiting, CALLS_WAITING_MAX + 1)
  port2.on('message', ({ calls }: CallsFrame) => {
    const answers = calls.map(unpackCall).map(({ id }) => ({ id, ok: true as const, output: null }))
    port2.postMessage({ answers, effects: [] } satisfies AnswersFrame)
  })
  await Promise.all([...settled, told])
  assert.equal(await client.ask('gateway.check', {}), null, 'the queue accepts commands again')
})
