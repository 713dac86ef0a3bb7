import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as v from 'valibot'
import { ConfigurationResource } from '#contracts/configuration.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { addUser, tokenOfUser } from '#test/kit/users.ts'

const RECIPIENT = '+4915123456789'
const HEARTBEAT = 'https://hc-ping.example/5bf66975-secret'
const BACKUP = { dir: '/nowhere/backups', second_dir: '', at: '04:15', keep_days: 3, keep_weeks: 0 }

let gateway: TestGateway
before(async () => {
  gateway = await startGateway({
    config: {
      backup: BACKUP,
      alarms: { recipients: [RECIPIENT], heartbeat_url: HEARTBEAT },
      messages: { language: 'de' },
    },
  })
})
after(() => gateway.stop())

const read = (token: string) => gateway.call('GET', '/api/v1/configuration', { token })

test('an owner sees backups, alarms and time zone, without numbers and addresses of others', async () => {
  const answer = await read((await gateway.owner()).token)
  assert.deepEqual(v.parse(v.strictObject(ConfigurationResource.entries), answer.json?.data), {
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    language: 'de',
    backup: { dir: '/nowhere/backups', secondDir: null, at: '04:15', keepDays: 3, keepWeeks: 0 },
    alarms: { recipients: ['+4915•••6789'], heartbeat: true },
  })
  assert.ok(!answer.text.includes(RECIPIENT) && !answer.text.includes('hc-ping'), answer.text)
})

test('the configuration is for owners', async () => {
  const owner = await gateway.owner()
  const operator = await addUser(gateway, owner, { email: 'ada@example.org', role: 'operator' })
  assert.equal((await read(await tokenOfUser(gateway, operator))).status, 403)
  const { status } = await gateway.call('GET', '/api/v1/configuration', { key: owner.liveKey })
  assert.equal(status, 401)
})

test('a gateway without backups and alarms says so', async () => {
  const other = await sharedGateway()
  const { token } = await other.newAccount()
  const { json } = await other.call('GET', '/api/v1/configuration', { token })
  assert.deepEqual([json?.data['backup'], json?.data['alarms']], [null, { recipients: [], heartbeat: false }])
})
