import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backOffMs } from '#console/back-off.ts'
import { isShownAt } from '#console/is-shown-at.ts'
import { byDay, holdBackNew, recentNumbers } from '#console/message-list.ts'
import { factsOf, nextStep, stepsOf } from '#console/onboarding.ts'
import { patchMessage } from '#console/patch-message.ts'
import { abilityWords, appWords, phoneFacts } from '#console/phone-facts.ts'
import { phonesInShort } from '#console/phones-in-short.ts'
import { reachOf } from '#console/picture.ts'
import { linkTo, parseRoute } from '#console/route.ts'
import { shortcutOf } from '#console/shortcuts.ts'
import {
  agoWords,
  clockWords,
  countdownWords,
  dayStartWords,
  dayWords,
  exactWords,
  shortDayWords,
  spanWords,
} from '#console/time-words.ts'
import { draftOf, requestOfDraft } from '#console/webhook-draft.ts'
import { removalWords, strandedWords, whyWaits } from '#console/why-waits.ts'
import { grouped, passwordWord, remedyFor, signalBars } from '#console/words.ts'
import type { MessageResource } from '#contracts/message.ts'

const UNCAPPED = { segmentsToday: 9, smsPerDayMax: null, smsThisMonth: 9, smsPerMonthMax: null } as const
const STATE = { ...UNCAPPED, paused: false, trouble: null, status: 'online' } as const
const PHONE = { ...STATE, name: 'Hall', driver: 'termux' } as const

test('an address has a page, an id and filters, and parsing reverses writing', () => {
  const { page, id, query } = parseRoute('#/messages?status=failed&q=a%20b')
  assert.deepEqual([page, id, query.get('status'), query.get('q')], ['messages', null, 'failed', 'a b'])
  assert.deepEqual(parseRoute('').page, '')
  assert.equal(parseRoute('#/received/%2B4912').id, '+4912')
  assert.equal(parseRoute('#/x/%E0%A4').id, '%E0%A4')
  assert.equal(linkTo('messages', { status: 'failed', q: '' }), '#/messages?status=failed')
})

test('a page asks an unreachable gateway less and less often, at random times', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 50].map(tries => backOffMs(tries, 0.5)),
    [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000],
  )
  assert.deepEqual([backOffMs(1, 0), backOffMs(1, 1)], [750, 1_250])
})

test('times are shown relative to now, in the past and in the future', () => {
  const now = Date.parse('2026-01-31T12:00:00.000Z')
  assert.deepEqual([agoWords(now - 3_000, now), agoWords(now + 3_000, now)], ['just now', 'now'])
  assert.equal(agoWords(now - 180_000, now), '3 minutes ago')
  assert.equal(agoWords(now + 600_000, now), 'in 10 minutes')
  assert.equal(spanWords(29_000), '29 s')
  assert.equal(spanWords(200), 'under 1 s')
  assert.equal(countdownWords(now + 598_000, now), '9:58')
  assert.equal(countdownWords(now - 1, now), '0:00')
})

test('clock times and dates have one form', () => {
  const at = new Date(2026, 10, 2, 18, 5, 9).getTime()
  assert.deepEqual([clockWords(at), exactWords(at)], ['18:05', '2 Nov 2026, 18:05:09'])
  assert.equal(shortDayWords('2026-11-22'), '22 Nov')
  const midnight = Date.parse('2026-11-22T00:00:00.000Z')
  assert.equal(dayStartWords(midnight + 3_600_000), clockWords(midnight))
})

test('messages are grouped by local day', () => {
  const now = new Date(2026, 0, 2, 12).getTime()
  const at = (...time: [year: number, month: number, day: number, hour: number]) =>
    new Date(...time).getTime()
  assert.equal(dayWords(at(2026, 0, 2, 0), now), 'Today')
  assert.equal(dayWords(at(2026, 0, 1, 23), now), 'Yesterday')
  assert.match(dayWords(at(2025, 11, 31, 23), now), /^Wednesday,? 31 December 2025$/)
  const made = [at(2026, 0, 2, 9), at(2026, 0, 2, 8), at(2026, 0, 1, 9)]
  const messages = made.map(ms => ({ createdAt: new Date(ms).toISOString() }) as MessageResource)
  assert.deepEqual(
    byDay(messages, now).map(({ day, messages }) => [day, messages.length]),
    [
      ['Today', 2],
      ['Yesterday', 1],
    ],
  )
})

test('new messages are held back from a scrolled list, and recent numbers are offered once', () => {
  const rows = ['c', 'b', 'a'].map(messageId => ({ messageId }))
  assert.deepEqual(holdBackNew(rows, null), { newCount: 0, shown: rows })
  assert.deepEqual(holdBackNew(rows, 'a'), { newCount: 2, shown: [{ messageId: 'a' }] })
  // The top message was filtered out, so nothing is held back.
  assert.deepEqual(holdBackNew(rows, 'gone'), { newCount: 0, shown: rows })
  const sent = ['+1', null, '+2', '+1', '+3', '+4', '+5', '+6'].map(phoneNumber => ({ phoneNumber }))
  assert.deepEqual(recentNumbers(sent), ['+1', '+2', '+3', '+4', '+5'])
})

test('keyboard shortcuts open pages, the search and the list of shortcuts', () => {
  assert.deepEqual(shortcutOf('g', 'w'), { go: 'webhooks' })
  assert.deepEqual(shortcutOf(null, 'n'), { go: 'messages/new' })
  assert.deepEqual([shortcutOf(null, '/'), shortcutOf(null, '?')], ['search', 'help'])
  assert.deepEqual([shortcutOf(null, 'g'), shortcutOf(null, 'w'), shortcutOf('g', 'x')], [null, null, null])
})

test('the fields of the webhook form become the body of the API request', () => {
  const draft = { ...draftOf(null), name: 'Kuma', recipients: '+1 415 555-0123\n+4912, +4913' }
  assert.deepEqual(requestOfDraft({ ...draft, allowedIps: '10.0.0.1 10.0.0.2', minSeverity: 'warning' }), {
    name: 'Kuma',
    recipients: ['+14155550123', '+4912', '+4913'],
    allowedIps: ['10.0.0.1', '10.0.0.2'],
    maxPerHour: 20,
    messageTemplate: null,
    deviceId: null,
    deviceGroupId: null,
    people: [],
    policyId: null,
    minSeverity: 'warning',
    enabled: true,
    sendRecovered: true,
    summarizeOverflow: true,
    keepLastBody: true,
    gather: true,
    silentAfterMinutes: null,
  })
})

test('Home says whether texts reach people, and why not', () => {
  type Given = Parameters<typeof reachOf>
  const said = (phones: Given[0], texts: Given[1] = [], problems: Given[2] = []) => {
    const { answer, sentence } = reachOf(phones, texts, problems)
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
  assert.equal(said([PHONE, PHONE, offline]), 'Yes, but only 2 of 3 phones send. Attic is offline.')
  const capped = { ...PHONE, segmentsToday: 20, smsPerDayMax: 20 }
  assert.equal(
    said([PHONE, offline, capped, offline, offline, offline]),
    'Yes, but only 1 of 6 phones sends. ' +
      'Attic is offline, Hall has sent its 20 SMS of today, Attic is offline, and 2 others do not send.',
  )
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
  assert.match(said([PHONE], [sent], [{ code: 'INCIDENT_UNANSWERED' }]), /^No. Nobody answered an alert/)
})

test('a text waits for a reason that the page gives, and for none if a phone can send it', () => {
  const phone = { ...PHONE, deviceId: 'dev_1', name: 'Kitchen' }
  const offline = { ...phone, status: 'offline' } as const
  const other = { ...phone, deviceId: 'dev_2', name: 'Attic' } as const
  assert.equal(whyWaits([offline, other], null), null)
  assert.equal(whyWaits([offline, other], 'dev_1')?.why, 'Kitchen is offline')
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
    /Kitchen is offline, Attic is paused/,
  )
  assert.equal(whyWaits([], null)?.action, 'Add a phone')
  // The phone of the text was removed.
  assert.equal(whyWaits([phone], 'dev_9'), null)
})

test('removing a phone says what happens to the texts that wait, with and without another phone', () => {
  const all = { hasMore: false, hasOthers: false }
  const others = { ...all, hasOthers: true }
  assert.equal(removalWords(0, others), 'This cannot be undone.')
  assert.match(removalWords(2, others), /2 texts wait for this phone. Another phone sends what waits/)
  assert.match(removalWords(1, all), /1 text waits until you add another phone, or until it expires/)
  assert.match(removalWords(50, { ...all, hasMore: true }), /More than 50 texts wait until/)
  assert.match(strandedWords(1, false), /^1 text waits/)
  assert.match(strandedWords(50, true), /^More than 50 texts wait/)
})

test('each first step is marked as done once the gateway has a phone, message, webhook or alert', () => {
  const done = (facts: Parameters<typeof stepsOf>[0]) => stepsOf(facts).map(step => step.done)
  assert.deepEqual(done({ devices: 0, messages: 0, webhooks: 0, alerts: 0 }), [
    true,
    false,
    false,
    false,
    false,
  ])
  const all = { devices: 1, messages: 1, webhooks: 1, alerts: 1 }
  assert.deepEqual(done(all), [true, true, true, true, true])
  assert.equal(nextStep({ ...all, webhooks: 0, alerts: 0 })?.title, 'Make a webhook')
  assert.equal(nextStep(all), null)
})

test('what only a removed pretend phone took is not done', () => {
  const printed = (kind: 'sms' | 'webhook') => ({ kind, pretend: true })
  const real = { kind: 'sms', pretend: false } as const
  const webhook = {
    usage: { thisHour: 1, today: 1, total: 1, rejected: 0, guessed: 0, lastTriggeredAt: null },
  }
  const texts = [printed('webhook'), printed('sms')]
  const pretend = { driver: 'log' }
  const shown = (...given: Parameters<typeof factsOf>) => {
    const { messages, alerts } = factsOf(...given)
    return [messages, alerts]
  }
  assert.deepEqual(shown([pretend], texts, [webhook]), [2, 1])
  assert.deepEqual(shown([], texts, [webhook]), [0, 0])
  assert.deepEqual(shown([PHONE], [...texts, real], [webhook]), [3, 0])
  assert.deepEqual(shown([PHONE], [real], [webhook]), [1, 1])
})

test('failures, signal strengths, codes and passwords are put into words', () => {
  assert.match(remedyFor('NO_SERVICE'), /no network/)
  assert.match(remedyFor('SOMETHING_NEW'), /Look at the phone/)
  assert.deepEqual([-120, -105, -95, -85, -70].map(signalBars), [0, 1, 2, 3, 4])
  assert.equal(grouped('40718263'), '4071 8263')
  assert.equal(passwordWord('short'), '5 more characters are needed')
  assert.equal(passwordWord('almost-10'), '1 more character is needed')
  assert.match(passwordWord('aaaaaaaaaaaa'), /Weak/)
  assert.equal(passwordWord('correct horse battery'), 'Strong')
})

test('a phone shows only what it reports', () => {
  const silent = {
    status: 'online',
    simInfo: { carrier: null, countryCode: null },
    battery: null,
    charging: null,
    signal: null,
  } as const
  assert.deepEqual(phoneFacts(silent), [])
  assert.deepEqual(phoneFacts({ ...silent, battery: 82.4, charging: true }), ['battery 82 %, charging'])
  const [carrier, signal] = phoneFacts({
    ...silent,
    simInfo: { carrier: 'T-Mobile', countryCode: 'US' },
    signal: -95,
  })
  assert.equal(carrier, 'T-Mobile')
  assert.match(signal ?? '', /^signal.▮▮▯▯.-95.dBm$/)
  // What an offline phone reported last is not so now.
  const gone = { ...silent, status: 'offline', battery: 82.4, charging: true, signal: -95 } as const
  assert.deepEqual(phoneFacts(gone), ['battery 82 % when last seen'])
})

test('what a phone can do besides sending is said in words', () => {
  assert.equal(abilityWords({ receives: false, calls: false }), '')
  assert.equal(abilityWords({ receives: true, calls: true }), 'receive texts, ring people')
})

test('the agent on a computer is named as its command, and a phone by its platform', () => {
  assert.equal(appWords({ platform: 'node-linux', appVersion: '0.1.0' }), 'roost agent 0.1.0')
  assert.equal(appWords({ platform: 'android-termux', appVersion: null }), 'android-termux')
})

test('a refusal is not repeated below a form whose fields show all of it', () => {
  const issue = (path: string) => ({ path, message: 'must be longer' })
  assert.equal(isShownAt(['email', 'password'], [issue('password')]), true)
  assert.equal(isShownAt(['recipients'], [issue('recipients.0')]), true)
  assert.equal(isShownAt(['email'], [issue('email'), issue('token')]), false)
  assert.equal(isShownAt(['email'], []), false)
})

test('Home shows six phones: those that cannot send first, then the busiest', () => {
  const fine = STATE
  const busy = (smsToday: number) => ({ ...fine, smsToday }) as const
  const offline = { ...fine, status: 'offline', smsToday: 0 } as const
  const paused = { ...fine, paused: true, smsToday: 3 } as const
  const capped = { ...fine, smsThisMonth: 9, smsPerMonthMax: 9, smsToday: 2 }
  const shown = phonesInShort([busy(1), busy(9), paused, busy(2), busy(5), offline, capped, busy(0)])
  assert.deepEqual(shown, [offline, paused, capped, busy(9), busy(5), busy(2)])
})

test('an event about a message changes only its row, without a call', () => {
  const at = '2026-11-22T10:00:00.000Z'
  const row = (messageId: string) => ({ messageId, status: 'queued', timeline: [{ status: 'queued', at }] })
  const news = { type: 'message', id: 'msg_2', status: 'sent', at, deviceId: 'dev_1', failure: null } as const
  const changed = {
    messageId: 'msg_2',
    status: 'sent',
    deviceId: 'dev_1',
    failure: null,
    timeline: [
      { status: 'queued', at },
      { status: 'sent', at },
    ],
  }
  assert.deepEqual(patchMessage([row('msg_1'), row('msg_2')], news), [row('msg_1'), changed])
  assert.deepEqual(patchMessage(row('msg_2'), news), changed)
  assert.deepEqual(patchMessage(changed, news), changed)
  assert.equal(patchMessage([row('msg_1')], news), null)
  assert.equal(patchMessage(undefined, news), null)
})
