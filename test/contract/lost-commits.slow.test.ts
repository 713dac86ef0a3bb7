/** The gateway reports that its database lost commits, for example after an old copy was restored. */
import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { dataDirectory } from '#storage/data-directory.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { runHere } from '#test/kit/run-roost.ts'
import { addUser, type TestUser, USER_PASSWORD } from '#test/kit/users.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'roost-lost-'))
const { database } = dataDirectory(dataDir)
const aside = join(dataDir, 'aside')
after(() => rmSync(dataDir, { recursive: true, force: true }))

const PLAIN = { platform: null, appVersion: null }
const LOST = 'database.commits_lost'

async function statusOf(gateway: TestGateway, credentials: { key?: string; token?: string }) {
  return (await gateway.call('GET', '/api/v1/account/usage', credentials)).status
}

/** The first two users are refused, the third logs in, and the invitation has ended. */
async function refusesEnded(gateway: TestGateway, users: readonly TestUser[], token: string): Promise<void> {
  const statuses: number[] = []
  for (const { email } of users)
    statuses.push(
      (await gateway.call('POST', '/api/v1/session', { json: { email, password: USER_PASSWORD } })).status,
    )
  assert.deepEqual(statuses, [401, 401, 200])
  const late = { token, password: USER_PASSWORD }
  assert.equal((await gateway.call('POST', '/api/v1/invitations', { json: late })).status, 404)
}

test('lost commits are reported, and revoked credentials stay refused', async () => {
  let gateway = await startGateway({ dataDir })
  const owner = await gateway.owner()
  const { token } = owner
  const { accountId } = owner
  const { key: revoked, record } = await gateway.ask('key.create', {
    email: owner.email,
    name: 'old',
    test: false,
  })
  const { code } = await gateway.ask('device.create-pairing', { accountId, name: 'phone' })
  const phone = await gateway.ask('device.pair', { code, name: null, ...PLAIN })
  const fields = { name: 'alerts', recipients: ['+14155550123'] }
  const webhook = (await gateway.call('POST', '/api/v1/webhooks', { token, json: fields })).json?.data
  const hook = String(webhook?.['url']).replace(/^https?:..[^/]*/, '')
  const users = await Promise.all(
    (['disabled', 'removed', 'kept'] as const).map(name =>
      addUser(gateway, owner, { email: `${name}@example.org`, role: 'viewer' }),
    ),
  )
  const [disabled, removed, kept] = users
  assert.ok(disabled && removed && kept)
  const open = await gateway.ask('user.invite', { accountId, email: 'open@example.org', role: 'owner' })
  await gateway.stop()
  copyFileSync(database, aside)

  gateway = await startGateway({ dataDir })
  await gateway.ask('key.revoke', { accountId: null, id: record.id })
  await gateway.ask('device.remove', { accountId, deviceId: phone.deviceId })
  await gateway.call('POST', `/api/v1/webhooks/${webhook?.['id']}/rotate`, { token })
  await gateway.ask('user.update', { ...disabled, change: { disabled: true } })
  await gateway.ask('user.remove', removed)
  assert.equal(await statusOf(gateway, { key: revoked }), 401)
  await gateway.stop()
  copyFileSync(aside, database)

  gateway = await startGateway({ dataDir })
  const said = gateway.log.find(({ event }) => event === LOST)
  assert.equal(said?.level, 'error')
  assert.ok(Number(said?.fields['commits']) >= 3)
  assert.equal(await statusOf(gateway, { key: revoked }), 401)
  assert.equal(await statusOf(gateway, { key: owner.liveKey }), 200)
  assert.equal(await statusOf(gateway, { token }), 401)
  assert.equal(await statusOf(gateway, { token: await gateway.tokenOf(accountId) }), 200)
  assert.equal((await gateway.ask('device.list', { accountId })).length, 0)
  assert.equal((await gateway.call('POST', hook, { json: { message: 'x' } })).status, 404)
  await refusesEnded(gateway, users, open.token)
  const lost = /^roost_commits_lost (\d+)$/m.exec((await gateway.call('GET', '/metrics')).text)
  assert.equal(Number(lost?.[1]), said?.fields['commits'])
  const status = await gateway.call('GET', '/api/v1/status', { token: await gateway.tokenOf(accountId) })
  const problems = status.json?.data?.['problems'] as { code: string; severity: string }[]
  const [problem] = problems.filter(({ code }) => code === 'COMMITS_LOST')
  assert.equal(problem?.severity, 'critical')
  for (const command of ['status', 'doctor']) {
    const told = await runHere([command, '--data', dataDir], { cwd: '/nowhere' })
    assert.match(told.stdout, /^CRITICAL COMMITS_LOST[:,].*The database lost \d+ commits/m, command)
    assert.equal(told.code, 1, command)
  }
  await gateway.stop()

  gateway = await startGateway({ dataDir })
  assert.equal(
    gateway.log.some(({ event }) => event === LOST),
    false,
  )
  assert.equal(await statusOf(gateway, { key: revoked }), 401)
  await gateway.stop()
})

test('with a commit mark, an empty database does not start unless the loss is accepted', async () => {
  for (const file of [database, `${database}-wal`, `${database}-shm`]) rmSync(file, { force: true })
  const sentence = /roost\.db is empty, but \d+ commits were made .* --accept-data-loss/
  for (let start = 0; start < 2; start += 1) await assert.rejects(startGateway({ dataDir }), sentence)
  const gateway = await startGateway({ dataDir, acceptDataLoss: true })
  assert.ok(gateway.log.some(({ event }) => event === LOST))
  assert.equal(await statusOf(gateway, { key: (await gateway.owner()).liveKey }), 200)
  await gateway.stop()
  await (await startGateway({ dataDir })).stop()
})
