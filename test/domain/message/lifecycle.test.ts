import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JOURNAL_STATES } from '#contracts/phone-orders.ts'
import { MESSAGE_STATUSES } from '#contracts/primitives.ts'
import { ATTEMPTS_MAX, applyChange, changeByReport } from '#domain/message/lifecycle.ts'
import { failure, type Message } from '#domain/message/message.ts'
import { storedMessage } from '#test/kit/messages.ts'

/** The status after a report, by `status state` or `status:FAILURE state`; a failure as status:CODE. */
const TABLE: Readonly<Record<string, string>> = {
  'sending sent': 'sent',
  'sending delivered': 'delivered',
  'sending uncertain': 'failed:OUTCOME_UNKNOWN',
  'sending failed': 'failed:RADIO_FAILURE',
  'sent delivered': 'delivered',
  'sent failed': 'failed:UNDELIVERED',
  'failed:OUTCOME_UNKNOWN sent': 'sent',
  'failed:OUTCOME_UNKNOWN delivered': 'delivered',
  'failed:EXPIRED sent': 'sent',
  'failed:EXPIRED delivered': 'delivered',
}

const FAILURES = [
  'OUTCOME_UNKNOWN',
  'EXPIRED',
  'CANCELLED',
  'UNDELIVERED',
  'DEVICE_REMOVED',
  'RETRY_BRAKE',
] as const

function starts(): [string, Message][] {
  const plain = MESSAGE_STATUSES.filter(status => status !== 'failed')
  return [
    ...plain.map((status): [string, Message] => [status, storedMessage({ status, attempt: 1 })]),
    ...FAILURES.map((code): [string, Message] => [
      `failed:${code}`,
      storedMessage({ status: 'failed', attempt: 1, failure: failure(code) }),
    ]),
  ]
}

for (const [name, message] of starts())
  for (const state of JOURNAL_STATES) {
    const to = TABLE[`${name} ${state}`]
    test(`${name}: a report of ${state} ${to === undefined ? 'changes nothing' : `makes it ${to}`}`, () => {
      const change = changeByReport(message, { state, code: null }, true)
      if (to === undefined) return assert.equal(change, null)
      assert.ok(change)
      const after = applyChange(message, change, 7)
      assert.equal(after.failure === null ? after.status : `failed:${after.failure.code}`, to)
      assert.deepEqual(after.timeline.at(-1), { status: after.status, at: 7 })
      assert.equal(changeByReport(after, { state, code: null }, true), null, 'a repeat changes nothing')
    })
  }

const TEMPORARY = [
  'RADIO_OFF',
  'NO_SERVICE',
  'LIMIT_EXCEEDED',
  'RESULT_ERROR_NO_SERVICE',
  'no_sim',
  'GO_EXPIRED',
]
const PERMANENT = ['GENERIC_FAILURE', 'RESULT_NETWORK_ERROR', 'NULL_PDU', 'RADIO_OFFENDED']

for (const code of TEMPORARY)
  test(`a failure ${code} is tried again while attempts and time are left`, () => {
    const again = (attempt: number, hasTimeLeft: boolean) =>
      changeByReport(storedMessage({ status: 'sending', attempt }), { state: 'failed', code }, hasTimeLeft)
    assert.deepEqual(again(1, true), { status: 'queued' })
    assert.deepEqual(again(ATTEMPTS_MAX - 1, true), { status: 'queued' })
    for (const change of [again(ATTEMPTS_MAX, true), again(1, false)]) {
      assert.equal(change?.status, 'failed')
      assert.equal(change?.status === 'failed' && change.failure.code, code)
    }
  })

for (const code of PERMANENT)
  test(`a failure ${code} is never tried again`, () => {
    const sending = storedMessage({ status: 'sending', attempt: 1 })
    const change = changeByReport(sending, { state: 'failed', code }, true)
    assert.equal(change?.status === 'failed' && change.failure.code, code)
  })

test('a message that no phone was told to send accepts no late report', () => {
  const expired = storedMessage({ status: 'failed', attempt: 0, failure: failure('EXPIRED') })
  assert.equal(changeByReport(expired, { state: 'sent', code: null }, false), null)
})

test('a delivery keeps the time of sending, or sets it if there was none', () => {
  const sent = applyChange(storedMessage({ status: 'sending' }), { status: 'sent' }, 5)
  assert.deepEqual([sent.sentAt, sent.deliveredAt], [5, null])
  const delivered = applyChange(sent, { status: 'delivered' }, 9)
  assert.deepEqual([delivered.sentAt, delivered.deliveredAt], [5, 9])
  const atOnce = applyChange(storedMessage({ status: 'sending' }), { status: 'delivered' }, 9)
  assert.deepEqual([atOnce.sentAt, atOnce.deliveredAt], [9, 9])
})

test('a late success removes the failure', () => {
  const unknown = storedMessage({ status: 'failed', attempt: 1, failure: failure('OUTCOME_UNKNOWN') })
  assert.equal(applyChange(unknown, { status: 'sent' }, 1).failure, null)
})
