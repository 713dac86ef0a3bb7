/** Phones that the gateway connects to, as section 18 of the contract describes. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { SmsgatePhone } from '#test/kit/smsgate-phone.ts'
import { type Watch, watchGateway } from '#test/kit/watch-gateway.ts'

const options = { timeout: HANGS_AFTER_MS }
let gateway: SharedGateway
let owner: TestAccount
let phone: SmsgatePhone
let watch: Watch
let deviceId = ''

before(async () => {
  gateway = await sharedGateway()
  owner = await gateway.newAccount()
  phone = await SmsgatePhone.start()
  watch = await watchGateway(gateway, owner.token)
})
after(async () => {
  await call('DELETE', `/devices/${deviceId}`)
  watch.close()
  await phone.stop()
})

const call = async (method: string, path: string, json?: object) => {
  const { token } = owner
  const answer = await gateway.call(method, `/api/v1${path}`, { token, ...(json !== undefined && { json }) })
  return { status: answer.status, data: answer.json?.data, error: answer.json?.error, text: answer.text }
}
const add = (changes: object = {}) => {
  const { url, password } = phone
  return call('POST', '/devices', { kind: 'smsgate', url, password, ...changes })
}
const device = async () => (await call('GET', `/devices/${deviceId}`)).data
const isOnline = (one: Record<string, unknown> | undefined) => one?.['status'] === 'online'
const send = async (message: string) => {
  const { data } = await call('POST', '/sms/send', { phoneNumber: '+15005550006', message })
  return String(data?.['messageId'])
}
const statusOf = async (id: string) => String((await call('GET', `/sms/${id}`)).data?.['status'])

test('a fault of the phone is reported in a sentence, and no device is created', options, async () => {
  for (const [changes, words] of [
    [{ password: 'wrong' }, /^password: the phone at \S+ refuses the password of sms/],
    [{ url: 'http://127.0.0.1:9' }, /^url: nothing listens at http:\/\/127\.0\.0\.1:9: switch on/],
    [{ url: gateway.url }, /^url: what answers at \S+ is not SMSGate's local server/],
    [{ url: phone.url.replace('http', 'https') }, /^url: must begin with http:\/\/: .* not speak HTTPS/],
    [{ url: 'http://8.8.8.8:8080' }, /^url: 8\.8\.8\.8 is not in a private network/],
    [{ url: 'http://169.254.169.254' }, /^url: 169\.254\.169\.254 is not in a private network/],
    [{ url: 'http://[::1]:8080' }, /^url: \[::1\] is not in a private network/],
    [{ kind: 'pigeon' }, /^kind: must be smsgate or modem/],
    [{ password: '' }, /^password: must not be empty/],
  ] as const) {
    const { status, error } = await add(changes)
    assert.deepEqual([status, error?.code], [400, 'INVALID_REQUEST'])
    assert.match(error?.message ?? '', words)
  }
  phone.version = '1.20.0'
  assert.match((await add()).error?.message ?? '', /^url: the app on the phone is SMSGate 1\.20\.0, and /)
  phone.version = '1.68.0'
  assert.deepEqual((await call('GET', '/devices')).data, [])
})

test('a phone is added, sends, receives, and reports its state', options, async () => {
  const added = await add({ name: 'Hall' })
  assert.equal(added.status, 200)
  assert.deepEqual([added.data?.['name'], added.data?.['kind']], ['Hall', 'smsgate'])
  assert.ok(!added.text.includes(phone.password))
  deviceId = String(added.data?.['deviceId'])
  const online = await watch.until(device, one => isOnline(one) && one?.['battery'] !== null)
  assert.deepEqual(
    [online?.['driver'], online?.['trouble'], online?.['battery'], online?.['appVersion']],
    ['smsgate', null, 80, '1.68.0'],
  )
  assert.deepEqual([online?.['calls'], online?.['receives']], [false, true])
  const id = await send('the first')
  await watch.until(
    () => statusOf(id),
    status => status === 'delivered',
  )
  assert.deepEqual(phone.transmitted, [id])
})

test('the same phone is not added twice', options, async () => {
  const { status, error } = await add()
  assert.deepEqual([status, error?.code], [409, 'CONFLICT'])
  assert.match(error?.message ?? '', /^this phone was already added, as Hall \(dev_/)
})

test(
  "the phone's password is only in a file of its own, which only the owner can read",
  options,
  async () => {
    const secrets = join(gateway.dataDir, 'secrets')
    const file = join(secrets, `phone-${deviceId}`)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.ok(readFileSync(file, 'utf8').includes(phone.password))
    const others = readdirSync(gateway.dataDir, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && entry.parentPath !== secrets)
      .map(entry => readFileSync(join(entry.parentPath, entry.name)))
    for (const bytes of others) assert.ok(!bytes.includes(phone.password))
    assert.ok(!JSON.stringify(gateway.log).includes(phone.password))
    assert.ok(!(await call('GET', '/devices')).text.includes(phone.password))
  },
)

test("only the owner can read the agent's journal, and sent texts are gone from it", options, async () => {
  const phones = join(gateway.dataDir, 'phones')
  assert.equal(statSync(phones).mode & 0o777, 0o700)
  const files = readdirSync(phones)
  assert.ok(files.includes(`${deviceId}.journal`))
  for (const file of files) {
    assert.equal(statSync(join(phones, file)).mode & 0o777, 0o600, file)
    const content = readFileSync(join(phones, file), 'utf8')
    for (const words of ['the first', '+15005550006']) assert.ok(!content.includes(words), file)
  }
})

test('a new password is tried before it is stored', options, async () => {
  const wrong = await call('PATCH', `/devices/${deviceId}`, { password: 'wrong', name: 'Cellar' })
  assert.equal(wrong.status, 400)
  assert.equal((await device())?.['name'], 'Hall')
  const right = await call('PATCH', `/devices/${deviceId}`, { password: phone.password, name: 'Cellar' })
  assert.deepEqual([right.status, right.data?.['name']], [200, 'Cellar'])
  const { data: pairing } = await call('POST', '/devices/pairings', {})
  const { token } = await gateway.ask('device.pair', {
    code: String(pairing?.['code']),
    name: null,
    platform: null,
    appVersion: null,
  })
  assert.ok(token)
  const [other] = ((await call('GET', '/devices')).data ?? []).filter(one => one['kind'] === 'roost')
  const refused = await call('PATCH', `/devices/${other?.['deviceId']}`, { url: phone.url })
  assert.match(refused.error?.message ?? '', /^url: can be changed only for phones of the kind smsgate/)
  await call('DELETE', `/devices/${other?.['deviceId']}`)
})

test('an address at which another phone answers is refused, and nothing changes', options, async () => {
  const other = await SmsgatePhone.start({ phoneId: 'of another phone', password: phone.password })
  try {
    const bare = await call('PATCH', `/devices/${deviceId}`, { url: other.url, name: 'Attic' })
    assert.match(bare.error?.message ?? '', /^password: is needed again/)
    const moved = { url: other.url, password: phone.password, name: 'Attic' }
    const { status, error } = await call('PATCH', `/devices/${deviceId}`, moved)
    assert.equal(status, 400)
    assert.match(
      error?.message ?? '',
      /^url: another phone answers at http:\S+ \(Google\/oriole\): add that phone as a device/,
    )
    assert.equal((await device())?.['name'], 'Cellar')
    assert.deepEqual(other.taken, [])
    const file = readFileSync(join(gateway.dataDir, 'secrets', `phone-${deviceId}`), 'utf8')
    assert.ok(file.includes(phone.url) && !file.includes(other.url))
  } finally {
    await other.stop()
  }
})

test(
  'an unreachable phone counts as offline, with the reason, until it gets its new password',
  options,
  async () => {
    await watch.until(device, isOnline)
    await phone.stop()
    // Sending notices that the phone is unreachable. Without a text, the next poll would, seconds later.
    const id = await send('the second')
    const away = await watch.until(device, one => one?.['trouble'] !== null)
    assert.equal(away?.['status'], 'offline')
    assert.match(String(away?.['trouble']), /^nothing listens at http:\S+: switch on "Local server"/)
    phone.password = 'another'
    await phone.comeBack()
    assert.equal((await call('PATCH', `/devices/${deviceId}`, { password: 'another' })).status, 200)
    const back = await watch.until(device, isOnline)
    assert.equal(back?.['trouble'], null)
    await watch.until(
      () => statusOf(id),
      status => status === 'delivered',
    )
    assert.equal(phone.transmitted.filter(sent => sent.startsWith(id)).length, 1)
  },
)

test('an account without room tests no address, and one with room tests ten a minute', options, async () => {
  const [small, large] = [await gateway.newAccount('free'), await gateway.newAccount()]
  const { code } = await gateway.ask('device.create-pairing', { accountId: small.accountId, name: null })
  await gateway.ask('device.pair', { code, name: null, platform: null, appVersion: null })
  const address = { kind: 'smsgate', url: 'http://127.0.0.1:9', password: 'x' }
  const add = (token: string) => gateway.call('POST', '/api/v1/devices', { token, json: address })
  assert.deepEqual([(await add(small.token)).status, (await add(large.token)).status], [403, 400])
  const tests = await Promise.all(Array.from({ length: 9 }, () => add(large.token)))
  assert.deepEqual([...new Set(tests.map(({ status }) => status))], [400])
  const over = await add(large.token)
  assert.deepEqual([over.status, over.json?.error?.code], [429, 'RATE_LIMIT_EXCEEDED'])
  assert.ok(Number(over.headers.get('retry-after')) >= 1)
})

test('a removed phone is not called again, and its password is deleted', options, async () => {
  assert.equal((await call('DELETE', `/devices/${deviceId}`)).status, 200)
  const file = join(gateway.dataDir, 'secrets', `phone-${deviceId}`)
  // The thread stops and the file is deleted before the next phone is added.
  const again = await add()
  deviceId = String(again.data?.['deviceId'])
  await watch.until(device, isOnline)
  assert.ok(!existsSync(file))
})

test('the app CallGate gives the phone a voice', options, async t => {
  const callGate = createServer((_, response) => response.writeHead(400).end()).listen(0, '127.0.0.1')
  await once(callGate, 'listening')
  t.after(() => callGate.close())
  const { port } = callGate.address() as AddressInfo
  const { data } = await call('GET', '/devices')
  const phones = data as unknown as { deviceId: string; kind: string }[]
  const id = phones.find(({ kind }) => kind === 'smsgate')?.deviceId
  const ringer = { url: `http://127.0.0.1:${port}`, username: 'sms', password: 'callgate-password' }
  const change = (json: object) => call('PATCH', `/devices/${id}`, json)
  const refused = await change({ ringer: { ...ringer, url: 'http://8.8.8.8:8084' } })
  assert.match(refused.error?.message ?? '', /^ringer\.url: 8\.8\.8\.8 is not in a private network/)
  const incomplete = await change({ ringer: { url: ringer.url } })
  assert.match(incomplete.error?.message ?? '', /^ringer\.username: /)
  const away = await change({ ringer: { ...ringer, url: 'http://127.0.0.1:9' } })
  assert.match(away.error?.message ?? '', /^ringer\.url: no CallGate answers at http:\/\/127\.0\.0\.1:9: /)
  const set = await change({ ringer })
  assert.equal(set.status, 200, set.text)
  assert.equal(set.text.includes('callgate-password'), false)
  const one = async () => (await call('GET', `/devices/${id}`)).data
  await watch.until(one, device => device?.['calls'] === true)
  assert.equal((await change({ ringer: null })).status, 200)
  await watch.until(one, device => device?.['calls'] === false && isOnline(device))
})
