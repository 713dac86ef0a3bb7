import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phonesInShort } from '#console/phones-in-short.ts'
import { noneHasLeft, reachOf } from '#console/picture.ts'
import { heaviestFirst, wrongThings } from '#console/problem-order.ts'
import { unfetchedOf } from '#console/unfetched.ts'
import { whyWaits } from '#console/why-waits.ts'
import type { HealthProblem } from '#contracts/health.ts'

const UNCAPPED = { segmentsToday: 9, smsPerDayMax: null, smsThisMonth: 9, smsPerMonthMax: null } as const
/** This day, so that pages show the time alone. */
const SEEN = new Date(new Date().setHours(0, 1)).toISOString()
const STATE = { ...UNCAPPED, paused: false, trouble: null, status: 'online', lastSeen: SEEN } as const
const PHONE = { ...STATE, name: 'Hall', driver: 'termux' } as const

test('Home says whether texts reach people, and why not', () => {
  type Given = Parameters<typeof reachOf>
  const said = (phones: Given[0], texts: Given[1] = [], wrong: Partial<Given[2]> = {}) => {
    const { answer, sentence } = reachOf(phones, texts, { problems: [], unfetched: null, ...wrong })
    return `${answer} ${sentence}`
  }
  const pretend = { ...PHONE, driver: 'log' }
  assert.match(said([]), /^Not yet. No phone is paired/)
  assert.match(
    said([{ ...PHONE, status: 'offline' }]),
    /^No. No phone is online, so texts wait until a phone/,
  )
  assert.match(said([pretend]), /^Not yet. Only a pretend phone is online, so nobody receives texts.$/)
  assert.equal(said([PHONE]), 'Yes. Your phone sends.')
  assert.equal(said([PHONE, pretend]), 'Yes. Your phone sends.')
  assert.equal(said([PHONE, PHONE, { ...PHONE, paused: true }]), 'Yes. 2 phones send.')
  const offline = { ...PHONE, name: 'Attic', status: 'offline' } as const
  assert.equal(
    said([PHONE, PHONE, offline]),
    'Yes, but only 2 of 3 phones send. Attic is offline since 00:01.',
  )
  const capped = { ...PHONE, segmentsToday: 20, smsPerDayMax: 20 }
  assert.equal(
    said([PHONE, offline, capped, offline, offline, offline]),
    'Yes, but only 1 of 6 phones sends. Hall has sent its 20 SMS of today.',
  )
  const all = [PHONE, capped, capped, capped, capped, capped]
  assert.match(said(all), /SMS of today, Hall has sent its 20 SMS of today, and 2 others do not send.$/)
  // The picture and the list of what is wrong name several phones that are offline.
  assert.equal(said([PHONE, offline, offline]), 'Yes, but only 1 of 3 phones sends. ')
  for (const why of [{ paused: true }, { trouble: 'no SIM' }])
    assert.match(said([{ ...PHONE, ...why }]), /^No. No phone that is online can send, so texts wait/)

  const sent = { status: 'sent', pretend: false, failure: null } as const
  const failed = (code: string) => ({ ...sent, status: 'failed', failure: { code, message: '' } }) as const
  const waits = { ...sent, status: 'queued' } as const
  const radio = failed('RADIO_OFF')
  const both = [radio, failed('EXPIRED'), failed('NO_SERVICE')]
  assert.equal(said([PHONE], [waits, radio, sent]), 'Perhaps not. The last text failed: flight mode.')
  assert.equal(said([PHONE], both), 'Perhaps not. The last 2 texts failed: flight mode.')
  assert.match(said([PHONE], [{ ...radio, pretend: true }, failed('CANCELLED'), sent, radio]), /^Yes/)
  const unanswered = { problems: [{ code: 'INCIDENT_UNANSWERED' }] } as const
  assert.match(said([PHONE], [sent], unanswered), /^No. Nobody answered an alert/)
  const unfetched = { since: SEEN, name: 'Hall' }
  assert.equal(
    said([PHONE], [sent], { unfetched }),
    'Perhaps not. No phone has fetched the text that has waited since 00:01: open the app on Hall.',
  )
})

test('a text that no phone fetches is found among the last ones, unless phones fetch others', () => {
  const now = Date.parse('2026-11-24T10:00:00Z')
  const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
  const queue = { queueLength: 2, segmentsPerMinute: 20 } as const
  const phone = { ...PHONE, ...queue, deviceId: 'dev_1' }
  const other = { ...phone, deviceId: 'dev_2', name: 'Attic' }
  const queued = (minutes: number) => ({ status: 'queued', at: at(minutes) }) as const
  const text = (minutes: number, deviceId: string | null = 'dev_2') =>
    ({ status: 'queued', deviceId, sendAt: null, segments: 1, timeline: [queued(minutes)] }) as const
  const sent = (minutes: number) =>
    ({ ...text(20), status: 'sent', timeline: [queued(20), { status: 'sending', at: at(minutes) }] }) as const
  const found = (...given: Parameters<typeof unfetchedOf>[0]) => unfetchedOf(given, [phone, other], now)
  const stuck = found(text(6), text(12), sent(15))
  assert.deepEqual(stuck, {
    since: at(12),
    name: 'Attic',
    words: 'No phone has fetched the oldest for 12 min; Attic is asked now',
  })
  assert.equal(found(text(12, null))?.words, 'No phone has fetched it for 12 min')
  assert.equal(found(text(12, null))?.name, 'Hall')
  // Nothing waits long, or a phone has just fetched another text.
  assert.equal(found(), null)
  assert.equal(found(text(1.9), sent(15)), null)
  assert.equal(found(text(12), sent(1)), null)
  // It waits for its time, for its next try, or for a phone that is off.
  assert.equal(found({ ...text(12), sendAt: at(-5) }), null)
  assert.equal(found({ ...text(12), timeline: [queued(12), ...sent(11).timeline, queued(10)] }), null)
  assert.equal(unfetchedOf([text(12)], [phone, { ...other, status: 'offline' }], now), null)
  // So many wait that others may be before these.
  assert.equal(found(...Array.from({ length: 50 }, () => text(12))), null)
})

test('Home says of an alert whether no text about it has left yet', () => {
  const told = (messageId: string | null) =>
    ({ at: SEEN, event: 'told', personId: null, messageId, detail: null }) as const
  const alert = { timeline: [told(null), told('msg_1'), told('msg_2')] }
  const text = (messageId: string, status: 'queued' | 'failed' | 'sending' | 'sent') => ({
    messageId,
    status,
  })
  const waits = text('msg_1', 'queued')
  assert.equal(noneHasLeft(alert, [waits, text('msg_2', 'failed')]), true)
  for (const status of ['sending', 'sent'] as const)
    assert.equal(noneHasLeft(alert, [waits, text('msg_2', status)]), false)
  // One of its texts is older than those that are known.
  assert.equal(noneHasLeft(alert, [waits]), false)
  assert.equal(noneHasLeft({ timeline: [told(null)] }, [waits]), false)
})

test('a text waits for a reason that the page gives, and for none if a phone can send it', () => {
  const phone = { ...PHONE, deviceId: 'dev_1', name: 'Kitchen' }
  const offline = { ...phone, status: 'offline' } as const
  const other = { ...phone, deviceId: 'dev_2', name: 'Attic' } as const
  assert.equal(whyWaits([offline, other], null), null)
  assert.equal(whyWaits([offline, other], 'dev_1')?.why, 'Kitchen is offline since 00:01')
  const longGone = { ...offline, lastSeen: new Date(2026, 0, 5, 9, 30).toISOString() }
  assert.equal(whyWaits([longGone], null)?.why, 'Kitchen is offline since Mon 5 Jan, 09:30')
  assert.match(whyWaits([offline], null)?.fix ?? '', /Switch Kitchen on/)
  const pretend = whyWaits([{ ...offline, driver: 'log' }], null)
  assert.match(pretend?.fix ?? '', /Its page shows the command that starts it again/)
  assert.match(whyWaits([{ ...phone, paused: true }], null)?.fix ?? '', /Resume Kitchen/)
  const locked = { ...phone, trouble: 'the SIM is locked' }
  assert.equal(whyWaits([locked], null)?.why, 'Kitchen cannot send: the SIM is locked')
  assert.match(whyWaits([{ ...locked, paused: true }], null)?.fix ?? '', /Resume Kitchen/)
  const deaf = { ...phone, trouble: 'received texts do not reach Roost: update the app' }
  assert.equal(whyWaits([deaf], null), null)
  const capped = { ...phone, segmentsToday: 20, smsPerDayMax: 20 }
  assert.equal(whyWaits([capped], null)?.why, 'Kitchen has sent its 20 SMS of today')
  assert.match(whyWaits([capped], null)?.fix ?? '', /^It sends again from \d\d:\d\d on/)
  const spent = { ...phone, smsThisMonth: 21, smsPerMonthMax: 20 }
  assert.equal(whyWaits([spent], null)?.why, 'Kitchen has sent its 20 SMS of this month')
  assert.equal(whyWaits([{ ...capped, segmentsToday: 19 }], null), null)
  assert.match(
    whyWaits([offline, { ...other, paused: true }], null)?.fix ?? '',
    /Kitchen is offline since 00:01, Attic is paused/,
  )
  assert.equal(whyWaits([], null)?.action, 'Add a phone')
  // The phone of the text was removed.
  assert.equal(whyWaits([phone], 'dev_9'), null)
})

test('Home draws phones that send first, then other connected ones, and folds those that are offline', () => {
  const busy = (smsToday: number) => ({ ...STATE, smsToday }) as const
  const offline = { ...STATE, status: 'offline', smsToday: 99 } as const
  const paused = { ...STATE, paused: true, smsToday: 0 } as const
  const sends = { ...STATE, status: 'busy', smsToday: 0 } as const
  const all = [busy(1), offline, busy(9), paused, offline, busy(2), busy(5), busy(0), sends]
  assert.deepEqual(phonesInShort(all), {
    shown: [sends, busy(9), busy(5), busy(2), busy(1), busy(0)],
    offline: [offline, offline],
    others: 1,
  })
  // One that is paused is meant to be off.
  const meant = { ...offline, paused: true }
  assert.deepEqual(phonesInShort([busy(1), meant, offline, offline]), {
    shown: [busy(1)],
    offline: [offline, offline],
    others: 1,
  })
  // One has a name and a past to show.
  assert.deepEqual(phonesInShort([offline, busy(1)]), { shown: [busy(1), offline], offline: [], others: 0 })
})

test('what is wrong is listed by its weight: texts that stay, alerts that nobody hears, phones', () => {
  const problem = (code: HealthProblem['code'], severity: HealthProblem['severity'] = 'warning') => ({
    code,
    severity,
  })
  const given = [
    problem('BATTERY_LOW', 'critical'),
    problem('DISK_FULL', 'critical'),
    problem('INCIDENT_UNANSWERED', 'critical'),
    problem('CANNOT_RING'),
    problem('DEVICE_OFFLINE'),
    problem('QUEUE_STALLED'),
  ]
  assert.deepEqual(
    heaviestFirst(given).map(({ code }) => code),
    ['INCIDENT_UNANSWERED', 'DISK_FULL', 'QUEUE_STALLED', 'CANNOT_RING', 'BATTERY_LOW', 'DEVICE_OFFLINE'],
  )
})

test('phones that are offline are one row, and an alert that stands above is none', () => {
  const problem = (code: HealthProblem['code'], subject: string | null) =>
    ({ code, subject, severity: 'warning' }) as const
  const [attic, hall] = [problem('DEVICE_OFFLINE', 'dev_1'), problem('DEVICE_OFFLINE', 'dev_2')]
  const [alert, ring] = [problem('INCIDENT_UNANSWERED', 'inc_1'), problem('CANNOT_RING', null)]
  const given = [attic, alert, ring, hall]
  assert.deepEqual(wrongThings(given, [{ id: 'inc_1' }]), [[ring], [attic, hall]])
  assert.deepEqual(wrongThings(given, []), [[alert], [ring], [attic, hall]])
  assert.deepEqual(wrongThings([attic], []), [[attic]])
})
