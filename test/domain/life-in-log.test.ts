import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld, type TestPhone } from '#test/kit/test-phone.ts'

test('the log has an event for each change of a phone and each failed message', () => {
  const { world, phones, send } = openWorld()
  const [phone] = phones as [TestPhone]
  phone.connect()
  const id = send()
  phone.begin(id)
  phone.sendFrame({
    type: 'report',
    messageId: id,
    attempt: 1,
    state: 'failed',
    code: 'NULL_PDU',
    detail: 'empty text',
    at: null,
  })
  phone.close()
  world.advance(46_000)
  const logged = world.effects.flatMap(effect => (effect.kind === 'log' ? [effect] : []))
  assert.deepEqual(
    logged.map(({ level, event }) => `${level} ${event}`),
    [
      'info device.paired',
      'info device.online',
      'info message.failed',
      'info device.offline',
      'warn device.last_offline',
    ],
  )
  const reason = 'the phone could not send it: empty text'
  assert.deepEqual(logged[2]?.fields, { messageId: id, code: 'NULL_PDU', phone: 'Phone', reason })
  assert.doesNotMatch(JSON.stringify(logged), /\+1415|Hello/)
})
