import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delayWords, spanOfTime } from '#console/message-list.ts'
import { forecastWords, waitsFor } from '#console/why-waits.ts'
import { problemLink } from '#console/words.ts'

test('the filter When means days of the reader', () => {
  const now = new Date(2026, 10, 24, 15, 30).getTime()
  const at = (month: number, day: number) => new Date(2026, month - 1, day).getTime()
  const bounds = (when: string) => {
    const { since, until } = spanOfTime(when, now)
    return [since, until].map(time => (time === undefined ? null : Date.parse(time)))
  }
  assert.deepEqual(bounds('today'), [at(11, 24), null])
  assert.deepEqual(bounds('yesterday'), [at(11, 23), at(11, 24) - 1])
  assert.deepEqual(bounds('week'), [at(11, 18), null])
  assert.deepEqual(bounds('2026-10-25'), [at(10, 25), at(10, 26) - 1])
  for (const when of ['', 'x', '2026', '2026-10-x']) assert.deepEqual(bounds(when), [null, null], when)
})

test('a delay is told if somebody may have noticed it', () => {
  const createdAt = '2026-11-24T10:00:00.000Z'
  const times = { createdAt, sendAt: null, sentAt: '2026-11-24T10:00:47.000Z' }
  assert.equal(delayWords(times), 'left after 47 s')
  assert.equal(delayWords({ ...times, sentAt: null }), null)
  assert.equal(delayWords({ ...times, sentAt: '2026-11-24T10:00:09.000Z' }), null)
  assert.equal(delayWords({ ...times, sendAt: '2026-11-24T10:00:45.000Z' }), null)
})

test('a problem links to exactly its texts, or to the page of what it is about', () => {
  const since = '2026-11-24T10:00:00.000Z'
  const link = problemLink({ code: 'OUTCOME_UNKNOWN', subject: null, since })
  assert.equal(link?.href, '#/messages?reason=OUTCOME_UNKNOWN&failedSince=2026-11-24T10%3A00%3A00.000Z')
  const about = (subject: string) => problemLink({ code: 'NOBODY_ON_CALL', subject, since })?.href
  assert.deepEqual(['dev_1', 'whk_1', 'fwd_1', 'pol_1', 'inc_1', '/data'].map(about), [
    '#/devices/dev_1',
    '#/webhooks/whk_1',
    '#/forwards/fwd_1',
    '#/policies/pol_1',
    '#/on-call',
    undefined,
  ])
})

test('a line of the list says in a few words why its text waits', () => {
  const state = { paused: false, trouble: null, driver: 'termux' } as const
  const phone = { ...state, status: 'online', deviceId: 'dev_1', name: 'Kitchen' } as const
  const offline = { ...phone, status: 'offline' } as const
  assert.equal(waitsFor([], null), 'no phone is paired')
  assert.equal(waitsFor([phone], null), 'waits its turn')
  assert.equal(waitsFor([offline], 'dev_1'), 'phone offline')
  assert.equal(waitsFor([{ ...phone, paused: true }], null), 'phone paused')
  assert.equal(waitsFor([{ ...phone, trouble: 'no SIM' }], null), 'phone cannot send')
  assert.equal(waitsFor([offline, { ...offline, deviceId: 'dev_2' }], null), 'no phone can send')
})

test('a forecast is a sentence', () => {
  const now = Date.parse('2026-11-24T10:00:00Z')
  const turn = {
    waitsFor: 'turn',
    deviceId: null,
    before: 331,
    leavesAt: '2026-11-24T10:17:00.000Z',
  } as const
  const words = (forecast: Partial<typeof turn> | object) =>
    forecastWords({ ...turn, ...forecast }, 'Hall', now)
  assert.equal(words({}), '331 texts are before it on Hall. It leaves in about 17 min.')
  assert.equal(words({ before: 1 }), '1 text is before it on Hall. It leaves in about 17 min.')
  assert.equal(
    words({ before: 0, leavesAt: '2026-11-24T10:00:00.000Z' }),
    'It is the next on Hall. It leaves now.',
  )
  assert.match(words({ waitsFor: 'home-sim' }) ?? '', /whose SIM is of the recipient’s country/)
  assert.match(words({ waitsFor: 'retry' }) ?? '', /tried again in about 17 min/)
  assert.equal(words({ waitsFor: 'phone' }), 'Hall has it and sends it now.')
  assert.equal(words({ waitsFor: 'any-phone', leavesAt: null }), null)
})
