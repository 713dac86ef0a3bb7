import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerWords,
  happenedWords,
  readBody,
  receiverOf,
  runsByDay,
  shortAnswer,
  toldWords,
} from '#console/delivery-words.ts'
import type { DeliveryResource } from '#contracts/notification.ts'

const NOW = new Date(2026, 10, 26, 12).getTime()

/** A delivery that went well, so many minutes ago. */
function delivery(minutesAgo: number, change: Partial<DeliveryResource> = {}): DeliveryResource {
  return {
    id: `evt_${minutesAgo}`,
    event: 'sms.delivered',
    url: 'http://192.168.1.10:3000/sms-events',
    forwardId: null,
    messageId: null,
    about: null,
    status: 'delivered',
    attempts: 1,
    lastResponseStatus: 204,
    lastError: null,
    createdAt: new Date(NOW - minutesAgo * 60_000).toISOString(),
    nextAttemptAt: null,
    attemptLog: [],
    ...change,
  }
}

const idsOf = (deliveries: readonly DeliveryResource[]) =>
  runsByDay(deliveries, NOW).map(({ day, runs }) => [day, runs.map(run => run.map(({ id }) => id).join(' '))])

test('what was posted without trouble is folded by day, and a failure stands alone', () => {
  const list = [
    delivery(1),
    delivery(2),
    delivery(3),
    delivery(4, { status: 'failed', lastResponseStatus: 500 }),
    delivery(5),
    delivery(6),
    delivery(7, { event: 'sms.received' }),
    delivery(13 * 60),
    delivery(13 * 60 + 1),
    delivery(13 * 60 + 2),
  ]
  assert.deepEqual(idsOf(list), [
    ['Today', ['evt_1 evt_2 evt_3', 'evt_4', 'evt_5', 'evt_6', 'evt_7']],
    ['Yesterday', ['evt_780 evt_781 evt_782']],
  ])
})

test('only what is alike is folded: the same event at the same receiver, at the first attempt', () => {
  const others = [
    { url: 'http://192.168.1.11/' },
    { forwardId: 'fwd_1' },
    { attempts: 2 },
    { status: 'pending' },
  ] satisfies readonly Partial<DeliveryResource>[]
  for (const other of others) {
    const list = [delivery(1), delivery(2, other), delivery(3)]
    assert.deepEqual(idsOf(list), [['Today', ['evt_1', 'evt_2', 'evt_3']]], JSON.stringify(other))
  }
})

test('an answer is told with what it means', () => {
  const words = (lastResponseStatus: number | null, lastError: string | null = null) =>
    answerWords({ status: 'failed', lastResponseStatus, lastError })
  assert.equal(words(500), 'it had an error of its own (answer 500)')
  assert.equal(words(404), 'it refused it (answer 404)')
  assert.equal(words(302), 'it sent Roost elsewhere (answer 302)')
  assert.equal(words(null, 'CONNECTION_REFUSED'), 'nothing listens at its address')
  assert.equal(words(null, 'NEW_KIND'), 'no answer (new kind)')
  assert.equal(words(null), 'not tried yet')
  assert.equal(
    answerWords({ status: 'delivered', lastResponseStatus: 204, lastError: null }),
    'it took it (answer 204)',
  )
})

test('a receiver is named by its host', () => {
  assert.equal(receiverOf({ url: 'https://example.org:8443/hook?key=secret' }), 'example.org:8443')
  assert.equal(receiverOf({ url: null }), null)
  assert.equal(receiverOf({ url: 'no address' }), null)
})

test('what happened is told with whom it is about, and an alert says it in its own words', () => {
  const failed = { event: 'sms.failed', about: '+14155550100' } as const
  assert.equal(happenedWords(failed, 'Ada'), 'Text to Ada failed')
  assert.equal(happenedWords(failed), 'Text to +1\u00a0415\u00a0555\u00a00100 failed')
  assert.equal(happenedWords({ event: 'sms.failed', about: null }), 'A text failed')
  assert.equal(toldWords(failed), null)
  const alert = { event: 'incident.opened', about: 'DiskFull on nas' } as const
  assert.equal(happenedWords(alert), 'An alert waits for somebody')
  assert.equal(toldWords(alert), 'DiskFull on nas')
})

test('a body is drawn in lines with the reason of a failure, and stays as it is if it is no JSON', () => {
  const { text, reason } = readBody('{"data":{"failure":{"code":"NO_SERVICE"}}}')
  assert.equal(reason, 'no network')
  assert.equal(text.split('\n').length, 7)
  assert.deepEqual(readBody('Hello'), { text: 'Hello', reason: null })
  assert.deepEqual(readBody('null'), { text: 'null', reason: null })
})

test('the line of a list has the answer in a word, unless all went well', () => {
  const none = { lastResponseStatus: null, lastError: null }
  assert.equal(shortAnswer({ ...none, status: 'failed', lastResponseStatus: 500 }), 'answer 500')
  assert.equal(shortAnswer({ ...none, status: 'pending', lastError: 'TIMEOUT' }), 'it did not answer in time')
  assert.equal(shortAnswer({ ...none, status: 'pending' }), null)
  assert.equal(shortAnswer({ ...none, status: 'delivered', lastResponseStatus: 204 }), null)
})
