import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Order } from '#agent/drivers/driver.ts'
import { logDriver } from '#agent/drivers/log/log-driver.ts'
import { messageIdOf } from '#test/kit/fake-gateway.ts'

const order: Order = {
  messageId: messageIdOf(1),
  attempt: 1,
  phoneNumber: '+14155550123',
  message: 'Backup failed\n\u001b[2Jagain',
  segments: 1,
  simSlot: null,
  kind: 'sms',
  ttlMs: 3_600_000,
  acceptedAt: '2026-01-31T12:00:00.000Z',
  mark: null,
  at: '2026-01-31T12:00:00.000Z',
}
const never = new AbortController().signal

test('the log driver reports sent, never delivered', async () => {
  const printed: string[] = []
  const driver = logDriver(line => printed.push(line), false)
  assert.deepEqual(await driver.send(order, never), { state: 'sent' })
  assert.deepEqual([printed.length, driver.follow], [1, undefined])
})

test('the log driver prints JSON, and on a terminal a line without control characters', async () => {
  const printed: string[] = []
  await logDriver(line => printed.push(line), false).send(order, never)
  await logDriver(line => printed.push(line), true).send(order, never)
  assert.equal(JSON.parse(printed[0] ?? '').message, order.message)
  assert.equal(printed[1], 'Text to +14155550123: Backup failed\\n\\u{1b}[2Jagain')
})

test('the log driver prints whom it would ring, and says that it rang', async () => {
  const printed: string[] = []
  for (const isTerminal of [false, true])
    assert.equal(
      await logDriver(line => printed.push(line), isTerminal).ring?.('+14155550123', 25, never),
      'rang',
    )
  const words = 'would ring +14155550123 for 25 s'
  assert.deepEqual(printed, [JSON.stringify({ ring: words }), words])
})
