import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AcceptMessage, CommandCall } from '#contracts/commands.ts'
import { packAnswer, packCall, unpackAnswer, unpackCall } from '#storage/send-row.ts'
import { messageToAccept } from '#test/kit/messages.ts'

const REFUSED = { id: 3, ok: false, problem: { code: 'NOT_FOUND', message: 'no such device' } } as const

const PLAIN = { noNullPrototype: true }

/** Each field is drawn on its own. In most runs two swapped fields differ, so a swap is noticed. */
const inputs: fc.Arbitrary<Required<AcceptMessage>> = fc.record(
  {
    accountId: fc.string(),
    test: fc.boolean(),
    kind: fc.constantFrom('sms', '2fa', 'webhook'),
    phoneNumber: fc.string(),
    country: fc.option(fc.string()),
    text: fc.string(),
    segments: fc.nat(),
    encoding: fc.constantFrom('GSM-7', 'UCS-2'),
    deviceId: fc.option(fc.string()),
    ttlMs: fc.option(fc.nat()),
    priority: fc.constantFrom('normal', 'high'),
    simSlot: fc.option(fc.nat()),
    queueIfOffline: fc.boolean(),
    notificationUrl: fc.option(fc.webUrl()),
    sendAt: fc.option(fc.nat()),
    webhookId: fc.constant(null),
    guess: fc.constant(false),
    despiteOptOut: fc.constant(false),
    idempotency: fc.option(fc.record({ scope: fc.string(), key: fc.string(), bodyHash: fc.string() }, PLAIN)),
  },
  PLAIN,
)

test('a send survives its encoding as a row of values', () => {
  fc.assert(
    fc.property(fc.nat(), inputs, (id, input) => {
      const call = { id, name: 'message.accept', input } as const
      const packed = structuredClone(packCall(call))
      assert.ok(Array.isArray(packed))
      assert.deepEqual(unpackCall(packed), call)
    }),
  )
})

test('a send that goes despite an opt-out is not packed, because the row has no room for that', () => {
  const input = messageToAccept('acc_1', { despiteOptOut: true })
  const call = { id: 1, name: 'message.accept', input } as const
  assert.equal(packCall(call), call)
})

test('an accepted message survives its encoding as a row; a refusal is not encoded', () => {
  const send: CommandCall = { id: 3, name: 'message.accept', input: messageToAccept('acc_1') }
  const accepted = { id: 3, ok: true, output: { answer: '{"status":"queued"}', replayed: true } } as const
  assert.deepEqual(packAnswer(send, accepted), [3, '{"status":"queued"}', true])
  assert.deepEqual(unpackAnswer(packAnswer(send, accepted)), accepted)
  assert.equal(packAnswer(send, REFUSED), REFUSED)
  assert.equal(unpackAnswer(REFUSED), REFUSED)
  const check: CommandCall = { id: 4, name: 'gateway.check', input: {} }
  const done = { id: 4, ok: true, output: null } as const
  assert.equal(packAnswer(check, done), done)
  assert.equal(packCall(check), check)
  assert.equal(unpackCall(check), check)
})
