import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver } from '#agent/drivers/driver.ts'
import { AGENT_CHECK_EVERY_MS, AGENT_PERMISSION_CHECK_MS, Health } from '#agent/health.ts'
import { AGENT_CHECK_MS_MAX } from '#contracts/bounds.ts'
import { HandClock } from '#test/kit/hand-clock.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { TermuxPhone } from '#test/kit/termux-phone.ts'

const never = new AbortController().signal
const DENIED = { error: 'Please grant the following permission to use this command: SEND_SMS' }

test('a phone with Termux:API and the permission can send, and the check itself sends nothing', async t => {
  const phone = new TermuxPhone(t)
  assert.equal(await phone.driver.check?.(), null)
  assert.equal(phone.read('libexec/termux-api.asked'), 'SmsSend\n')
  assert.equal(phone.has('termux-sms-send.text'), false)
})

test('each missing part is reported in a sentence that says how to fix it', async t => {
  const phone = new TermuxPhone(t)
  phone.setAnswer('libexec/termux-api', DENIED)
  assert.match((await phone.driver.check?.()) ?? '', /^Android does not let Termux:API send SMS: allow it /)
  phone.script('libexec/termux-api', 'exec sleep 60')
  const hanging = phone.driver.check?.()
  await nextTurn()
  phone.clock.advance(AGENT_CHECK_MS_MAX)
  assert.match((await hanging) ?? '', /^the app Termux:API does not answer: install it .*F-Droid/)
  phone.remove('termux-sms-send')
  assert.match((await phone.driver.check?.()) ?? '', /are missing: run in Termux: pkg install termux-api$/)
})

test("a text that failed for a missing part carries the phone's own error message", async t => {
  const phone = new TermuxPhone(t)
  const order = {
    messageId: 'm',
    attempt: 1,
    phoneNumber: '+15550100',
    message: 'x',
    segments: 1,
    simSlot: null,
    kind: 'sms' as const,
    ttlMs: 3_600_000,
    acceptedAt: '2026-01-31T12:00:00.000Z',
    mark: null,
    at: '',
  }
  phone.setAnswer('termux-sms-send', DENIED)
  const { detail } = await phone.driver.send(order, never)
  assert.equal(detail, DENIED.error)
  phone.script('termux-sms-send', 'exit 127')
  assert.match((await phone.driver.send(order, never)).detail ?? '', /pkg install termux-api$/)
})

/** The health of a phone whose trouble the test sets. */
function healthOf(given: { trouble: string | null }) {
  const clock = new HandClock()
  const logged: string[] = []
  const driver = { send: () => assert.fail(), check: async () => given.trouble } satisfies Driver
  const health = new Health({ driver, clock, log: line => logged.push(line), stop: never })
  const pass = async (ms: number) => {
    clock.advance(ms)
    await nextTurn()
  }
  return { health, clock, logged, pass }
}

test('a phone that cannot send is checked until it can, and each change is reported once', async () => {
  const given = { trouble: 'no SIM tray' as string | null }
  const { health, logged, pass } = healthOf(given)
  const changes: (string | null)[] = []
  health.changed = () => changes.push(health.trouble)
  await health.start()
  await pass(AGENT_CHECK_EVERY_MS)
  given.trouble = null
  await pass(AGENT_CHECK_EVERY_MS)
  assert.deepEqual(changes, ['no SIM tray', null])
  assert.deepEqual(logged, ['This phone cannot send: no SIM tray.', 'This phone can send.'])
})

test('a phone with regular checks is checked before each text, unless it is in trouble', async () => {
  const given = { trouble: null as string | null, checks: 0 }
  const check = async () => {
    given.checks++
    return given.trouble
  }
  const driver = { send: () => assert.fail(), check, checkEveryMs: 10_000 } satisfies Driver
  const health = new Health({ driver, clock: new HandClock(), log: () => undefined, stop: never })
  assert.deepEqual([await health.canSendNow(), given.checks], [true, 1])
  given.trouble = 'it does not answer'
  assert.deepEqual([await health.canSendNow(), health.trouble, given.checks], [false, given.trouble, 2])
  assert.deepEqual([await health.canSendNow(), given.checks], [false, 2])
})

test('a phone without regular checks is not checked before a text', async () => {
  const { health } = healthOf({ trouble: 'denied' })
  assert.deepEqual([await health.canSendNow(), health.trouble], [true, null])
})

test('a text that fails for a missing permission pauses the phone; a radio failure does not', async () => {
  const { health } = healthOf({ trouble: 'denied' })
  health.noteOutcome({ state: 'failed', code: 'RADIO_FAILURE' })
  assert.equal(health.trouble, null)
  health.noteOutcome({ state: 'failed', code: 'PERMISSION_DENIED', detail: 'Please grant it' })
  assert.equal(health.trouble, 'Please grant it')
})

test('pairing waits while the owner is asked for the permission', async () => {
  const given = { trouble: 'denied' as string | null }
  const { health, logged, pass } = healthOf(given)
  let isDone = false
  const waiting = health.waitForPermission().then(() => {
    isDone = true
  })
  await pass(0)
  await pass(AGENT_PERMISSION_CHECK_MS)
  assert.deepEqual([isDone, logged], [false, ['This phone cannot send yet: denied.']])
  given.trouble = null
  await pass(AGENT_PERMISSION_CHECK_MS)
  await waiting
})
