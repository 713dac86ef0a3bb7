import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HealthCode, MachineFacts } from '#contracts/health.ts'
import {
  ALARM_CLEAR_MS_MIN,
  ALARM_TEXTS_PER_HOUR_MAX,
  HEALTH_LOOK_EVERY_MS,
} from '#contracts/health-bounds.ts'
import { openWorld, type TestPhone } from '#test/kit/test-phone.ts'
import { refusal } from '#test/kit/webhook-world.ts'
import { OFFLINE_AFTER_MS } from '#test/kit/world.ts'

const OWNER = { phoneNumber: '+14155550123', country: 'US' }
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const WELL: MachineFacts = { backup: null, certificate: null, disk: null }

/** A gateway that is looked after, by the manual clock, with one phone that is connected. */
function watched({ recipients = [OWNER], phones: count = 1 } = {}) {
  const gateway = openWorld(count)
  const { world, accountId, phones } = gateway
  const urls = { url: 'https://receiver.test/', events: ['system.alarm', 'system.recovered'] as const }
  world.ask('notification.set', { accountId, ...urls })
  world.batch.reconfigure({ ...world.settings, alarmRecipients: recipients })
  let machine = WELL
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= HEALTH_LOOK_EVERY_MS) {
      world.advance(Math.min(left, HEALTH_LOOK_EVERY_MS))
      world.ask('health.look', machine)
      sendAll()
    }
  }
  /** The phone sends what it was offered. */
  const sendAll = () => {
    for (const id of phone.offered()) {
      phone.begin(id)
      phone.report(id, 'sent')
    }
  }
  const all = (sql: string) => world.database.prepare(sql).all()
  const phone = phones[0] as TestPhone
  phone.connect()
  return {
    ...gateway,
    phone,
    pass,
    /** Whether nightly backups fail, from the next look on. */
    failBackups(isFailing: boolean) {
      machine = isFailing ? { ...WELL, backup: { failedSince: world.wallMs, cause: 'no room' } } : WELL
      pass(HEALTH_LOOK_EVERY_MS)
    },
    restart() {
      world.restart()
      world.batch.reconfigure({ ...world.settings, alarmRecipients: recipients })
    },
    texts: () => all('SELECT text FROM message ORDER BY serial').map(row => String(row['text'])),
    events: () =>
      all('SELECT body FROM notification_delivery ORDER BY seq').map(row => {
        const { event, data } = JSON.parse(String(row['body']))
        return `${event} ${data.code}`
      }),
  }
}

test('an alarm is told once by text and event, and once when it is over', () => {
  const { failBackups, pass, texts, events } = watched()
  failBackups(true)
  pass(HOUR_MS)
  assert.deepEqual(events(), ['system.alarm BACKUP_FAILED'])
  assert.deepEqual(texts(), ['Roost: The nightly backup fails: no room (since 2026-01-15 12:00 UTC)'])
  failBackups(false)
  pass(ALARM_CLEAR_MS_MIN - HEALTH_LOOK_EVERY_MS)
  assert.equal(events().length, 1, 'it may come back at once')
  pass(HEALTH_LOOK_EVERY_MS)
  assert.deepEqual(events(), ['system.alarm BACKUP_FAILED', 'system.recovered BACKUP_FAILED'])
  assert.equal(texts()[1], 'Roost: Over: The nightly backup fails: no room (until 2026-01-15 13:01 UTC)')
  pass(HOUR_MS)
  assert.deepEqual([events().length, texts().length], [2, 2])
})

test('each problem of the machine and of phones raises its alarm and clears it', () => {
  const { world, phone, pass, events } = watched({ phones: 2 })
  const tell = (battery: number) =>
    phone.say({ type: 'telemetry', battery, charging: false, signal: null, sims: null, busy: null })
  const machine: MachineFacts = {
    backup: null,
    certificate: { file: '/cert.pem', expiresAt: world.wallMs + 1 },
    disk: { path: '/data', freeBytes: 1 },
  }
  tell(5)
  world.advance(OFFLINE_AFTER_MS)
  world.ask('health.look', machine)
  const codes: HealthCode[] = ['BATTERY_LOW', 'CERTIFICATE_EXPIRING', 'DISK_NEARLY_FULL']
  assert.deepEqual(
    events().sort(),
    codes.map(code => `system.alarm ${code}`),
  )
  tell(90)
  pass(2 * MINUTE_MS)
  assert.deepEqual(
    events().slice(3).sort(),
    codes.map(code => `system.recovered ${code}`),
  )
})

test('several alarms at once are one text', () => {
  const { world, phone, texts } = watched()
  phone.say({ type: 'telemetry', battery: 5, charging: false, signal: null, sims: null, busy: null })
  world.ask('health.look', { ...WELL, disk: { path: '/data', freeBytes: 1 } })
  assert.equal(texts().length, 1)
  assert.match(texts()[0] ?? '', /^Roost: The battery .*; The disk /)
})

test('an alarm waits for a phone that works and says since when; when it is over by then, until when', () => {
  const { phone, pass, texts, events } = watched()
  phone.close()
  pass(HOUR_MS)
  assert.deepEqual(events(), ['system.alarm NO_DEVICE_ONLINE'])
  assert.deepEqual(texts(), [])
  phone.connect()
  pass(HEALTH_LOOK_EVERY_MS)
  assert.equal(texts().length, 1)
  assert.match(texts()[0] ?? '', /is offline, so no text can be sent \(since 2026-01-15 12:00 UTC\)$/)
  pass(HOUR_MS)
  assert.match(texts()[1] ?? '', /^Roost: Over: /)
  assert.equal(texts().length, 2)
})

test('a problem that comes and goes is one alarm, and the next one takes longer to clear', () => {
  const { failBackups, pass, texts, events } = watched()
  for (let times = 0; times < 10; times++) {
    failBackups(true)
    pass(MINUTE_MS / 2)
    failBackups(false)
    pass(MINUTE_MS / 2)
  }
  assert.deepEqual([events().length, texts().length], [1, 1])
  pass(MINUTE_MS)
  assert.deepEqual([events().length, texts().length], [2, 2])
  failBackups(true)
  failBackups(false)
  pass(2 * MINUTE_MS - HEALTH_LOOK_EVERY_MS)
  assert.equal(events().length, 3)
  pass(HEALTH_LOOK_EVERY_MS)
  assert.equal(events().length, 4)
})

test('whatever comes and goes, six texts an hour are the most, and the rest is told later', () => {
  const second = { phoneNumber: '+14155550124', country: 'US' }
  const { world, texts } = watched({ recipients: [OWNER, second] })
  const times: number[] = []
  for (let minute = 0; minute < 150; minute++) {
    const backup = minute % 7 < 3 ? { failedSince: world.wallMs, cause: 'no room' } : null
    const disk = minute % 5 < 2 ? { path: '/data', freeBytes: 1 } : null
    world.ask('health.look', { ...WELL, backup, disk })
    world.advance(MINUTE_MS)
    while (times.length < texts().length) times.push(minute)
  }
  for (const from of times) {
    const within = times.filter(minute => minute >= from && minute < from + 60)
    assert.ok(within.length <= ALARM_TEXTS_PER_HOUR_MAX, `${within.length} texts from minute ${from}`)
  }
  assert.equal(times.filter(minute => minute < 60).length, ALARM_TEXTS_PER_HOUR_MAX)
  assert.ok(times.length > ALARM_TEXTS_PER_HOUR_MAX, 'what did not fit was told later')
})

test('a restart tells nothing twice, neither before nor after the text', () => {
  const { failBackups, restart, phone, pass, texts, events } = watched()
  failBackups(true)
  assert.deepEqual([events().length, texts().length], [1, 1])
  restart()
  phone.connect()
  pass(HOUR_MS)
  assert.deepEqual([events().length, texts().length], [1, 1])
})

test('an alarm goes through the phone that works, not through the one that fails', () => {
  const { world, phones, phone, send, pass, stored, texts } = watched({ phones: 2 })
  const [, other] = phones as [TestPhone, TestPhone]
  for (let failed = 0; failed < 3; failed++) {
    const id = send({ deviceId: phone.deviceId })
    phone.begin(id)
    phone.report(id, 'failed', { code: 'SIM_BLOCKED' })
  }
  other.connect()
  pass(HEALTH_LOOK_EVERY_MS)
  assert.match(texts().at(-1) ?? '', /3 of the last 3 texts/)
  const id = world.database.prepare('SELECT id FROM message ORDER BY serial DESC').get()?.['id']
  assert.equal(stored(String(id)).deviceId, other.deviceId)
})

test('a day’s quota that is used up stops no alarm', () => {
  const { world, failBackups, send, texts, accountId } = watched()
  world.ask('account.set-plan', { email: 'owner@localhost', plan: 'free' })
  for (let sent = 0; sent < 10; sent++) send()
  assert.equal(refusal(() => send()).code, 'RATE_LIMIT_EXCEEDED')
  failBackups(true)
  assert.match(texts().at(-1) ?? '', /^Roost: /)
  assert.ok(world.ask('health.list', { accountId }).some(({ code }) => code === 'QUOTA_NEARLY_USED'))
})

test('without recipients nobody is texted; who is named later hears of what is there', () => {
  const { world, failBackups, pass, texts, events } = watched({ recipients: [] })
  failBackups(true)
  assert.deepEqual([events().length, texts().length], [1, 0])
  world.batch.reconfigure({ ...world.settings, alarmRecipients: [OWNER] })
  pass(HEALTH_LOOK_EVERY_MS)
  assert.equal(texts().length, 1)
})

test('a disk that was full is told of once there is room', () => {
  const { world, pass, events, failBackups } = watched()
  world.batch.health.noteDisk(true, world.wallMs)
  failBackups(true)
  assert.deepEqual(events(), [])
  world.batch.health.noteDisk(false, world.wallMs)
  pass(HEALTH_LOOK_EVERY_MS)
  assert.deepEqual(events().sort(), ['system.alarm BACKUP_FAILED', 'system.alarm DISK_FULL'])
  pass(2 * MINUTE_MS)
  assert.equal(events().at(-1), 'system.recovered DISK_FULL')
})

test('a test texts every recipient, and says what is missing', () => {
  const { world, phone, texts } = watched()
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
