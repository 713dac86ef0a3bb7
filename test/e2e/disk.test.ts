import assert from 'node:assert/strict'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { FakePhone } from '#test/kit/fake-phone.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { smallDisk, smallDiskMissing } from '#test/kit/small-disk.ts'
import { injectIntoSync, straceMissing } from '#test/kit/strace.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { READY_CHECKED_EVERY_MS } from '#transport/http/routes/health.ts'

const timeout = HANGS_AFTER_MS

/** Sends long texts, many at a time, until one is refused. @returns the accepted ids and the refusal */
async function sendUntilRefused(gateway: GatewayProcess) {
  const accepted: string[] = []
  for (;;) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        gateway.api('POST', '/sms/send', {
          body: { phoneNumber: '+14155550123', message: `${i} ${'x'.repeat(1500)}`, queueIfOffline: true },
        }),
      ),
    )
    for (const { status, data } of answers)
      if (status === 200) accepted.push((data as { messageId: string }).messageId)
    const refusal = answers.find(({ status }) => status !== 200)
    if (refusal !== undefined) return { accepted, refusal }
  }
}

async function get(gateway: GatewayProcess, path: string) {
  const answer = await fetch(`${gateway.url}${path}`)
  return { status: answer.status, text: await answer.text() }
}

async function idsOf(gateway: GatewayProcess): Promise<Set<string>> {
  return new Set((await gateway.messages()).map(({ messageId }) => messageId))
}

/** Asserts that every report on the gateway's state says that the disk is full, and commands exit with 1. */
async function sayFull(gateway: GatewayProcess): Promise<void> {
  const { problems } = (await gateway.asOwner('GET', '/status')).data as {
    problems: { code: string; severity: string }[]
  }
  assert.ok(problems.some(({ code, severity }) => code === 'DISK_FULL' && severity === 'critical'))
  for (const command of ['status', 'doctor']) {
    const { code, stdout } = await gateway.run(command)
    assert.match(stdout, /^CRITICAL DISK_FULL[:,].*The disk is full/m, command)
    assert.equal(code, 1, command)
    assert.doesNotMatch(stdout, /another program/)
  }
}

suite('a disk that fails', () => {
  const noDisk = smallDiskMissing()
  test('without space, sends are refused and reads go on, until there is space', {
    timeout,
    skip: noDisk,
  }, async t => {
    const disk = await smallDisk(t, '4m')
    const dataDir = { path: disk.path, here: disk.here }
    const gateway = await GatewayProcess.start(t, { dataDir, under: disk.under })
    const before = await gateway.send('before', { queueIfOffline: true })
    // The token must be made before the disk is full.
    assert.equal((await gateway.asOwner('GET', '/status')).status, 200)
    disk.fill()
    const { accepted, refusal } = await sendUntilRefused(gateway)
    assert.equal(refusal.status, 503)
    assert.equal(refusal.error?.code, 'SERVICE_UNAVAILABLE')
    assert.match(refusal.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal((await gateway.message(before)).status, 'queued')
    await sayFull(gateway)
    // Small writes still fit, which says nothing about messages.
    const looks: number[] = []
    for (let i = 0; i < 3; i++) {
      // The gateway looks once a second.
      const until = performance.now() + READY_CHECKED_EVERY_MS
      do await sendUntilRefused(gateway)
      while (performance.now() < until)
      looks.push((await get(gateway, '/readyz')).status)
    }
    assert.deepEqual(looks, [503, 503, 503])
    assert.equal(gateway.program.stderr.text.match(/disk\.full/g)?.length, 1)
    assert.doesNotMatch(gateway.program.stderr.text, /disk\.has_room/)
    await gateway.kill()
    await gateway.restart()
    assert.equal((await gateway.message(before)).status, 'queued')
    disk.free()
    const after = await gateway.send('after', { queueIfOffline: true })
    await gateway.kill()
    await gateway.restart()
    const kept = await idsOf(gateway)
    assert.deepEqual(
      [before, ...accepted, after].filter(id => !kept.has(id)),
      [],
    )
    assert.equal(kept.size, accepted.length + 2, 'no refused message is stored')
  })

  test('without space for what is due, reads go on, the problem is shown, and its alarm is sent', {
    timeout,
    skip: noDisk,
  }, async t => {
    const disk = await smallDisk(t, '4m')
    const dataDir = { path: disk.path, here: disk.here }
    const env = { ROOST_ALARMS__RECIPIENTS: '["+14155550199"]' }
    const gateway = await GatewayProcess.start(t, { dataDir, under: disk.under, env })
    const phone = new FakePhone(await gateway.pair('one'))
    await phone.connect(gateway.socketUrl)
    assert.equal((await gateway.asOwner('GET', '/status')).status, 200)
    // Each text of the sandbox changes its status three times, which is due within two seconds.
    gateway.key = (await gateway.cli('key', 'create', '--test', '--account', 'owner@localhost'))[
      'key'
    ] as string
    const alarms = () => phone.texts.join('\n').match(/The disk is full/g)?.length ?? 0
    disk.fill()
    await sendUntilRefused(gateway)
    for (let told = phone.reached('report'); alarms() === 0; told = phone.reached('report')) await told
    for (let i = 0; i < 5; i++) {
      await sendUntilRefused(gateway)
      for (const path of ['/devices', `/devices/${phone.deviceId}`, '/sms', '/account/usage'])
        assert.equal((await gateway.api('GET', path)).status, 200, path)
      for (const path of ['/status', '/keys', '/users', '/notifications', '/device-groups'])
        assert.equal((await gateway.asOwner('GET', path)).status, 200, path)
    }
    await sayFull(gateway)
    disk.free()
    await gateway.program.stderr.until(/disk\.has_room/)
    assert.equal(alarms(), 1, 'the alarm is sent once')
  })

  test('a start on a full disk serves reads and says that it is full, until there is space', {
    timeout,
    skip: noDisk,
  }, async t => {
    const disk = await smallDisk(t, '4m')
    const dataDir = { path: disk.path, here: disk.here }
    const gateway = await GatewayProcess.start(t, { dataDir, under: disk.under })
    const before = await gateway.send('before', { queueIfOffline: true })
    for (let round = 0; round < 2; round++) {
      await gateway.stop()
      disk.fill()
      await gateway.restart()
      await gateway.program.stderr.until(/disk\.full/)
      assert.equal((await gateway.message(before)).status, 'queued')
      assert.equal((await get(gateway, '/readyz')).status, 503)
      assert.match((await get(gateway, '/metrics')).text, /^roost_disk_full 1$/m)
      await assert.rejects(gateway.send('refused', { queueIfOffline: true }), /503 .*SERVICE_UNAVAILABLE/)
    }
    disk.free()
    await gateway.send('after', { queueIfOffline: true })
    await gateway.program.stderr.until(/disk\.has_room/)
    assert.match((await get(gateway, '/metrics')).text, /^roost_disk_full 0$/m)
  })

  test('a folder of backups that the service may not write to names what allows it', {
    timeout,
    skip: noDisk,
  }, async t => {
    const dir = temporaryDirectory(t)
    const under = ['unshare', '-m', 'sh', '-c', 'mount -t tmpfs -o ro none "$0" && exec "$@"', dir]
    const gateway = await GatewayProcess.startBare(t, { under, env: { ROOST_BACKUP__DIR: dir } })
    const line = await gateway.program.stderr.until(/backup\.failed/)
    assert.match(line, /EROFS: .*run systemctl edit roost, and write ReadWritePaths=/)
    assert.ok(line.includes(`ReadWritePaths=${dir} below [Service]`))
  })

  const noStrace = straceMissing()
  test('an I/O error ends the process, and no acknowledged message is lost', {
    timeout,
    skip: noStrace,
  }, async t => {
    const gateway = await GatewayProcess.start(t)
    const before = await gateway.send('before', { queueIfOffline: true })
    const detach = await injectIntoSync(t, gateway.program.pid, 'error=EIO')
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) => gateway.send(`text ${i}`, { queueIfOffline: true })),
    )
    // Requests after the port closed are refused by the system.
    const answered = answers.filter(one => one.status === 'fulfilled' || /not accepted/.test(`${one.reason}`))
    assert.ok(answered.length > 0)
    for (const one of answered)
      assert.match(one.status === 'fulfilled' ? 'accepted' : `${one.reason}`, /503 .*SERVICE_UNAVAILABLE/)
    assert.equal(await gateway.program.ended, 1)
    await detach()
    await gateway.restart()
    assert.ok((await idsOf(gateway)).has(before))
    await gateway.send('after', { queueIfOffline: true })
  })

  test('a slow disk delays answers, changes no result, and is a problem', {
    timeout,
    skip: noStrace,
  }, async t => {
    const gateway = await GatewayProcess.start(t)
    const phone = new FakePhone(await gateway.pair('one'))
    await phone.connect(gateway.socketUrl)
    const detach = await injectIntoSync(t, gateway.program.pid, 'delay_enter=260000')
    const begunAt = performance.now()
    const ids = await Promise.all(Array.from({ length: 8 }, (_, i) => gateway.send(`text ${i}`)))
    assert.ok(performance.now() - begunAt >= 200, 'no answer is sent before the slow write')
    for (const id of ids) await gateway.reached(id, 'delivered')
    assert.deepEqual(phone.radio.toSorted(), ids.toSorted())
    const { problems } = (await gateway.asOwner('GET', '/status')).data as { problems: { code: string }[] }
    assert.ok(problems.some(({ code }) => code === 'DISK_SLOW'))
    await detach()
  })

  test('after the database lost commits, open messages are not sent', { timeout }, async t => {
    const gateway = await GatewayProcess.start(t)
    const phone = new FakePhone(await gateway.pair('one'))
    const database = join(gateway.dataDir, 'roost.db')
    const open = await gateway.send('open', { queueIfOffline: true })
    await gateway.stop()
    copyFileSync(database, join(gateway.folder, 'aside'))
    await gateway.restart()
    await phone.connect(gateway.socketUrl)
    await gateway.reached(open, 'delivered')
    phone.drop()
    await gateway.stop()
    for (const end of ['-wal', '-shm']) rmSync(database + end, { force: true })
    copyFileSync(join(gateway.folder, 'aside'), database)
    await gateway.restart()
    const ended = await gateway.message(open)
    assert.equal(ended.status, 'failed')
    assert.equal(ended.failure?.code, 'OUTCOME_UNKNOWN')
    await gateway.program.stderr.until(/database\.commits_lost/)
    await phone.connect(gateway.socketUrl)
    const next = await gateway.send('next')
    await gateway.reached(next, 'delivered')
    assert.deepEqual(phone.radio, [open, next])
  })
})
