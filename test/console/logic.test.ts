import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backOffMs } from '#console/back-off.ts'
import { provenWords } from '#console/drill-words.ts'
import { isShownAt } from '#console/is-shown-at.ts'
import { byDay, holdBackNew, recentNumbers } from '#console/message-list.ts'
import { factsOf, nextStep, stepsOf } from '#console/onboarding.ts'
import { patchMessage } from '#console/patch-message.ts'
import { abilityWords, appWords, phoneFacts } from '#console/phone-facts.ts'
import { groupsOf } from '#console/phone-number.ts'
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
import { alsoInPolicy, draftOf, requestOfDraft, withNames } from '#console/webhook-draft.ts'
import { removalWords, strandedWords } from '#console/why-waits.ts'
import { grouped, passwordWord, remedyFor, signalBars } from '#console/words-of-states.ts'
import type { MessageResource } from '#contracts/message.ts'

const PHONE = { driver: 'termux' } as const

test('an address has a page, an id and filters, and parsing reverses writing', () => {
  const { page, id, query } = parseRoute('#/texts?cut=failed&q=a%20b')
  assert.deepEqual([page, id, query.get('cut'), query.get('q')], ['texts', null, 'failed', 'a b'])
  assert.deepEqual(parseRoute('').page, '')
  assert.equal(parseRoute('#/texts/%2B4912').id, '+4912')
  assert.equal(parseRoute('#/x/%E0%A4').id, '%E0%A4')
  assert.equal(linkTo('texts', { cut: 'failed', q: '' }), '#/texts?cut=failed')
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

test('a number is shown in groups, and what is no number as it is', () => {
  const shown = (number: string) => groupsOf(number).join(' ')
  assert.equal(shown('+14155550196'), '+1 415 555 0196')
  assert.equal(shown('+33612345678'), '+33 612 345 678')
  assert.equal(shown('+491711234567'), '+49 171 123 4567')
  assert.equal(shown('+35812345678'), '+358 123 456 78')
  assert.equal(shown('PARCEL'), 'PARCEL')
  assert.equal(shown('+49'), '+49')
})

test('texts are grouped by local day', () => {
  const now = new Date(2026, 0, 2, 12).getTime()
  const at = (...time: [year: number, month: number, day: number, hour: number]) =>
    new Date(...time).getTime()
  assert.equal(dayWords(at(2026, 0, 2, 0), now), 'Today')
  assert.equal(dayWords(at(2026, 0, 1, 23), now), 'Yesterday')
  assert.match(dayWords(at(2025, 11, 31, 23), now), /^Wednesday,? 31 December 2025$/)
  const made = [at(2026, 0, 2, 9), at(2026, 0, 2, 8), at(2026, 0, 1, 9)]
  const messages = made.map(
    ms => ({ messageId: 'msg_1', createdAt: new Date(ms).toISOString() }) as MessageResource,
  )
  assert.deepEqual(
    byDay(messages, now).map(({ day, texts }) => [day, texts.length]),
    [
      ['Today', 2],
      ['Yesterday', 1],
    ],
  )
})

test('new messages are held back from a scrolled list, and recent numbers are offered once', () => {
  const rows = ['c', 'b', 'a'].map(messageId => ({ messageId }) as MessageResource)
  assert.deepEqual(holdBackNew(rows, null), { newCount: 0, shown: rows })
  assert.deepEqual(holdBackNew(rows, 'a'), { newCount: 2, shown: rows.slice(2) })
  // The top message was filtered out, so nothing is held back.
  assert.deepEqual(holdBackNew(rows, 'gone'), { newCount: 0, shown: rows })
  const sent = ['+1', null, '+2', '+1', '+3', '+4', '+5', '+6'].map(phoneNumber => ({ phoneNumber }))
  assert.deepEqual(recentNumbers(sent), ['+1', '+2', '+3', '+4', '+5'])
})

test('keyboard shortcuts open pages, the search and the list of shortcuts', () => {
  assert.deepEqual(shortcutOf('g', 'w'), { go: 'webhooks' })
  assert.deepEqual(shortcutOf(null, 'n'), { go: 'texts/new' })
  assert.deepEqual([shortcutOf(null, '/'), shortcutOf(null, '?')], ['search', 'help'])
  assert.deepEqual([shortcutOf(null, 'g'), shortcutOf(null, 'w'), shortcutOf('g', 'x')], [null, null, null])
})

test('the fields of the webhook form become the body of the API request', () => {
  const draft = { ...draftOf(null), name: 'Kuma', recipients: '+1 415 555-0123\n+4912, +39 (0)331 123456' }
  assert.deepEqual(requestOfDraft({ ...draft, allowedIps: '10.0.0.1 10.0.0.2', minSeverity: 'warning' }), {
    name: 'Kuma',
    // The gateway asks whether the zero belongs to it.
    recipients: ['+14155550123', '+4912', '+39 (0)331 123456'],
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
  const none = { devices: 0, messages: 0, webhooks: 0, alerts: 0, unproven: null, isProven: false }
  assert.deepEqual(done(none), [true, false, false, false, false])
  const all = { ...none, devices: 1, messages: 1, webhooks: 1, alerts: 1 }
  assert.deepEqual(done(all), [true, true, true, true, true])
  assert.equal(nextStep({ ...all, webhooks: 0, alerts: 0 })?.title, 'Make a webhook')
  assert.equal(nextStep(all), null)
  const two = { ...all, devices: 2, unproven: 'dev_1' }
  assert.equal(nextStep(two)?.href, '#/devices/dev_1')
  assert.equal(nextStep({ ...two, unproven: null, isProven: true }), null)
})

test('what only a removed pretend phone took is not done', () => {
  const printed = (kind: 'sms' | 'webhook') => ({ kind, pretend: true })
  const real = { kind: 'sms', pretend: false } as const
  const webhook = {
    usage: { thisHour: 1, today: 1, total: 1, rejected: 0, guessed: 0, lastTriggeredAt: null },
  }
  const texts = [printed('webhook'), printed('sms')]
  const unproven = { deviceId: 'dev_1', proven: { sends: null, receives: null, tookMs: null } }
  const pretend = { ...unproven, driver: 'log' }
  const shown = (...given: Parameters<typeof factsOf>) => {
    const { messages, alerts } = factsOf(...given)
    return [messages, alerts]
  }
  assert.deepEqual(shown([pretend], texts, [webhook]), [2, 1])
  assert.deepEqual(shown([], texts, [webhook]), [0, 0])
  const phone = { ...PHONE, ...unproven }
  assert.deepEqual(shown([phone], [...texts, real], [webhook]), [3, 0])
  assert.deepEqual(shown([phone], [real], [webhook]), [1, 1])
})

test('failures, signal strengths, codes and passwords are put into words', () => {
  assert.match(remedyFor('NO_SERVICE'), /reception/)
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
  assert.equal(signal, 'signal 2 of 4')
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

test('a name among the numbers of a webhook becomes the person or the group', () => {
  const all = [
    { id: 'per_1', name: 'Ada Lovelace' },
    { id: 'grp_1', name: 'All of Kitchen' },
  ]
  const draft = { recipients: 'ada lovelace\n+1 415 555 0123\nAll of Kitchen', people: ['per_1'] }
  assert.deepEqual(withNames(draft, all), { recipients: '+14155550123', people: ['per_1', 'grp_1'] })
  const others = { recipients: 'Bob\n+14155550123', people: [] }
  assert.equal(withNames(others, all), others)
})

test('a recipient whom the first step of the policy tells, by name or number, is found', () => {
  const [ada, bob] = ['1', '2'].map(n => ({ id: `per_${n}`, name: n, phoneNumber: `+1415555010${n}` }))
  assert.ok(ada && bob)
  const step = { afterMinutes: 0, ring: false }
  const steps = [
    { ...step, tell: [ada.id] },
    { ...step, afterMinutes: 5, tell: [bob.id] },
  ]
  const of = (recipients: string, people: string[]) =>
    alsoInPolicy({ recipients, people }, { steps }, [ada, bob]).map(({ id }) => id)
  assert.deepEqual(of('+1 415 555 0101\n+14155550102', []), [ada.id])
  assert.deepEqual(of('', [ada.id, bob.id]), [ada.id])
  assert.deepEqual(of('+14155550199', []), [])
  assert.deepEqual(alsoInPolicy({ recipients: '+14155550101', people: [] }, undefined, [ada]), [])
})

test('Home says in one line what the drills have proved', () => {
  const at = new Date(2026, 0, 15, 9).getTime()
  const proved = (sends: number | null, receives: number | null, tookMs: number | null = 7_000) => ({
    driver: null,
    drill: { every: 'day', at: '09:00', to: null, simSlot: null } as const,
    proven: {
      sends: sends === null ? null : new Date(sends).toISOString(),
      receives: receives === null ? null : new Date(receives).toISOString(),
      tookMs,
    },
  })
  const both = proved(at, at)
  const noon = at + 3 * 3_600_000
  assert.equal(provenWords([both, both], noon), 'Proven this morning: 2 phones, both ways, 7 s.')
  assert.equal(provenWords([both, proved(null, at)], noon), 'Proven this morning: 1 phone, both ways, 7 s.')
  assert.equal(provenWords([proved(at, null)], noon), 'Proven this morning: 1 phone sends.')
  assert.match(provenWords([both], noon + 86_400_000) ?? '', /^Proven yesterday: /)
  assert.equal(provenWords([both], noon + 2 * 86_400_000), null)
  assert.equal(provenWords([{ ...both, driver: 'log' }], noon), null)
})
