import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import * as v from 'valibot'
import { ConfigurationResource } from '#contracts/configuration.ts'
import { OWNER_EMAIL } from '#domain/account/first-start.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { nextLook } from '#test/kit/next-turn.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { addUser, tokenOfUser } from '#test/kit/users.ts'

const RECIPIENT = '+4915123456789'
const HEARTBEAT = 'https://hc-ping.example/5bf66975-secret'
const BACKUP = { dir: '/nowhere/backups', second_dir: '', at: '04:15', keep_days: 3, keep_weeks: 0 }
const NUMBERS = [
  '+14155550101',
  '+14155550102',
  '+14155550103',
  '+14155550104',
  '+14155550105',
  '+14155550106',
]
/** Where the monitor of these tests listens. */
const config = { http: { listeners: 2 }, notifications: { allowed_hosts: ['127.0.0.1'] } }

let gateway: TestGateway
let free: TestGateway
before(async () => {
  const alarms = { recipients: [RECIPIENT], heartbeat_url: HEARTBEAT }
  const messages = { language: 'de' as const }
  ;[gateway, free] = await Promise.all([
    startGateway({ config: { backup: BACKUP, alarms, messages } }),
    startGateway({ config }),
  ])
})
after(() => Promise.all([gateway.stop(), free.stop()]))

const read = (token: string) => gateway.call('GET', '/api/v1/configuration', { token })

/** Changes the configuration of a gateway as its owner. */
async function changing(of = free) {
  const { token } = await of.owner()
  const change = (json: object) => of.call('PATCH', '/api/v1/configuration', { token, json })
  const find = async () => {
    const { json } = await of.call('GET', '/api/v1/configuration', { token })
    return v.parse(v.strictObject(ConfigurationResource.entries), json?.data)
  }
  const clear = async () => {
    const remove = (await find()).alarms?.recipients.map(({ index }) => index) ?? []
    await change({ alarms: { remove, heartbeatUrl: null }, backup: { enabled: false } })
  }
  return { token, change, find, clear }
}

test('an owner sees what the file says, without numbers and addresses, and that it is fixed', async () => {
  const answer = await read((await gateway.owner()).token)
  assert.deepEqual(v.parse(v.strictObject(ConfigurationResource.entries), answer.json?.data), {
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    language: 'de',
    backup: {
      enabled: true,
      dir: '/nowhere/backups',
      secondDir: null,
      at: '04:15',
      keepDays: 3,
      keepWeeks: 0,
    },
    alarms: { recipients: [{ index: 0, hint: '+4915•••6789' }], heartbeat: true },
    fixed: [
      'alarms.recipients',
      'alarms.heartbeatUrl',
      'backup.enabled',
      'backup.dir',
      'backup.at',
      'backup.keepDays',
      'backup.keepWeeks',
    ],
  })
  assert.ok(!answer.text.includes(RECIPIENT) && !answer.text.includes('hc-ping'), answer.text)
})

test('what file and environment say cannot be changed, and the refusal names the key', async () => {
  const { change, find } = await changing(gateway)
  const before = await find()
  const refused = [
    ['alarms.recipients', { alarms: { add: [NUMBERS[0]] } }],
    ['alarms.recipients', { alarms: { remove: [0] } }],
    ['alarms.heartbeatUrl', { alarms: { heartbeatUrl: null } }],
    ['backup.enabled', { backup: { enabled: false } }],
    ['backup.at', { backup: { at: '05:00' } }],
    ['backup.keepDays, backup.keepWeeks', { backup: { keepDays: 9, keepWeeks: 1 } }],
  ] as const
  for (const [key, json] of refused) {
    const { status, json: body } = await change(json)
    const message = `the configuration file or the environment decides ${key}: change it there`
    assert.deepEqual([status, body?.error.code, body?.error.message], [409, 'CONFLICT', message])
  }
  assert.deepEqual(await find(), before)
})

test('another account sees no value of the machine, and changes none', async () => {
  const { token } = await free.account('other@example.org')
  const { status, json } = await free.call('GET', '/api/v1/configuration', { token })
  const { backup, alarms, fixed, timeZone } = Object(json?.data) as Record<string, unknown>
  assert.deepEqual([status, backup, alarms, fixed], [200, null, null, null])
  assert.equal(typeof timeZone, 'string')
  const change = { token, json: { backup: { keepDays: 9 } } }
  const refused = await free.call('PATCH', '/api/v1/configuration', change)
  assert.deepEqual([refused.status, refused.json?.error.code], [403, 'FORBIDDEN'])
  assert.equal((await (await changing()).find()).backup?.keepDays, 7)
})

test('other users of the first account see no chosen value and change none', async () => {
  const owner = await gateway.owner()
  const operator = await addUser(gateway, owner, { email: 'ada@example.org', role: 'operator' })
  const token = await tokenOfUser(gateway, operator)
  const { status: seen, json } = await read(token)
  const { backup, alarms, fixed, language } = Object(json?.data) as Record<string, unknown>
  assert.deepEqual([seen, backup, alarms, fixed, language], [200, null, null, null, 'de'])
  const change = await gateway.call('PATCH', '/api/v1/configuration', { token, json: {} })
  assert.equal(change.status, 403)
  const { status } = await gateway.call('GET', '/api/v1/configuration', { key: owner.liveKey })
  assert.equal(status, 401)
})

test('a gateway without backups and alarms says so', async () => {
  const other = await sharedGateway()
  const { accountId } = await other.ask('account.find', { email: OWNER_EMAIL })
  const token = await other.tokenOf(accountId)
  const { json } = await other.call('GET', '/api/v1/configuration', { token })
  const { backup, alarms, fixed } = Object(json?.data) as Record<string, unknown>
  assert.deepEqual(backup, {
    enabled: false,
    dir: join(other.dataDir, 'backups'),
    secondDir: null,
    at: '03:30',
    keepDays: 7,
    keepWeeks: 4,
  })
  assert.deepEqual([alarms, fixed], [{ recipients: [], heartbeat: false }, []])
})

test('numbers are added and removed; each keeps its index, and alarms go to them at once', async t => {
  const { change, find, clear } = await changing()
  t.after(clear)
  const untold = await free.ask('alarm.test', {}).catch(String)
  assert.match(String(untold), /no alarm recipients are configured/)
  const added = await change({ alarms: { add: ['+1 415 555 0101', NUMBERS[1], NUMBERS[1]] } })
  assert.deepEqual(added.json?.data['alarms'], (await find()).alarms)
  const [first = 0, second = 0] = (await find()).alarms?.recipients.map(({ index }) => index) ?? []
  assert.deepEqual((await find()).alarms?.recipients, [
    { index: first, hint: '+1415•••0101' },
    { index: second, hint: '+1415•••0102' },
  ])
  assert.match(String(await free.ask('alarm.test', {}).catch(String)), /no phone can send/)
  assert.equal((await change({ alarms: { remove: [first], add: [NUMBERS[2], NUMBERS[1]] } })).status, 200)
  assert.deepEqual((await find()).alarms?.recipients, [
    { index: second, hint: '+1415•••0102' },
    { index: second + 1, hint: '+1415•••0103' },
  ])
  const full = await change({ alarms: { add: NUMBERS.concat('+14155550107') } })
  assert.deepEqual(
    [full.status, full.json?.error.message],
    [409, 'alarms go to at most 6 numbers: remove one first'],
  )
})

test('changes at the same time all count', async t => {
  const { change, find, clear } = await changing()
  t.after(clear)
  const answers = await Promise.all([
    ...NUMBERS.map(number => change({ alarms: { add: [number] } })),
    change({ backup: { keepDays: 30 } }),
    change({ backup: { keepWeeks: 8 } }),
    change({ backup: { at: '04:00' } }),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 200),
  )
  const { alarms, backup } = await find()
  assert.equal(new Set(alarms?.recipients.map(({ hint }) => hint)).size, 6)
  assert.deepEqual([backup?.at, backup?.keepDays, backup?.keepWeeks], ['04:00', 30, 8])
})

test('copies that are switched on are made at once, in a folder that only its owner reads', async t => {
  const { change, find, clear } = await changing()
  t.after(clear)
  const { json } = await change({ backup: { enabled: true } })
  const dir = join(free.dataDir, 'backups')
  assert.deepEqual(json?.data['backup'], (await find()).backup)
  assert.deepEqual([(await find()).backup?.enabled, (await find()).backup?.dir], [true, dir])
  while (!free.log.some(({ event }) => event === 'backup.made')) await nextLook()
  const [name = '', ...others] = readdirSync(dir)
  assert.match(name, /^roost-.*\.backup$/)
  assert.deepEqual(others, [])
  assert.deepEqual([statSync(dir).mode & 0o777, statSync(join(dir, name)).mode & 0o777], [0o700, 0o600])
})

test('an address for the sign of life is called at once, is never shown, and null clears it', async t => {
  const { change, find, clear, token } = await changing()
  t.after(clear)
  const server = createServer((_, response) => void response.end('OK')).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping/secret`
  const called = once(server, 'request')
  const set = await change({ alarms: { heartbeatUrl: url } })
  assert.deepEqual([set.status, (await find()).alarms?.heartbeat], [200, true])
  await called
  const shown = await free.call('GET', '/api/v1/configuration', { token })
  assert.ok(![set.text, shown.text, JSON.stringify(free.log)].some(text => text.includes('ping/secret')))
  assert.equal((await change({ alarms: { heartbeatUrl: null } })).status, 200)
  assert.equal((await find()).alarms?.heartbeat, false)
})

test('a wrong value is refused with its field, and changes nothing', async () => {
  const { change, find } = await changing()
  const before = await find()
  const faults = [
    ['alarms.add.1', { alarms: { add: [NUMBERS[0], '0151'] } }],
    ['alarms.add.0', { alarms: { add: [7] } }],
    ['alarms.remove.0', { alarms: { remove: [4711] } }],
    ['alarms.remove', { alarms: { remove: Array(21).fill(0) } }],
    ['alarms.heartbeatUrl', { alarms: { heartbeatUrl: 'http://[::1]:8080/' } }],
    ['alarms.heartbeatUrl', { alarms: { heartbeatUrl: 'http://169.254.169.254/' } }],
    ['alarms.heartbeatUrl', { alarms: { heartbeatUrl: 'healthchecks' } }],
    ['alarms.heartbeatUrl', { alarms: { heartbeatUrl: free.url.replace('127.0.0.1', 'localhost') } }],
    ['backup.enabled', { backup: { enabled: 'yes' } }],
    ['backup.at', { backup: { at: '25:00' } }],
    ['backup.keepDays', { backup: { keepDays: 0 } }],
    ['backup.keepDays', { backup: { keepDays: 367 } }],
    ['backup.keepWeeks', { backup: { keepWeeks: 521 } }],
    ['backup.keepWeeks', { backup: { keepWeeks: null } }],
  ] as const
  for (const [path, json] of faults) {
    const { status, json: body } = await change(json)
    const paths = body?.error.details?.issues?.map(issue => issue.path)
    assert.deepEqual([status, paths], [400, [path]], JSON.stringify(json))
  }
  const several = await change({ alarms: { add: ['0151'], heartbeatUrl: 'x' }, backup: { at: 'noon' } })
  assert.deepEqual(several.json?.error.details?.issues?.map(({ path }) => path).sort(), [
    'alarms.add.0',
    'alarms.heartbeatUrl',
    'backup.at',
  ])
  assert.deepEqual(await find(), before)
})

test('a change is in the audit list, without number and address', async t => {
  const { change, clear, token } = await changing()
  t.after(clear)
  await change({ alarms: { add: [NUMBERS[4]] } })
  const { json, text } = await free.call('GET', '/api/v1/audit', { token })
  assert.equal(json?.data[0]?.['what'], 'configuration.change')
  assert.ok(!text.includes('5550105'))
})

test('what was chosen is there after a restart, and a file that says otherwise counts first', async t => {
  const dataDir = temporaryDirectory(t)
  const first = await startGateway({ dataDir })
  const { change } = await changing(first)
  await change({ alarms: { add: [NUMBERS[0]] }, backup: { keepDays: 30, at: '04:00' } })
  await first.stop()
  const second = await startGateway({ dataDir, config: { backup: { keep_days: 3 } } })
  t.after(() => second.stop())
  const { alarms, backup, fixed } = await (await changing(second)).find()
  assert.deepEqual(alarms?.recipients, [{ index: 0, hint: '+1415•••0101' }])
  assert.deepEqual([backup?.at, backup?.keepDays, fixed], ['04:00', 3, ['backup.keepDays']])
})
