import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'

const OWNER = '+14155550199'

test('the owner gets an alarm once from a working phone, even if the gateway is then killed', async t => {
  const gateway = await GatewayProcess.start(t, { env: { ROOST_ALARMS__RECIPIENTS: OWNER } })
  const { data } = await gateway.asOwner('POST', '/devices/pairings', {})
  const phone = await PairedPhone.pairWith(gateway.url, (data as { code: string }).code)
  t.after(() => phone.disconnect())
  await phone.connect(gateway.url)
  phone.reportBattery(8)
  const [alarm] = await phone.whenSent(1)
  assert.equal(alarm?.phoneNumber, OWNER)
  assert.match(alarm?.message ?? '', /^Roost: The battery of .* is at 8 % and does not charge \(since /)
  await gateway.kill()
  await gateway.restart()
  await phone.connect(gateway.url)
  // Texts are sent in order, so a second text about the battery would come before this one.
  const { messages } = await gateway.cli('alarm', 'test')
  assert.equal((messages as unknown[]).length, 1)
  const sent = await phone.whenSent(2)
  assert.match(sent[1]?.message ?? '', /^Roost: this is a test\./)
})

test('a test of alarms says what is missing', async t => {
  const gateway = await GatewayProcess.start(t)
  const nobody = await gateway.run('alarm', 'test')
  assert.equal(nobody.code, 1)
  assert.match(
    nobody.stderr,
    /no alarm recipients are configured: add phone numbers to the configuration, such as \[alarms\] /,
  )
  await gateway.stop()
  assert.match((await gateway.run('alarm', 'test')).stderr, /the gateway is not running/)
})
