import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HALF_HOUR_MS, halfHourOf } from '#domain/device/phone-history.ts'
import { openPhoneHistoryReader } from '#storage/phone-history.ts'
import { openWorld, type TestPhone } from '#test/kit/test-phone.ts'

const DAY_MS = 86_400_000

function rig() {
  const gateway = openWorld(1)
  const [phone] = gateway.phones as [TestPhone]
  const read = openPhoneHistoryReader(gateway.world.database)
  const since = halfHourOf(gateway.world.wallMs)
  return { ...gateway, phone, since, history: () => read(gateway.accountId, phone.deviceId, since) }
}

test('each half-hour of a phone has its battery, signal, texts, failures and minutes offline', () => {
  const { world, phone, send, history, since } = rig()
  world.advance(10 * 60_000)
  phone.connect()
  phone.sendFrame({ type: 'telemetry', battery: 71.4, charging: null, signal: -83, sims: [], busy: false })
  const [sent, failed] = [send(), send()]
  phone.offered()
  phone.begin(sent)
  phone.report(sent, 'sent')
  phone.report(sent, 'delivered')
  phone.begin(failed)
  phone.report(failed, 'failed', { code: 'NO_SERVICE' })
  assert.deepEqual(history(), [])
  world.advance(HALF_HOUR_MS)
  const row = { battery: 71, charging: null, signal: -83, sent: 1, failed: 1 }
  assert.deepEqual(history(), [{ halfHour: since, ...row, offlineMinutes: 10 }])

  phone.close()
  world.advance(HALF_HOUR_MS)
  assert.equal(history()?.[1]?.sent, 0)
  assert.equal(history()?.[1]?.offlineMinutes, 19)
  // Of a phone that is away all the time it is known that it was away, which is more than no row says.
  world.advance(DAY_MS)
  const away = history()?.slice(2) ?? []
  assert.equal(away.length, 48)
  const nothing = { battery: null, charging: null, signal: null, sent: 0, failed: 0, offlineMinutes: 30 }
  assert.deepEqual(away[0], { halfHour: since + 2, ...nothing })
})

test('half-hours go after 30 days, and those of others are not shown', () => {
  const { world, phone, accountId, since, history } = rig()
  phone.connect()
  world.advance(HALF_HOUR_MS + 60_000)
  assert.equal(history()?.length, 1)
  const read = openPhoneHistoryReader(world.database)
  assert.equal(read('acc_other', phone.deviceId, since), undefined)
  assert.equal(read(accountId, 'dev_other', since), undefined)
  phone.close()
  world.advance(3_600_000)
  world.wallMs += 31 * DAY_MS
  world.ask('clock.confirm', {})
  world.advance(3_600_000)
  const left = history()?.map(({ halfHour }) => halfHour) ?? []
  assert.ok(
    left.every(halfHour => halfHour >= halfHourOf(world.wallMs - 30 * DAY_MS)),
    `${left}`,
  )
})
