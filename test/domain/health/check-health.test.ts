import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OUTCOME_UNKNOWN_MS } from '#contracts/bounds.ts'
import type { MachineFacts } from '#contracts/health.ts'
import { HEALTH_ACCOUNTS_PER_CHECK_MAX } from '#domain/health/check-health.ts'
import { DAY_MS, HOUR_MS } from '#domain/time.ts'
import { messageToAccept } from '#test/kit/messages.ts'
import { openWorld, type TestPhone } from '#test/kit/test-phone.ts'
import { watchedWorld } from '#test/kit/watched-world.ts'
import { NOT_READ, refusal, startWebhook } from '#test/kit/webhook-world.ts'
import { OFFLINE_AFTER_MS, type TestWorld } from '#test/kit/world.ts'

const MACHINE: MachineFacts = { backup: null, cluster: null, damage: null, certificate: null, disk: null }
const MINUTE_MS = 60_000

const problemsOf = (world: TestWorld, accountId: string | null) =>
  world.ask('health.list', { accountId }).map(({ code, subject, since }) => ({ code, subject, since }))
const codesOf = (world: TestWorld, accountId: string | null) =>
  problemsOf(world, accountId).map(({ code }) => code)

/** Sends a text that the phone reports as sent or failed. */
function sendAs(gateway: ReturnType<typeof openWorld>, phone: TestPhone, state: 'sent' | 'failed'): void {
  const id = gateway.send()
  phone.begin(id)
  phone.report(id, state, state === 'failed' ? { code: 'SIM_BLOCKED' } : {})
}

test('a phone that disconnects is a problem once it counts as offline', () => {
  const { world, accountId, phones } = openWorld()
  const [phone] = phones as [TestPhone]
  phone.connect()
  world.advance(DAY_MS)
  assert.deepEqual(problemsOf(world, accountId), [])
  phone.close()
  const since = new Date(world.wallMs).toISOString()
  world.advance(OFFLINE_AFTER_MS - 1)
  assert.deepEqual(problemsOf(world, accountId), [])
  world.advance(1)
  assert.deepEqual(problemsOf(world, accountId), [
    { code: 'NO_DEVICE_ONLINE', subject: phone.deviceId, since },
  ])
  phone.connect()
  assert.deepEqual(problemsOf(world, accountId), [])
})

test('a phone that was just paired is not reported as offline', () => {
  const { world, accountId } = openWorld()
  assert.deepEqual(codesOf(world, accountId), [])
  world.advance(OFFLINE_AFTER_MS)
  assert.deepEqual(codesOf(world, accountId), ['NO_DEVICE_ONLINE'])
})

test('a problem without a known start begins when it is first found', () => {
  const { world, accountId, phones } = openWorld()
  const [phone] = phones as [TestPhone]
  phone.connect()
  const tell = (battery: number) =>
    phone.sendFrame({ type: 'telemetry', battery, charging: false, signal: null, sims: null, busy: null })
  tell(19)
  const since = new Date(world.wallMs).toISOString()
  const low = [{ code: 'BATTERY_LOW', subject: phone.deviceId, since }]
  assert.deepEqual(problemsOf(world, accountId), low)
  world.advance(MINUTE_MS)
  tell(8)
  assert.deepEqual(problemsOf(world, accountId), low)
  tell(90)
  assert.deepEqual(problemsOf(world, accountId), [])
})

test('three failures among the last ten texts of a phone count, over a restart too', () => {
  const gateway = openWorld()
  const { world, accountId, phones } = gateway
  const [phone] = phones as [TestPhone]
  phone.connect()
  for (const state of ['failed', 'sent', 'failed'] as const) sendAs(gateway, phone, state)
  assert.deepEqual(codesOf(world, accountId), [])
  sendAs(gateway, phone, 'failed')
  assert.deepEqual(codesOf(world, accountId), ['MESSAGES_FAILING'])
  world.restart()
  phone.connect()
  assert.deepEqual(codesOf(world, accountId), ['MESSAGES_FAILING'])
  for (let sent = 0; sent < 8; sent++) {
    sendAs(gateway, phone, 'sent')
    world.advance(MINUTE_MS)
  }
  assert.deepEqual(codesOf(world, accountId), [])
})

test('a cancelled or expired message is not a failure of the phone', () => {
  const { world, accountId, phones, send, cancel } = openWorld()
  const [phone] = phones as [TestPhone]
  for (let sent = 0; sent < 3; sent++) cancel(send())
  for (let sent = 0; sent < 3; sent++) send({ ttlMs: MINUTE_MS })
  world.advance(MINUTE_MS)
  phone.connect()
  assert.deepEqual(codesOf(world, accountId), [])
})

test('a text whose outcome is unknown is reported for a day', () => {
  const { world, accountId, phones, send } = openWorld()
  const [phone] = phones as [TestPhone]
  phone.connect()
  const id = send()
  phone.begin(id)
  phone.report(id, 'submitted')
  world.advance(OUTCOME_UNKNOWN_MS)
  const since = new Date(world.wallMs).toISOString()
  assert.deepEqual(problemsOf(world, accountId), [{ code: 'OUTCOME_UNKNOWN', subject: null, since }])
  world.advance(DAY_MS)
  assert.deepEqual(problemsOf(world, accountId), [])
})

test('planned texts are reported that expired while the gateway was off, and no others', () => {
  const { world, accountId, phones, send, update } = openWorld()
  const [phone] = phones as [TestPhone]
  phone.connect()
  update(phone, { paused: true })
  const expire = () => send({ sendAt: world.wallMs + MINUTE_MS, ttlMs: MINUTE_MS })
  expire()
  world.advance(3 * MINUTE_MS)
  assert.deepEqual(codesOf(world, accountId), [])
  // A text that waits for its time, and one that waits for a phone.
  expire()
  world.advance(90_000)
  expire()
  world.wallMs += 5 * MINUTE_MS
  world.restart()
  phone.connect()
  // The clock is in doubt for ten minutes.
  world.advance(10 * MINUTE_MS)
  assert.deepEqual(codesOf(world, accountId), ['PLANNED_EXPIRED'])
  assert.match(world.ask('health.list', { accountId })[0]?.message ?? '', /^2 planned texts/)
})

test('a text that waits ten minutes for a paused phone stalls the queue', () => {
  const { world, accountId, phones, send, update } = openWorld()
  const [phone] = phones as [TestPhone]
  phone.connect()
  update(phone, { paused: true })
  const since = new Date(world.wallMs).toISOString()
  send()
  world.advance(10 * MINUTE_MS - 1)
  assert.deepEqual(codesOf(world, accountId), [])
  world.advance(1)
  assert.deepEqual(problemsOf(world, accountId), [{ code: 'QUEUE_STALLED', subject: null, since }])
})

test('a daily quota is reported at four fifths, including the use in the same transaction', () => {
  const { world, accountId } = startWebhook({}, 'free')
  const send = () => world.ask('message.accept', messageToAccept(accountId, { queueIfOffline: true }))
  for (let sent = 0; sent < 7; sent++) send()
  assert.ok(!codesOf(world, accountId).includes('QUOTA_NEARLY_USED'))
  send()
  assert.ok(codesOf(world, accountId).includes('QUOTA_NEARLY_USED'))
})

test('a webhook over its cap is reported for an hour', () => {
  const { world, accountId, ids } = startWebhook()
  const { webhookId } = ids
  const known = { address: '192.0.2.1', outcome: 'OVER_CAP', format: 'generic', message: 'x' } as const
  const seen = { ...known, ...NOT_READ, at: world.wallMs }
  world.ask('webhook.note', {
    notes: [{ webhookId, rejected: 1, held: null, isHeard: false, seen: [seen] }],
  })
  assert.deepEqual(codesOf(world, accountId), ['WEBHOOK_OVER_CAP'])
  world.wallMs += 3_600_000
  assert.ok(!codesOf(world, accountId).includes('WEBHOOK_OVER_CAP'))
})

test('a webhook over its cap is no longer reported once it was changed', () => {
  const { world, accountId, ids, trigger } = startWebhook({ maxPerHour: 1 })
  trigger()
  refusal(() => trigger())
  assert.deepEqual(codesOf(world, accountId), ['WEBHOOK_OVER_CAP'])
  world.advance(1)
  world.ask('webhook.update', { ...ids, change: { maxPerHour: 2 } })
  assert.deepEqual(codesOf(world, accountId), [])
})

test('only the first account sees the problems of the machine, until it is removed', () => {
  const { world, accountId } = openWorld()
  const other = world.ask('account.create', { email: 'b@example.org', plan: 'pro', passwordHash: null })
  world.advance(OFFLINE_AFTER_MS)
  world.ask('health.check', { ...MACHINE, backup: { failedSince: world.wallMs, cause: 'no room' } })
  assert.deepEqual(codesOf(world, other.accountId), [])
  assert.deepEqual(codesOf(world, accountId), ['NO_DEVICE_ONLINE', 'BACKUP_FAILED'])
  assert.deepEqual(codesOf(world, null), ['NO_DEVICE_ONLINE', 'BACKUP_FAILED'])
  const first = world.ask('account.list', {}).find(one => one.accountId === accountId)
  world.ask('account.remove', { email: first?.email ?? '' })
  assert.deepEqual(codesOf(world, other.accountId), ['BACKUP_FAILED'])
  world.ask('health.check', MACHINE)
  assert.deepEqual(codesOf(world, null), [])
})

test('the state names one critical problem, and one of the gateway first', () => {
  const { world } = openWorld()
  const critical = () => world.ask('gateway.state', {}).critical
  world.ask('health.check', { ...MACHINE, backup: { failedSince: world.wallMs, cause: 'no room' } })
  assert.equal(critical(), null, 'a warning is not critical')
  world.advance(OFFLINE_AFTER_MS)
  world.ask('health.check', MACHINE)
  assert.match(critical() ?? '', /is offline, so texts wait until a phone is back/)
  world.batch.health.noteDisk(true, world.wallMs)
  world.ask('health.check', MACHINE)
  assert.match(critical() ?? '', /^The disk is full: /)
})

test('an open page gets news of a problem when it begins and when it ends, and not in between', () => {
  const { world, accountId, phones } = openWorld()
  const [phone] = phones as [TestPhone]
  world.ask('live.join', { accountId, listener: 1, socket: 1 })
  const news = () => world.effects.splice(0).flatMap(effect => (effect.kind === 'news' ? [effect.news] : []))
  const look = () => {
    world.ask('health.check', MACHINE)
    return news().filter(({ type }) => type === 'problem')
  }
  assert.deepEqual(look(), [])
  world.advance(OFFLINE_AFTER_MS)
  assert.deepEqual(look(), [{ type: 'problem', id: 'NO_DEVICE_ONLINE' }])
  assert.deepEqual(look(), [])
  phone.connect()
  assert.deepEqual(look(), [{ type: 'problem', id: 'NO_DEVICE_ONLINE' }])
})

test('a check that finds nothing new writes nothing', () => {
  const { world } = openWorld()
  world.advance(OFFLINE_AFTER_MS)
  const look = () => world.batch.run([{ id: 1, name: 'health.check', input: MACHINE }]).wrote
  assert.deepEqual([look(), look()], [true, false])
})

test('many accounts are checked in turn', () => {
  const { world } = openWorld()
  for (let made = 0; made < HEALTH_ACCOUNTS_PER_CHECK_MAX; made++) {
    const email = `a${made}@example.org`
    const { accountId } = world.ask('account.create', { email, plan: 'pro', passwordHash: null })
    const { code } = world.ask('device.create-pairing', { accountId, name: null })
    world.ask('device.pair', { code, name: null, platform: null, appVersion: null })
  }
  world.advance(OFFLINE_AFTER_MS)
  const found = () => [...world.batch.health.all()].length
  world.ask('health.check', MACHINE)
  assert.equal(found(), HEALTH_ACCOUNTS_PER_CHECK_MAX)
  world.ask('health.check', MACHINE)
  assert.equal(found(), HEALTH_ACCOUNTS_PER_CHECK_MAX + 1)
})

test('the problems of an account are removed with it', () => {
  const { world } = openWorld()
  const email = 'b@example.org'
  const { accountId } = world.ask('account.create', { email, plan: 'pro', passwordHash: null })
  const { code } = world.ask('device.create-pairing', { accountId, name: null })
  world.ask('device.pair', { code, name: null, platform: null, appVersion: null })
  world.advance(OFFLINE_AFTER_MS)
  assert.equal(codesOf(world, null).length, 2)
  world.ask('account.remove', { email })
  world.ask('health.check', MACHINE)
  assert.equal([...world.batch.health.all()].length, 1)
})

test('an alarm of the machine is an event of the first account only', () => {
  const { world, failBackups, passTime, events } = watchedWorld()
  const about = { email: 'b@example.org', plan: 'pro', passwordHash: null }
  const { accountId } = world.ask('account.create', about)
  world.ask('notification.set', { accountId, url: 'https://example.org/b', events: ['system.alarm'] })
  failBackups(true)
  passTime(HOUR_MS)
  assert.deepEqual(events(), ['system.alarm BACKUP_FAILED'])
})
