import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delayWords } from '#console/message-list.ts'
import { placesIn, queueOf } from '#console/queue-places.ts'
import { parseRoute } from '#console/route.ts'
import { cutWords } from '#console/text-cuts.ts'
import { forecastWords, placeWords, waitWords, whyTextWaits } from '#console/why-waits.ts'
import { problemLink } from '#console/words-of-states.ts'
import { HEALTH_CODES } from '#contracts/health.ts'

test('a cut says how many texts it has, and nothing of those that were not read', () => {
  const none = { count: 0, isMore: false }
  const counts = { all: { count: 1_000, isMore: true }, waiting: { count: 0, isMore: true }, failed: none }
  const words = cutWords({ ...counts, received: { count: 6, isMore: false } }).map(([, word]) => word)
  assert.deepEqual(words, ['All 1,000+', 'Waiting', 'Failed 0', 'Received 6'])
  assert.deepEqual(cutWords(null)[0], ['', 'All'])
})

test('the old addresses of texts lead to the list of all', () => {
  const of = (hash: string) => {
    const { page, id, query } = parseRoute(hash)
    return [page, id, query.get('cut'), query.get('q')]
  }
  assert.deepEqual(of('#/messages'), ['texts', null, null, null])
  assert.deepEqual(of('#/messages?status=queued&q=a'), ['texts', null, 'waiting', 'a'])
  assert.deepEqual(of('#/messages?status=failed&when=today'), ['texts', null, 'failed', 'today'])
  assert.deepEqual(of('#/messages?when=2026-11-24&q=a'), ['texts', null, null, '2026-11-24 a'])
  assert.deepEqual(of('#/messages/msg_1'), ['texts', 'msg_1', null, null])
  assert.deepEqual(of('#/messages/new'), ['texts', 'new', null, null])
  assert.deepEqual(of('#/received?q=a'), ['texts', null, 'received', 'a'])
  assert.deepEqual(of('#/received/%2B4912'), ['texts', '+4912', null, null])
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
  assert.equal(link.href, '#/texts?reason=OUTCOME_UNKNOWN&failedSince=2026-11-24T10%3A00%3A00.000Z')
  const about = (subject: string) => problemLink({ code: 'DISK_FULL', subject, since }).href
  assert.deepEqual(['dev_1', 'whk_1', 'fwd_1', 'pol_1', 'inc_1', '/data'].map(about), [
    '#/devices/dev_1',
    '#/webhooks/whk_1',
    '#/forwards/fwd_1',
    '#/policies/pol_1',
    '#/on-call',
    '#/settings/gateway',
  ])
  for (const code of HEALTH_CODES)
    assert.match(
      problemLink({ code, subject: null, since }).href,
      /^#\/(devices|texts|notif|on-call|settings|webhooks)/,
    )
})

test('one sentence says on every page what a text waits for', () => {
  const caps = { segmentsToday: 0, smsPerDayMax: null, smsThisMonth: 0, smsPerMonthMax: null } as const
  const lastSeen = new Date(new Date().setHours(0, 1)).toISOString()
  const state = { ...caps, paused: false, trouble: null, driver: 'termux', lastSeen } as const
  const now = Date.now()
  const queued = { status: 'queued', at: new Date(now - 32_000).toISOString() } as const
  const words = (
    phones: Parameters<typeof waitWords>[1],
    text: Partial<Parameters<typeof waitWords>[0]> = {},
  ) => waitWords({ deviceId: null, sendAt: null, timeline: [queued], ...text }, phones, now)
  const queue = { queueLength: 1, segmentsPerMinute: 20 } as const
  const phone = { ...state, ...queue, status: 'online', deviceId: 'dev_1', name: 'Kitchen' } as const
  const offline = { ...phone, status: 'offline' } as const
  assert.equal(words([]), 'Waits for a phone: no phone is paired')
  assert.equal(words([phone]), 'Kitchen fetches it next')
  assert.equal(words([phone, offline]), 'Kitchen fetches it next')
  assert.equal(words([{ ...phone, queueLength: 4 }]), 'Waits for its turn on Kitchen')
  assert.equal(words([offline], { deviceId: 'dev_1' }), 'Waits for a phone: Kitchen is offline since 00:01')
  assert.equal(words([{ ...phone, paused: true }]), 'Waits for a phone: Kitchen is paused')
  assert.equal(words([{ ...phone, trouble: 'no SIM' }]), 'Waits for a phone: Kitchen cannot send: no SIM')
  assert.equal(
    words([offline, { ...offline, deviceId: 'dev_2' }]),
    'Waits for a phone: none of your 2 phones can send',
  )
  const timeline = [queued, { ...queued, status: 'sending' } as const, queued]
  assert.equal(words([phone], { timeline }), 'Waits for its next try, because the last one failed')
  const sendAt = '2099-02-03T12:00:00.000Z'
  assert.match(words([offline], { sendAt }), /^Waits until Tue 3 Feb, \d\d:\d\d$/)

  const old = { timeline: [{ ...queued, at: new Date(now - 240_000).toISOString() }] }
  const other = { ...phone, deviceId: 'dev_2', name: 'Attic' } as const
  assert.equal(words([phone, offline], old), 'Has waited 4 min: Kitchen has not fetched it')
  // Roost has given it to one after the other.
  const passedOn = words([phone, other], { ...old, deviceId: 'dev_1' })
  assert.equal(passedOn, 'No phone has fetched it for 4 min; Kitchen is asked now')
  assert.equal(words([phone, other], old), 'No phone has fetched it for 4 min')
  const fresh = { timeline: [{ ...queued, at: new Date(now - 61_000).toISOString() }] }
  assert.equal(words([phone, other], { ...fresh, deviceId: 'dev_1' }), 'Kitchen fetches it next')
  assert.equal(words([phone, other], fresh), 'A phone fetches it next')
  assert.equal(
    words(
      [phone, other].map(one => ({ ...one, queueLength: 2 })),
      fresh,
    ),
    'Waits for its turn',
  )
  // Since its time came, or with a pace that allows no text yet, or with others before it.
  assert.equal(words([phone], { ...old, sendAt: queued.at }), 'Kitchen fetches it next')
  assert.equal(words([{ ...phone, segmentsPerMinute: 0.2 }], old), 'Kitchen fetches it next')
  assert.equal(words([{ ...phone, queueLength: 2 }], old), 'Waits for its turn on Kitchen')
  const text = { deviceId: 'dev_1', sendAt: null, ...old }
  const forecast = { waitsFor: 'turn', deviceId: 'dev_1', before: 1, leavesAt: null } as const
  assert.equal(words([phone], { ...old, forecast }), 'Waits for its turn on Kitchen')
  const alone = whyTextWaits(text, [phone], now)
  assert.deepEqual([alone?.why, alone?.href], ['Kitchen does not fetch it', '#/devices/dev_1'])
  assert.match(alone?.fix ?? '', /^Nothing is before it, and Kitchen is online: .* in the background\.$/)
  assert.equal(whyTextWaits(text, [phone, other], now)?.why, 'no phone fetches it')
  assert.equal(whyTextWaits({ ...text, deviceId: null }, [phone, other], now)?.action, 'Show the phones')
  assert.equal(whyTextWaits({ ...text, timeline: [queued] }, [phone], now), null)
  assert.equal(whyTextWaits(text, [offline], now)?.why, 'Kitchen is offline since 00:01')
})

test('a forecast is told in sentences, and a time that is near or over is not told', () => {
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
  for (const leavesAt of ['2026-11-24T10:00:02.000Z', '2026-11-24T09:40:00.000Z', null])
    assert.equal(words({ before: 0, leavesAt }), 'It is the next on Hall.')
  assert.match(words({ waitsFor: 'home-sim' }), /whose SIM is of the recipient’s country/)
  assert.equal(words({ waitsFor: 'retry' }), 'It is tried again in about 17 min.')
  assert.equal(words({ waitsFor: 'retry', leavesAt: '2026-11-24T09:59:00.000Z' }), '')
  assert.equal(words({ waitsFor: 'any-phone', leavesAt: null }), '')
  assert.equal(words({ waitsFor: 'phone' }), 'Nothing is before it: Hall fetches it now.')
  assert.equal(forecastWords(undefined, 'Hall', now), '')
})

test('texts between two of a queue have their places if none is missing between them', () => {
  const now = Date.parse('2026-11-24T10:00:00Z')
  const queued = { status: 'queued', at: '2026-11-24T09:59:00.000Z' } as const
  const text = (messageId: string, deviceId = 'dev_1') => {
    const status = 'queued' as const
    return { messageId, deviceId, status, timeline: [queued], sendAt: null }
  }
  const scheduled = { ...text('msg_9'), sendAt: '2026-11-24T11:00:00.000Z' }
  const queue = queueOf([scheduled, text('msg_3'), text('msg_0', 'dev_2'), text('msg_2'), text('msg_1')], now)
  assert.deepEqual(
    queue.map(({ messageId }) => messageId),
    ['msg_3', 'msg_2', 'msg_1'],
  )
  const at = (before: number, leavesAt: string | null) =>
    ({ waitsFor: 'turn', deviceId: 'dev_1', before, leavesAt }) as const
  const newest = at(331, '2026-11-24T10:17:00.000Z')
  const places = placesIn(queue, newest, at(329, '2026-11-24T10:16:00.000Z'))
  assert.deepEqual(places.get('msg_2'), at(330, '2026-11-24T10:16:30.000Z'))
  assert.equal(places.get('msg_3'), newest)
  // Another text is between them, or was meanwhile sent.
  assert.equal(placesIn(queue, newest, at(328, null)).get('msg_2'), undefined)
  assert.equal(placesIn(queue, newest, undefined).size, 1)
  assert.equal(placesIn([], undefined, undefined).size, 0)

  const caps = { segmentsToday: 0, smsPerDayMax: null, smsThisMonth: 0, smsPerMonthMax: null } as const
  const state = { ...caps, paused: false, trouble: null, driver: 'termux', queueLength: 332 } as const
  const phone = {
    ...state,
    status: 'online',
    deviceId: 'dev_1',
    name: 'Hall',
    segmentsPerMinute: 20,
  } as const
  const words = (forecast: typeof newest | ReturnType<typeof at>) =>
    placeWords({ ...text('msg_3'), forecast }, [{ ...phone, lastSeen: queued.at }], now)
  assert.equal(words(newest), '331 before it on Hall, about 17 min')
  assert.equal(words(at(331, null)), '331 before it on Hall')
  assert.equal(words(at(0, null)), 'Hall fetches it next')
})
