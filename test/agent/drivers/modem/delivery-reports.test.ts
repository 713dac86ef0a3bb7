import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeliveryReports } from '#agent/drivers/modem/delivery-reports.ts'
import { memoryRecord } from '#agent/drivers/modem/modem-record.ts'
import { HandClock } from '#test/kit/hand-clock.ts'
import { NUMBER, orderOf } from '#test/kit/modem/modem-rig.ts'

const never = new AbortController().signal

test('a reference that comes again is about the newest text to a number', async () => {
  const record = memoryRecord()
  const reports = new DeliveryReports(record, new HandClock())
  const arrived = (reference: number) =>
    reports.take({ Number: NUMBER, MessageReference: reference, DeliveryState: 0 } as Parameters<
      typeof reports.take
    >[0])
  const old = orderOf('old', { segments: 2 })
  const foreign = orderOf('to another', { phoneNumber: '+4915100000009', segments: 2 })
  reports.expect(old, 2)
  reports.expect(foreign, 2)
  const end = reports.follow(old, never)
  for (let count = 2; count <= 129; count++) {
    const order = orderOf(`text ${count}`, { segments: 2 })
    const last = (count * 2) % 256
    reports.expect(order, last)
    assert.ok(arrived(last))
    assert.ok(arrived((last + 255) % 256))
    assert.deepEqual(await reports.follow(order, never), { state: 'delivered' }, `text ${count}`)
  }
  assert.equal(await end, null, 'no report of it can be told apart')
  assert.deepEqual(
    record.awaited.map(({ messageId }) => messageId),
    [foreign.messageId],
  )
})
