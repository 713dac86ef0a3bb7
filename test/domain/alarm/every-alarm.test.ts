import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HEALTH_CHECK_EVERY_MS } from '#app/health/health-watch.ts'
import {
  ALARM_CLEAR_MS_MIN,
  CERTIFICATE_LEFT_MS_MIN,
  DISK_FREE_BYTES_MIN,
  OUTCOME_LISTED_MS,
  OUTCOME_UNKNOWN_MS,
} from '#contracts/bounds.ts'
import { HEALTH_CODES, type HealthCode } from '#contracts/health.ts'
import { NOTIFICATIONS_FAILING_MS_MIN } from '#domain/health/account-rules.ts'
import { COMMIT_SLOW_MS, COMMITS_LOST_LISTED_MS } from '#domain/health/gateway-rules.ts'
import { OVER_CAP_LISTED_MS } from '#domain/health/gather-facts.ts'
import { COMMITS_MEASURED, MAIL_REFUSAL_LISTED_MS } from '#domain/health/health-memory.ts'
import { DEVICE_OFFLINE_MS_MIN, QUEUE_WAIT_MS_MAX } from '#domain/health/phone-rules.ts'
import { BRAKE_GOES_MAX } from '#domain/sending/start-sending.ts'
import { DAY_MS } from '#domain/time.ts'
import { INCIDENT_COURSES } from '#test/kit/incident-courses.ts'
import { MACHINE_COURSES } from '#test/kit/machine-courses.ts'
import { answered, OK, reports } from '#test/kit/notified-world.ts'
import { TestPhone } from '#test/kit/test-phone.ts'
import { sendOffered, watchedWorld } from '#test/kit/watched-world.ts'
import { FIELDS, NOT_READ } from '#test/kit/webhook-world.ts'
import { OFFLINE_AFTER_MS } from '#test/kit/world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

type Rig = ReturnType<typeof openRig>

/** How to cause a problem, and how to end it. */
interface Course {
  readonly raise: (rig: Rig) => void
  readonly clear: (rig: Rig) => void
  /** How the text to the owner begins. */
  readonly text: RegExp
}

const COURSES: Readonly<Record<HealthCode, Course>> = {
  NO_DEVICE_ONLINE: {
    raise: ({ phone, second, passTime }) => {
      second.close()
      phone.close()
      passTime(OFFLINE_AFTER_MS)
    },
    clear: ({ phone, second }) => [phone, second].forEach(one => void one.connect()),
    text: /^No phone is online, so texts wait until a phone is back, or until they expire/,
  },
  DEVICE_OFFLINE: {
    raise: ({ second, passTime }) => {
      second.close()
      passTime(DEVICE_OFFLINE_MS_MIN)
    },
    clear: ({ second }) => void second.connect(),
    text: /is offline/,
  },
  BATTERY_LOW: {
    raise: ({ second }) => tellBattery(second, 20),
    clear: ({ second }) => tellBattery(second, 21),
    text: /is at 20 % and does not charge/,
  },
  QUEUE_STALLED: {
    raise: ({ second, update, send, passTime }) => {
      update(second, { paused: true })
      send({ deviceId: second.deviceId })
      passTime(QUEUE_WAIT_MS_MAX)
    },
    clear: ({ second, update }) => {
      update(second, { paused: false })
      sendOffered(second)
    },
    text: /^1 text waits, the oldest for 10 minutes/,
  },
  MESSAGES_FAILING: {
    raise: rig => repeat(3, () => sendAs(rig, 'failed')),
    clear: rig => repeat(10, () => sendAs(rig, 'sent')),
    text: /^3 of the last 3 texts of .* failed/,
  },
  OUTCOME_UNKNOWN: {
    raise: ({ second, send, passTime }) => {
      const messageId = send({ deviceId: second.deviceId })
      second.begin(messageId)
      second.report(messageId, 'submitted')
      passTime(OUTCOME_UNKNOWN_MS, MINUTE_MS)
    },
    clear: ({ passTime }) => passTime(OUTCOME_LISTED_MS, HOUR_MS),
    text: /^It is unknown whether a phone sent 1 text/,
  },
  RETRY_BRAKE: {
    raise: ({ second, send }) => {
      const messageId = send({ deviceId: second.deviceId })
      for (let attempt = 1; attempt <= BRAKE_GOES_MAX; attempt++) {
        second.begin(messageId, attempt)
        second.connect({ journal: [{ messageId, attempt, state: 'accepted', code: null }] })
      }
      second.begin(messageId, BRAKE_GOES_MAX + 1)
    },
    clear: ({ passTime }) => passTime(OUTCOME_LISTED_MS, HOUR_MS),
    text: /^Roost gave up on 1 text: phones failed several times/,
  },
  PLANNED_EXPIRED: {
    raise: ({ world, send, passTime }) => {
      send({ sendAt: world.wallMs + MINUTE_MS, ttlMs: MINUTE_MS })
      world.wallMs += 5 * MINUTE_MS
      passTime(11 * MINUTE_MS, MINUTE_MS)
    },
    clear: ({ passTime }) => passTime(OUTCOME_LISTED_MS, HOUR_MS),
    text: /^1 planned text expired while Roost was off or its clock was wrong/,
  },
  WEBHOOK_OVER_CAP: {
    raise: ({ world, accountId }) => {
      const { id } = world.ask('webhook.create', { accountId, fields: FIELDS })
      const known = { address: '192.0.2.1', outcome: 'OVER_CAP', format: 'generic', message: 'x' } as const
      const seen = { ...known, ...NOT_READ }
      const note = { webhookId: id, rejected: 1, held: null, isHeard: false }
      world.ask('webhook.note', { notes: [{ ...note, seen: [{ ...seen, at: world.wallMs }] }] })
    },
    clear: ({ passTime }) => passTime(OVER_CAP_LISTED_MS, 10 * MINUTE_MS),
    text: /^The webhook alerts got more alerts than its limit per hour/,
  },
  ...INCIDENT_COURSES,
  QUOTA_NEARLY_USED: {
    raise: rig => {
      rig.world.ask('account.set-plan', { email: 'owner@localhost', plan: 'free' })
      repeat(8, () => sendAs(rig, 'sent'))
    },
    clear: ({ passTime }) => passTime(DAY_MS / 2, HOUR_MS),
    text: /^8 of 10 texts of today's quota are used/,
  },
  NOTIFICATIONS_FAILING: {
    raise: ({ notify, passTime }) => {
      notify(500)
      passTime(NOTIFICATIONS_FAILING_MS_MIN, MINUTE_MS)
    },
    clear: ({ notify }) => notify(204),
    text: /^Notifications do not arrive at the registered URL/,
  },
  NOTIFICATIONS_DISABLED: {
    raise: ({ notify }) => notify(410),
    clear: ({ subscribe }) => subscribe(),
    text: /^Notifications are off: the receiver answered that it is gone/,
  },
  DISK_NEARLY_FULL: {
    raise: ({ setMachine }) => setMachine({ disk: { path: '/data', freeBytes: DISK_FREE_BYTES_MIN - 1 } }),
    clear: ({ setMachine }) => setMachine({ disk: { path: '/data', freeBytes: DISK_FREE_BYTES_MIN } }),
    text: /^The disk with the database has 499 MB left/,
  },
  DISK_FULL: {
    raise: ({ world }) => {
      world.hasRoom = false
      world.batch.health.noteDisk(true, world.wallMs)
    },
    clear: ({ world }) => {
      world.hasRoom = true
    },
    text: /^The disk is full: no message is accepted until there is room/,
  },
  DISK_SLOW: {
    raise: ({ world }) => repeat(COMMITS_MEASURED, () => world.batch.health.noteCommit(COMMIT_SLOW_MS + 1)),
    clear: ({ world }) => repeat(COMMITS_MEASURED, () => world.batch.health.noteCommit(1)),
    text: /^The disk takes 251 ms to store a change/,
  },
  COMMITS_LOST: {
    raise: ({ world }) => {
      const insert = 'INSERT INTO commit_loss (at, commits, messages) VALUES (?, 2, 1)'
      world.database.prepare(insert).run(world.wallMs)
    },
    clear: ({ passTime }) => passTime(COMMITS_LOST_LISTED_MS, HOUR_MS),
    text: /^The database lost 2 commits; 1 open message was not sent again/,
  },
  MAIL_TURNED_AWAY: {
    raise: ({ world }) => void world.ask('mail.note-refusal', { owner: '' }),
    clear: ({ passTime }) => passTime(MAIL_REFUSAL_LISTED_MS, HOUR_MS),
    text: /^Devices that mail are turned away: all connections for mails are in use/,
  },
  CERTIFICATE_EXPIRING: {
    raise: ({ world, setMachine }) => setMachine(certificateUntil(world.wallMs + CERTIFICATE_LEFT_MS_MIN)),
    clear: ({ world, setMachine }) => setMachine(certificateUntil(world.wallMs + DAY_MS * 30)),
    text: /^The HTTPS certificate expires in/,
  },
  ...MACHINE_COURSES,
  CLOCK_WRONG: {
    raise: ({ world, send }) => {
      send()
      world.wallMs -= 2 * HOUR_MS
    },
    // The clock has jumped, which is a problem for an hour.
    clear: ({ world, passTime }) => {
      world.wallMs += 2 * HOUR_MS
      passTime(HOUR_MS)
    },
    text: /^The clock is 2 hours behind the last time that was known/,
  },
}

for (const code of HEALTH_CODES)
  test(`${code} is reported once when it begins and once when it ends`, () => {
    const { raise, clear, text } = COURSES[code]
    const rig = openRig()
    const { passTime, told, ownerTexts } = rig
    passTime(MINUTE_MS)
    assert.deepEqual([told(), ownerTexts()], [[], []], 'nothing is reported before the problem')
    raise(rig)
    passTime(HEALTH_CHECK_EVERY_MS)
    assert.deepEqual(told(), [`alarm.raised ${code}`])
    assert.equal(ownerTexts().length, 1)
    assert.match(ownerTexts()[0] ?? '', text)
    passTime(HOUR_MS / 2)
    assert.deepEqual([told().length, ownerTexts().length], [1, 1], 'reported exactly once while it lasts')
    clear(rig)
    passTime(2 * ALARM_CLEAR_MS_MIN)
    assert.deepEqual(told(), [`alarm.raised ${code}`, `alarm.cleared ${code}`])
    assert.equal(ownerTexts().length, 2)
    assert.match(ownerTexts()[1] ?? '', /^Over: /)
    passTime(HOUR_MS, MINUTE_MS)
    assert.deepEqual([told().length, ownerTexts().length], [2, 2], 'reported exactly once after it ended')
  })

/** An owner with two phones, and another account whose phone always works. */
function openRig() {
  const rig = watchedWorld({ phones: 2 })
  const { world, accountId, phones, phone } = rig
  const second = phones[1] as TestPhone
  second.connect()
  const spare = pairSpare(rig)
  const wanted = { url: 'https://receiver.test/', events: ['sms.sent'] as const }
  const subscribe = () => world.ask('notification.set', { accountId, ...wanted })
  subscribe()
  const told: string[] = []
  const hear = () => {
    for (const effect of world.effects.splice(0))
      if (effect.kind === 'log' && effect.event.startsWith('alarm.'))
        told.push(`${effect.event} ${effect.fields['code']}`)
  }
  return {
    ...rig,
    second,
    subscribe,
    passTime(ms: number, step = HEALTH_CHECK_EVERY_MS) {
      for (let left = ms; left > 0; left -= step) {
        const one = Math.min(left, step)
        rig.passTime(one, one)
        // The real clock has fractions.
        rig.world.monoMs += 0.1
        sendOffered(spare)
        hear()
      }
    },
    /** Sends a text. The receiver answers this status to every due notification. */
    notify(status: number) {
      sendOffered(phone)
      const sent = rig.send({ deviceId: phone.deviceId })
      phone.begin(sent)
      phone.report(sent, 'sent')
      const { deliveries } = world.ask('notification.exchange', { results: [], room: 512 })
      const result = status === 204 ? OK : answered(status)
      world.ask('notification.exchange', { results: reports(deliveries, result), room: 0 })
    },
    /** Logged alarms. They are logged even if the account has no notifications. */
    told: () => told,
    ownerTexts: () =>
      rig.texts().flatMap(text => (text.startsWith('Roost: ') ? [text.slice('Roost: '.length)] : [])),
  }
}

function pairSpare({ world }: ReturnType<typeof watchedWorld>): TestPhone {
  const account = { email: 'spare@example.org', plan: 'pro', passwordHash: null }
  const { accountId } = world.ask('account.create', account)
  const { code } = world.ask('device.create-pairing', { accountId, name: null })
  const { deviceId } = world.ask('device.pair', { code, name: null, platform: null, appVersion: null })
  const phone = new TestPhone(world, deviceId)
  phone.connect()
  return phone
}

function certificateUntil(expiresAt: number) {
  return { certificate: { file: '/etc/roost/cert.pem', expiresAt, isOwn: true, authority: null } }
}

function tellBattery(phone: TestPhone, battery: number): void {
  phone.sendFrame({ type: 'telemetry', battery, charging: false, signal: null, sims: null, busy: null })
}

function sendAs({ second, send, world }: Rig, state: 'sent' | 'failed'): void {
  const id = send({ deviceId: second.deviceId })
  second.begin(id)
  second.report(id, state, state === 'failed' ? { code: 'SIM_BLOCKED' } : {})
  world.advance(MINUTE_MS)
}

const repeat = (times: number, action: () => void) => Array.from({ length: times }, action)
