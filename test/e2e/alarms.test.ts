import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ConfigurationResource } from '#contracts/configuration.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

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

test('what the owner chose outlives a kill, a backup and its restore, and commands show it', async t => {
  const folder = temporaryDirectory(t)
  const gateway = await GatewayProcess.start(t, { env: { ROOST_BACKUP__KEEP_WEEKS: '2' } })
  const change = {
    alarms: { add: [OWNER], heartbeatUrl: 'https://hc-ping.example/secret' },
    backup: { keepDays: 30 },
  }
  const { status } = await gateway.asOwner('PATCH', '/configuration', change)
  await gateway.kill()
  assert.equal(status, 200)
  await gateway.restart()
  const { data } = await gateway.asOwner('GET', '/configuration')
  const { alarms, backup, fixed } = data as ConfigurationResource
  assert.deepEqual(alarms, { recipients: [{ index: 0, hint: '+1415•••0199' }], heartbeat: true })
  assert.deepEqual([backup?.keepDays, backup?.keepWeeks, fixed], [30, 2, ['backup.keepWeeks']])

  const [file, restored] = [join(folder, 'roost.backup'), join(folder, 'restored')]
  await gateway.cli('backup', file)
  await gateway.run('restore', file, '--data', restored)
  for (const dataDir of [undefined, restored]) {
    const shown = await gateway.run('check-config', ...(dataDir === undefined ? [] : ['--data', dataDir]))
    assert.match(shown.stdout, /recipients = \[ "\+14155550199" \]/)
    assert.match(shown.stdout, /keep_days = 30\nkeep_weeks = 2\n/)
    assert.ok(!shown.stdout.includes('hc-ping') && !shown.stdout.includes('fixed'), shown.stdout)
  }
})
