import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delayWords, spanOfTime } from '#console/message-list.ts'
import { forecastWords, waitWords } from '#console/why-waits.ts'
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

test('one sentence says on every page why a text waits', () => {
  const caps = { segmentsToday: 0, smsPerDayMax: null, smsThisMonth: 0, smsPerMonthMax: null } as const
  const state = { ...caps, paused: false, trouble: null, driver: 'termux' } as const
  const queued = { status: 'queued', at: '2026-11-24T10:00:00.000Z' } as const
  const words = (phones: Parameters<typeof waitWords>[1], deviceId: string | null) =>
    waitWords({ deviceId, timeline: [queued] }, phones)
  const phone = { ...state, status: 'online', deviceId: 'dev_1', name: 'Kitchen' } as const
  const offline = { ...phone, status: 'offline' } as const
  assert.equal(words([], null), 'no phone is paired')
  assert.equal(words([phone], null), 'it is not its turn on Kitchen yet')
  assert.equal(words([phone, offline], null), 'it is not its turn yet')
  assert.equal(words([offline], 'dev_1'), 'Kitchen is offline')
  assert.equal(words([{ ...phone, paused: true }], null), 'Kitchen is paused')
  assert.equal(words([{ ...phone, trouble: 'no SIM' }], null), 'Kitchen cannot send: no SIM')
  assert.equal(words([offline, { ...offline, deviceId: 'dev_2' }], null), 'none of your 2 phones can send')
  const tried = { deviceId: null, timeline: [queued, { ...queued, status: 'sending' } as const, queued] }
  assert.equal(waitWords(tried, [phone]), 'the last try failed, so it is tried again')
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
