import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HEALTH_CHECK_EVERY_MS } from '#app/health/health-watch.ts'
import { ALARM_CLEAR_MS_MIN, ALARM_TEXTS_PER_HOUR_MAX } from '#contracts/bounds.ts'
import { DAY_MS } from '#domain/time.ts'
import { messageToAccept } from '#test/kit/messages.ts'
import { HUNG, reports } from '#test/kit/notified-world.ts'
import type { TestPhone } from '#test/kit/test-phone.ts'
import { HEALTHY_MACHINE, OWNER, watchedWorld } from '#test/kit/watched-world.ts'
import { refusal } from '#test/kit/webhook-world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** The name of a phone that was paired without one. */
const NAME = 'Phone'

test('an alarm sends one text and event when it begins, and one when it is over', () => {
  const { failBackups, passTime, texts, events } = watchedWorld()
  failBackups(true)
  passTime(HOUR_MS)
  assert.deepEqual(events(), ['system.alarm BACKUP_FAILED'])
  assert.deepEqual(texts(), ['Roost: The nightly backup fails: no room (since 12:00 UTC)'])
  failBackups(false)
  passTime(ALARM_CLEAR_MS_MIN - HEALTH_CHECK_EVERY_MS)
  assert.equal(events().length, 1, 'no end is reported yet, because the problem may return')
  passTime(HEALTH_CHECK_EVERY_MS)
  assert.deepEqual(events(), ['system.alarm BACKUP_FAILED', 'system.recovered BACKUP_FAILED'])
  assert.equal(texts()[1], 'Roost: Over: The nightly backup fails: no room (until 13:00 UTC)')
  passTime(HOUR_MS)
  assert.deepEqual([events().length, texts().length], [2, 2])
})

test('several simultaneous alarms are sent in one text', () => {
  const { world, phone, texts } = watchedWorld()
  phone.sendFrame({ type: 'telemetry', battery: 5, charging: false, signal: null, sims: null, busy: null })
  world.ask('health.check', { ...HEALTHY_MACHINE, disk: { path: '/data', freeBytes: 1 } })
  assert.equal(texts().length, 1)
  assert.match(texts()[0] ?? '', /^Roost: The battery .*; The disk /)
})

test('an alarm waits for a working phone, and then gives its start and, if over, its end', () => {
  const { phone, passTime, texts, events } = watchedWorld()
  phone.close()
  passTime(HOUR_MS)
  assert.deepEqual(events(), ['system.alarm NO_DEVICE_ONLINE'])
  assert.deepEqual(texts(), [])
  phone.connect()
  passTime(ALARM_CLEAR_MS_MIN)
  assert.deepEqual(texts(), [], 'it is not over yet, because the phone may go again')
  passTime(HEALTH_CHECK_EVERY_MS)
  assert.deepEqual(texts(), [`Roost: ${NAME} was offline from 12:00 UTC to 13:00 UTC`])
  passTime(HOUR_MS)
  assert.equal(texts().length, 1)
})

test('a phone that keeps coming and going is reported although it never stays', () => {
  const { phone, passTime, texts } = watchedWorld()
  for (let minutes = 0; minutes < 4; minutes++) {
    phone.close()
    passTime(MINUTE_MS)
    phone.connect()
    passTime(MINUTE_MS / 2)
  }
  assert.equal(texts().length, 1)
  assert.match(texts()[0] ?? '', /^Roost: .* is offline, so texts wait .* \(since 12:0\d UTC\)$/)
})

test('a text about what is over and what is new says which is which', () => {
  const { phone, failBackups, passTime, setMachine, texts } = watchedWorld()
  failBackups(true)
  phone.close()
  failBackups(false)
  passTime(5 * MINUTE_MS)
  phone.connect()
  setMachine({ disk: { path: '/data', freeBytes: 1 } })
  passTime(HEALTH_CHECK_EVERY_MS)
  const [, joined = ''] = texts()
  assert.match(
    joined,
    /^Roost: Over: The nightly backup fails.* UTC\); New: The disk .* \(since 12:05 UTC\)$/,
  )
  passTime(2 * MINUTE_MS)
  assert.equal(texts()[2], `Roost: ${NAME} was offline from 12:00 UTC to 12:05 UTC`)
  assert.equal(texts().length, 3)
})

test('the end of a problem waits for the text about a phone that is just back', () => {
  const { phone, failBackups, passTime, texts } = watchedWorld()
  failBackups(true)
  phone.close()
  failBackups(false)
  passTime(5 * MINUTE_MS)
  phone.connect()
  passTime(2 * MINUTE_MS)
  assert.match(
    texts()[1] ?? '',
    /^Roost: Over: The nightly backup fails.*; .* was offline from .* to 12:05 UTC$/,
  )
  assert.equal(texts().length, 2)
})

test('a problem that comes and goes is one alarm, and takes longer to clear each time', () => {
  const { failBackups, passTime, texts, events } = watchedWorld()
  for (let times = 0; times < 10; times++) {
    failBackups(true)
    passTime(MINUTE_MS / 2)
    failBackups(false)
    passTime(MINUTE_MS / 2)
  }
  assert.deepEqual([events().length, texts().length], [1, 1])
  passTime(MINUTE_MS)
  assert.deepEqual([events().length, texts().length], [2, 2])
  failBackups(true)
  failBackups(false)
  passTime(2 * MINUTE_MS - HEALTH_CHECK_EVERY_MS)
  assert.equal(events().length, 3)
  passTime(HEALTH_CHECK_EVERY_MS)
  assert.equal(events().length, 4)
})

test('a problem that became a worse one is not over', () => {
  const { world, phones, phone, passTime, setMachine, texts } = watchedWorld({ phones: 2 })
  const [, other] = phones as [TestPhone, TestPhone]
  const told = () => texts().join(' ')
  other.connect()
  setMachine({ disk: { path: '/data', freeBytes: 1 } })
  const empty = {
    type: 'telemetry',
    battery: 5,
    charging: false,
    signal: null,
    sims: null,
    busy: null,
  } as const
  other.sendFrame(empty)
  passTime(MINUTE_MS)
  // The battery is empty, and later no phone is online; the disk is full.
  other.close()
  passTime(HOUR_MS)
  phone.close()
  world.hasRoom = false
  world.batch.health.noteDisk(true, world.wallMs)
  passTime(HOUR_MS)
  world.hasRoom = true
  phone.connect()
  passTime(HEALTH_CHECK_EVERY_MS)
  assert.match(told(), /battery.*is offline/)
  assert.doesNotMatch(told(), /Over: (The battery|Phone is offline)/)
  other.connect()
  other.sendFrame({ ...empty, battery: 80 })
  passTime(HOUR_MS)
  assert.match(told(), /Over: The battery .*Over: Phone is offline/)
})

test('notifications that failed and are switched off are not over', () => {
  const { world, accountId, passTime, texts } = watchedWorld()
  const fail = () => {
    world.ask('notification.test', { accountId })
    const { deliveries } = world.ask('notification.exchange', { results: [], room: 9 })
    world.ask('notification.exchange', { results: reports(deliveries, HUNG), room: 0 })
  }
  for (let day = 0; day <= 5; day += 1) {
    fail()
    passTime(DAY_MS, HOUR_MS)
  }
  const all = texts().join(' ')
  assert.match(all, /Notifications do not arrive .* Notifications are off/)
  assert.doesNotMatch(all, /Over: Notifications/)
})

test('at most six texts an hour are sent, and the rest is reported later', () => {
  const second = { phoneNumber: '+14155550124', country: 'US' }
  const { world, texts } = watchedWorld({ recipients: [OWNER, second] })
  const times: number[] = []
  for (let minute = 0; minute < 150; minute++) {
    const backup = minute % 7 < 3 ? { failedSince: world.wallMs, cause: 'no room' } : null
    const disk = minute % 5 < 2 ? { path: '/data', freeBytes: 1 } : null
    world.ask('health.check', { ...HEALTHY_MACHINE, backup, disk })
    world.advance(MINUTE_MS)
    while (times.length < texts().length) times.push(minute)
  }
  for (const from of times) {
    const within = times.filter(minute => minute >= from && minute < from + 60)
    assert.ok(within.length <= ALARM_TEXTS_PER_HOUR_MAX, `${within.length} texts from minute ${from}`)
  }
  assert.equal(times.filter(minute => minute < 60).length, ALARM_TEXTS_PER_HOUR_MAX)
  assert.ok(times.length > ALARM_TEXTS_PER_HOUR_MAX, 'the other texts were sent later')
})

test('a restart before or after the text reports nothing twice', () => {
  const { failBackups, restart, phone, passTime, texts, events } = watchedWorld()
  failBackups(true)
  assert.deepEqual([events().length, texts().length], [1, 1])
  restart()
  phone.connect()
  passTime(HOUR_MS)
  assert.deepEqual([events().length, texts().length], [1, 1])
})

test('a problem keeps its start over a restart', () => {
  const { world, accountId, phone, passTime, restart } = watchedWorld()
  phone.sendFrame({ type: 'telemetry', battery: 15, charging: false, signal: null, sims: null, busy: null })
  passTime(MINUTE_MS)
  const listed = () => world.ask('health.list', { accountId }).map(({ code, since }) => `${code} ${since}`)
  const before = listed()
  assert.match(before.join(), /^BATTERY_LOW /)
  restart()
  passTime(HOUR_MS, MINUTE_MS)
  phone.connect()
  assert.deepEqual(listed(), before)
})

test('the quota of another account is its own affair: its owner gets an event, and nobody a text', () => {
  const { world, passTime, texts } = watchedWorld()
  const { accountId } = world.ask('account.create', {
    email: 'b@example.org',
    plan: 'free',
    passwordHash: null,
  })
  for (let sent = 0; sent < 9; sent += 1)
    world.ask('message.accept', messageToAccept(accountId, { queueIfOffline: true }))
  const before = texts().length
  world.effects.length = 0
  passTime(MINUTE_MS)
  assert.ok(world.ask('health.list', { accountId }).some(({ code }) => code === 'QUOTA_NEARLY_USED'))
  assert.ok(world.effects.some(one => one.kind === 'log' && one.fields['code'] === 'QUOTA_NEARLY_USED'))
  assert.deepEqual(texts().slice(before), [])
})

test('an alarm goes through the phone that works, not through the one that fails', () => {
  const { world, phones, phone, send, passTime, stored, texts } = watchedWorld({ phones: 2 })
  const [, other] = phones as [TestPhone, TestPhone]
  for (let failed = 0; failed < 3; failed++) {
    const id = send({ deviceId: phone.deviceId })
    phone.begin(id)
    phone.report(id, 'failed', { code: 'SIM_BLOCKED' })
  }
  other.connect()
  passTime(HEALTH_CHECK_EVERY_MS)
  assert.match(texts().at(-1) ?? '', /3 of the last 3 texts/)
  const id = world.database.prepare('SELECT id FROM message ORDER BY serial DESC').get()?.['id']
  assert.equal(stored(String(id)).deviceId, other.deviceId)
})

test('an alarm is sent even if the day’s quota is used up', () => {
  const { world, failBackups, send, texts, accountId } = watchedWorld()
  world.ask('account.set-plan', { email: 'owner@localhost', plan: 'free' })
  for (let sent = 0; sent < 10; sent++) send()
  assert.equal(refusal(() => send()).code, 'RATE_LIMIT_EXCEEDED')
  failBackups(true)
  assert.match(texts().at(-1) ?? '', /^Roost: /)
  assert.ok(world.ask('health.list', { accountId }).some(({ code }) => code === 'QUOTA_NEARLY_USED'))
})

test('without recipients no text is sent; recipients added later get the current problems', () => {
  const { world, failBackups, passTime, texts, events } = watchedWorld({ recipients: [] })
  failBackups(true)
  assert.deepEqual([events().length, texts().length], [1, 0])
  world.batch.reconfigure({ ...world.settings, alarmRecipients: [OWNER] })
  passTime(HEALTH_CHECK_EVERY_MS)
  assert.equal(texts().length, 1)
})

test('a disk that is too full for its alarm is reported when there is room again', () => {
  const { world, passTime, events, failBackups } = watchedWorld()
  const { database } = world
  database.function('no_space', () => {
    throw Object.assign(new Error('planted'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
  })
  database.exec('CREATE TEMP TRIGGER full BEFORE INSERT ON main.alarm BEGIN SELECT no_space(); END')
  failBackups(true)
  assert.deepEqual(events(), [])
  database.exec('DROP TRIGGER full')
  passTime(HEALTH_CHECK_EVERY_MS)
  assert.deepEqual(events().sort(), ['system.alarm BACKUP_FAILED', 'system.alarm DISK_FULL'])
  passTime(2 * MINUTE_MS)
  assert.equal(events().at(-1), 'system.recovered DISK_FULL')
})

test('a test of alarms texts every recipient, and reports missing settings', () => {
  const { world, phone, texts } = watchedWorld()
  const asked = () => world.ask('alarm.test', {})
  assert.deepEqual(
    asked().messages.map(({ phoneNumber }) => phoneNumber),
    [OWNER.phoneNumber],
  )
  assert.match(texts()[0] ?? '', /^Roost: this is a test\./)
  for (let sent = 1; sent < ALARM_TEXTS_PER_HOUR_MAX; sent++) asked()
  assert.equal(refusal(asked).code, 'RATE_LIMIT_EXCEEDED')
  world.advance(HOUR_MS)
  phone.close()
  assert.equal(refusal(asked).code, 'NO_DEVICE_AVAILABLE')
  world.batch.reconfigure(world.settings)
  assert.match(refusal(asked).message, /\[alarms\] recipients/)
})
