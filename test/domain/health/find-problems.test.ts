import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HEALTH_CODES } from '#contracts/health.ts'
import type { Broken } from '#domain/drill/drill.ts'
import type { AccountFacts, GatewayFacts, PhoneFacts } from '#domain/health/facts.ts'
import { findAccountProblems, findGatewayProblems } from '#domain/health/find-problems.ts'
import { CALM_ON_CALL } from '#test/kit/calm-on-call.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function phone(different: Partial<PhoneFacts> = {}): PhoneFacts {
  return {
    id: 'dev_1',
    name: 'Kitchen',
    isOnline: true,
    lastSeenAt: NOW,
    isPaused: false,
    isPretend: false,
    trouble: null,
    isFound: false,
    overdueCount: 0,
    caps: [],
    battery: 80,
    charging: false,
    expectedWaitMs: 0,
    broken: null,
    isProven: false,
    outcomes: [],
    ...different,
  }
}

const policy = { id: 'pol_1', name: 'Night', rings: false, emptySteps: [] }

function account(different: Partial<AccountFacts> = {}): AccountFacts {
  return {
    now: NOW,
    phones: [phone()],
    downGroups: [],
    waiting: { count: 0, oldestAt: null },
    unknown: null,
    braked: null,
    plannedExpired: null,
    overCap: [],
    quotas: [],
    mailRefusedSince: null,
    onCall: CALM_ON_CALL,
    notifications: null,
    forwards: [],
    ...different,
  }
}

const RIGHT = { behindMs: 0, aheadMs: 0, jump: null }

function gateway(different: Partial<GatewayFacts> = {}): GatewayFacts {
  return {
    now: NOW,
    backup: null,
    cluster: null,
    damage: null,
    certificate: null,
    disk: { path: '/data', freeBytes: 10e9 },
    diskFullSince: null,
    commitMs: null,
    lost: null,
    mailRefusedSince: null,
    clock: RIGHT,
    ...different,
  }
}

const found = (facts: Partial<AccountFacts>) =>
  findAccountProblems(account(facts)).map(({ code, severity, subject, since }) => {
    return [code, severity, subject, since]
  })
const CERTIFICATE = { file: '/cert.pem', expiresAt: NOW, isOwn: true, authority: null }
const foundHere = (facts: Partial<GatewayFacts>) =>
  findGatewayProblems(gateway(facts)).map(({ code, severity, since }) => [code, severity, since])

const away = (ms: number, more: Partial<PhoneFacts> = {}) =>
  phone({ isOnline: false, lastSeenAt: NOW - ms, ...more })
const outcomes = (...hasFailed: boolean[]) =>
  hasFailed.map((failed, index) => ({ hasFailed: failed, at: NOW - (index + 1) * MINUTE }))

test('a healthy gateway has no problem', () => {
  assert.deepEqual(found({}), [])
  assert.deepEqual(found({ phones: [] }), [])
  assert.deepEqual(foundHere({}), [])
})

test('no phone online is critical since the last one disconnected, and counts waiting texts', () => {
  const phones = [away(HOUR), away(2 * MINUTE, { id: 'dev_2' })]
  const waiting = { count: 3, oldestAt: NOW - HOUR }
  assert.deepEqual(found({ phones, waiting }), [['NO_DEVICE_ONLINE', 'critical', null, NOW - 2 * MINUTE]])
  assert.match(findAccountProblems(account({ phones, waiting }))[0]?.message ?? '', /; 3 texts wait$/)
  assert.deepEqual(found({ phones: [away(HOUR)] }), [['NO_DEVICE_ONLINE', 'critical', 'dev_1', NOW - HOUR]])
})

test('a pretend phone that is offline is started again by a command', () => {
  const fixOf = (phones: readonly PhoneFacts[]) => findAccountProblems(account({ phones }))[0]?.fix ?? ''
  const pretend = away(HOUR, { isPretend: true })
  assert.match(fixOf([pretend]), /pretend phone.*Its page in the console shows the command/)
  assert.match(fixOf([pretend, phone({ id: 'dev_2' })]), /Its page .*Or remove Kitchen/)
  assert.match(fixOf([pretend, away(HOUR, { id: 'dev_2' })]), /Switch a phone on/)
})

test('paused phones are neither reported nor counted', () => {
  assert.deepEqual(found({ phones: [away(HOUR, { isPaused: true })] }), [])
  const phones = [phone({ isPaused: true }), away(MINUTE, { id: 'dev_2' })]
  assert.deepEqual(found({ phones }), [['NO_DEVICE_ONLINE', 'critical', 'dev_2', NOW - MINUTE]])
})

test('a phone that cannot send is a warning, or critical if it is the only one', () => {
  const troubled = phone({ trouble: 'the SMS permission is missing' })
  assert.deepEqual(found({ phones: [troubled, phone({ id: 'dev_2' })] }), [
    ['MESSAGES_FAILING', 'warning', 'dev_1', null],
  ])
  const [alone] = findAccountProblems(account({ phones: [troubled] }))
  assert.equal(alone?.code, 'NO_DEVICE_ONLINE')
  assert.match(alone?.message ?? '', /Kitchen: the SMS permission is missing/)
})

test('one offline phone of several is reported after ten minutes', () => {
  const beside = phone({ id: 'dev_2' })
  assert.deepEqual(found({ phones: [away(10 * MINUTE - 1), beside] }), [])
  assert.deepEqual(found({ phones: [away(10 * MINUTE), beside] }), [
    ['DEVICE_OFFLINE', 'warning', 'dev_1', NOW - 10 * MINUTE],
  ])
})

test('a group whose phones cannot send for ten minutes is reported, and is critical if it is alone', () => {
  const of = (since: number, isAlone: boolean) =>
    found({ downGroups: [{ id: 'dgr_1', name: 'Hall', since, isAlone }] })
  const since = NOW - 10 * MINUTE
  assert.deepEqual(of(since + 1, true), [])
  assert.deepEqual(of(since, true), [['GROUP_CANNOT_SEND', 'critical', 'dgr_1', since]])
  assert.deepEqual(of(since, false), [['GROUP_CANNOT_SEND', 'warning', 'dgr_1', since]])
})

test('a battery is low at 20 % and critical at 10 %, unless it charges or the phone is away', () => {
  const at = (battery: number | null, more: Partial<PhoneFacts> = {}) =>
    found({ phones: [phone({ battery, ...more })] }).map(([code, severity]) => [code, severity])
  assert.deepEqual(at(21), [])
  assert.deepEqual(at(20), [['BATTERY_LOW', 'warning']])
  assert.deepEqual(at(10), [['BATTERY_LOW', 'critical']])
  assert.deepEqual(at(10, { charging: true }), [])
  assert.deepEqual(at(10, { charging: null }), [['BATTERY_LOW', 'critical']])
  assert.deepEqual(at(null), [])
  const beside = phone({ id: 'dev_2' })
  assert.deepEqual(found({ phones: [away(MINUTE, { battery: 3 }), beside] }), [])
})

test('a queue is stalled if a text waits, or is expected to wait, ten minutes', () => {
  const waiting = { count: 1, oldestAt: NOW - 10 * MINUTE }
  assert.deepEqual(found({ waiting }), [['QUEUE_STALLED', 'warning', null, waiting.oldestAt]])
  assert.deepEqual(found({ waiting: { count: 1, oldestAt: NOW - 10 * MINUTE + 1 } }), [])
  const phones = [phone({ expectedWaitMs: 10 * MINUTE })]
  assert.deepEqual(found({ phones, waiting: { count: 250, oldestAt: NOW } }), [
    ['QUEUE_STALLED', 'warning', null, null],
  ])
})

test('three failures among the last ten texts of a phone are reported', () => {
  const phones = (...hasFailed: boolean[]) => [phone({ outcomes: outcomes(...hasFailed) })]
  assert.deepEqual(found({ phones: phones(true, false, true) }), [])
  const failing = ['MESSAGES_FAILING', 'warning', 'dev_1', NOW - 4 * MINUTE]
  assert.deepEqual(found({ phones: phones(true, false, true, true) }), [failing])
  const old = outcomes(true, true, true).map(one => ({ ...one, at: one.at - DAY }))
  assert.deepEqual(found({ phones: [phone({ outcomes: old })] }), [])
})

const BROKEN = { half: 'sending', since: NOW - HOUR, other: 'Attic', otherId: 'dev_2' } as const
test('a broken chain is critical where no other phone is proven to send, and says what is known', () => {
  const said = (half: Broken['half'], other: Partial<PhoneFacts>) => {
    const phones = [phone({ broken: { ...BROKEN, half } }), phone({ id: 'dev_2', name: 'Attic', ...other })]
    const problem = findAccountProblems(account({ phones })).find(({ code }) => code === 'CHAIN_BROKEN')
    return `${problem?.code} ${problem?.severity} ${problem?.subject}: ${problem?.message}`
  }
  assert.equal(
    said('sending', {}),
    'CHAIN_BROKEN critical dev_1: Kitchen does not send: its drill failed twice',
  )
  assert.match(said('receiving', { isProven: true }), / warning dev_1: Attic does not receive: /)
  for (const other of [{ isPaused: true }, { isOnline: false }, { trouble: 'no SIM' }])
    assert.match(said('sending', { isProven: true, ...other }), / critical dev_1: /)
  assert.match(
    said('either', { isProven: true, broken: BROKEN }),
    / critical .* Kitchen sends or Attic receives: /,
  )
  const proven = phone({ broken: { ...BROKEN, half: 'receiving' }, isProven: true })
  assert.deepEqual(found({ phones: [proven] }), [['CHAIN_BROKEN', 'warning', 'dev_1', BROKEN.since]])
  assert.deepEqual(found({ phones: [{ ...proven, isPaused: true }, phone({ id: 'dev_2' })] }), [])
  assert.match(said('own', {}), / warning dev_1: .* many networks drop such texts/)
})

test('texts with an unknown outcome, and texts that were stopped, are reported', () => {
  const two = { count: 2, firstAt: NOW - HOUR }
  for (const [name, code] of Object.entries({ unknown: 'OUTCOME_UNKNOWN', braked: 'RETRY_BRAKE' }))
    assert.deepEqual(found({ [name]: two }), [[code, 'warning', null, NOW - HOUR]])
})

test('each webhook over its cap is reported', () => {
  const overCap = [{ webhookId: 'whk_1', name: 'Kuma', firstAt: NOW - MINUTE }]
  assert.deepEqual(found({ overCap }), [['WEBHOOK_OVER_CAP', 'warning', 'whk_1', NOW - MINUTE]])
})

test('a quota is nearly used at four fifths, and never if it is unlimited', () => {
  const at = (used: number, limit: number) => found({ quotas: [{ kind: 'sms', used, limit }] }).length
  assert.deepEqual([at(7, 10), at(8, 10), at(10, 10), at(500, -1), at(0, 0)], [0, 1, 1, 0, 0])
})

test('notifications are reported when they fail for an hour, and when they are disabled', () => {
  const well = { failingSince: null, disabledReason: null, disabledAt: null }
  assert.deepEqual(found({ notifications: well }), [])
  assert.deepEqual(found({ notifications: { ...well, failingSince: NOW - HOUR + 1 } }), [])
  const failing = ['NOTIFICATIONS_FAILING', 'warning', null, NOW - HOUR]
  assert.deepEqual(found({ notifications: { ...well, failingSince: NOW - HOUR } }), [failing])
  const off = { failingSince: NOW - 5 * DAY, disabledReason: 'FAILING', disabledAt: NOW - DAY } as const
  assert.deepEqual(found({ notifications: off }), [['NOTIFICATIONS_DISABLED', 'warning', null, NOW - DAY]])
})

test('a disk is nearly full below 500 MB, and full when the database says so', () => {
  const disk = { path: '/data', freeBytes: 499_999_999 }
  assert.deepEqual(foundHere({ disk }), [['DISK_NEARLY_FULL', 'warning', null]])
  assert.deepEqual(foundHere({ disk: { ...disk, freeBytes: 500_000_000 } }), [])
  assert.deepEqual(foundHere({ disk, diskFullSince: NOW - 1 }), [['DISK_FULL', 'critical', NOW - 1]])
})

test('lost commits are reported for a week, and are critical for a day', () => {
  const found = (ageMs: number) => foundHere({ lost: { at: NOW - ageMs, commits: 5, messages: 1 } })
  assert.deepEqual(found(DAY - 1), [['COMMITS_LOST', 'critical', NOW - DAY + 1]])
  for (const age of [DAY, 7 * DAY - 1]) assert.deepEqual(found(age), [['COMMITS_LOST', 'warning', NOW - age]])
  assert.deepEqual(found(7 * DAY), [])
})

test('a failing backup is reported with its reason', () => {
  const backup = { failedSince: NOW, cause: '/mnt/nas is not mounted' }
  assert.deepEqual(foundHere({ backup }), [['BACKUP_FAILED', 'warning', NOW]])
  assert.match(findGatewayProblems(gateway({ backup }))[0]?.message ?? '', /not mounted/)
})

test('every code has a rule, and every finding a sentence and a fix', () => {
  const old = NOW - HOUR
  const accounts = [
    { phones: [away(HOUR)] },
    {
      phones: [
        phone({ battery: 5, outcomes: outcomes(true, true, true), broken: BROKEN }),
        away(HOUR, { id: 'dev_2' }),
      ],
      downGroups: [{ id: 'dgr_1', name: 'Hall', since: old, isAlone: true }],
      waiting: { count: 1, oldestAt: old },
      unknown: { count: 1, firstAt: old },
      braked: { count: 1, firstAt: old },
      plannedExpired: { count: 1, firstAt: old },
      overCap: [{ webhookId: 'whk_1', name: 'Kuma', firstAt: old }],
      quotas: [{ kind: 'sms' as const, used: 9, limit: 10 }],
      mailRefusedSince: old,
      onCall: {
        waiting: [{ id: 'inc_1', number: 2, name: 'Kuma', since: old, isOver: false }],
        policies: [{ ...policy, rings: true, emptySteps: [1] }],
        overCap: [{ id: 'per_1', name: 'Ada', since: old }],
        isDayOver: true,
        canHearAnswers: false,
        canRing: false,
      },
      notifications: { failingSince: old, disabledReason: null, disabledAt: null },
    },
    { notifications: { failingSince: old, disabledReason: 'GONE' as const, disabledAt: old } },
  ]
  const lagging = { name: 'gw2', since: old, cause: 'it does not report' }
  const gateways = [
    {
      disk: { path: '/data', freeBytes: 1 },
      commitMs: 900,
      lost: { at: old, commits: 1, messages: 1 },
      backup: { failedSince: old, cause: 'no room' },
      certificate: CERTIFICATE,
      clock: { ...RIGHT, behindMs: HOUR },
    },
    { diskFullSince: old, damage: { foundAt: old, cause: 'the database is damaged (x)' } },
    { cluster: { lagging: [lagging], aloneSince: old, noQuorumSince: old } },
    { clock: { ...RIGHT, aheadMs: 8 * DAY }, mailRefusedSince: old },
  ]
  const findings = [
    ...accounts.flatMap(facts => findAccountProblems(account(facts))),
    ...gateways.flatMap(facts => findGatewayProblems(gateway(facts))),
  ]
  assert.deepEqual([...new Set(findings.map(({ code }) => code))].sort(), [...HEALTH_CODES].sort())
  for (const { message, fix } of findings) {
    assert.match(message, /^[A-Z0-9]/)
    assert.match(fix, /^[A-Z].*\.$/)
  }
})
