/** `roost device add` and `find`: the contract, section 18. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { type CommandOptions, runHere } from '#test/kit/run-roost.ts'
import { SmsgatePhone } from '#test/kit/smsgate-phone.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { watchGateway } from '#test/kit/watch-gateway.ts'

const options = { timeout: HANGS_AFTER_MS }
const LOOPBACK = { devices: { allowed_hosts: ['127.0.0.0/8'] } }
const ENV = { ROOST_DEVICES__ALLOWED_HOSTS: '["127.0.0.0/8"]' }

function roostIn(dataDir: string) {
  return (args: readonly string[], changes: Partial<CommandOptions> = {}) =>
    runHere([...args, '--data', dataDir], { cwd: '/nowhere', env: ENV, ...changes })
}

/** Linux and Windows have every address in 127.0.0.0/8; other systems have only 127.0.0.1. */
const NOBODY = 'http://127.0.0.1:9'

describe('beside a running gateway', () => {
  let gateway: TestGateway
  let phone: SmsgatePhone
  let roost: ReturnType<typeof roostIn>

  before(async () => {
    gateway = await startGateway({ config: LOOPBACK })
    phone = await SmsgatePhone.start()
    roost = roostIn(gateway.dataDir)
  })
  after(async () => {
    await gateway.stop()
    await phone.stop()
  })

  const devices = async () => JSON.parse((await roost(['device', 'list', '--json'])).stdout).devices
  const add = (url: string, input: string, ...more: string[]) =>
    roost(['device', 'add', 'smsgate', url, '--password-stdin', ...more], { input })

  test(
    'a fault of the phone is reported in a sentence, ends with 1, wrong usage with 2; neither makes a device',
    options,
    async () => {
      for (const [exitCode, url, input, words] of [
        [
          1,
          phone.url,
          'wrong\n',
          /^error: password: the phone at \S+ refuses the password of sms: copy both/m,
        ],
        [2, phone.url, '\n', /^error: password: must not be empty$/m],
        [2, phone.url, '', /^error: password: must not be empty$/m],
        [
          1,
          NOBODY,
          'x\n',
          /^error: url: nothing listens at http:\/\/127\.0\.0\.1:9: switch on "Local server"/m,
        ],
        [1, gateway.url, 'x\n', /^error: url: what answers at \S+ is not SMSGate's local server/m],
        [1, '8.8.8.8:8080', 'x\n', /^error: url: 8\.8\.8\.8 is not in a private network: if this is your/m],
        [2, 'https://192.168.1.20:8080', 'x\n', /^error: url: must begin with http:\/\/: /m],
        [2, 'http://sms:pw@192.168.1.20', 'x\n', /^error: url: must not contain a user name or password/m],
      ] as const) {
        const { code, stdout, stderr } = await add(url, input)
        assert.deepEqual([code, stdout], [exitCode, ''], stderr)
        assert.match(stderr, words)
        assert.doesNotMatch(stderr, /wrong$|:pw@/m)
      }
      const ringer = ['--ringer', NOBODY]
      const mute = await roost(['device', 'add', 'smsgate', phone.url, '--password-stdin', ...ringer], {
        input: `${phone.password}\n`,
        env: { ...ENV, ROOST_RINGER_PASSWORD: 'x' },
      })
      assert.match(mute.stderr, /^error: ringer\.url: no CallGate answers at http:\/\/127\.0\.0\.1:9: start/)
      const strange = await roost(['device', 'add', 'fax', phone.url, '--password-stdin'], { input: 'x\n' })
      assert.deepEqual([strange.code, strange.stderr], [2, 'error: kind: must be smsgate or modem\n'])
      const json = JSON.parse((await add(phone.url, 'wrong\n', '--json')).stdout)
      assert.deepEqual([json.success, json.error.code], [false, 'INVALID_REQUEST'])
      assert.deepEqual(await devices(), [])
    },
  )

  test('a phone is added with its password from standard input, and sends at once', options, async () => {
    const { code, stdout, stderr } = await add(phone.url, `${phone.password}\r\n`, '--name', 'Hall')
    assert.deepEqual([code, stderr], [0, 'Added Hall. It can send in a moment.\n'])
    assert.match(stdout, /^dev_\w{26}\n$/)
    const owner = await gateway.owner()
    const watch = await watchGateway(gateway, owner.token)
    await watch.until(devices, ([one]) => one?.status === 'online')
    watch.close()
    const sent = await roost(['send', '+15005550006', 'by the phone in the hall', '--wait'])
    assert.equal(sent.code, 0, sent.stderr)
    assert.deepEqual(phone.transmitted, [sent.stdout.trim()])
    const listed = await roost(['device', 'list'])
    assert.match(listed.stdout, /\nHall +online +80 %, charging +/)
    assert.ok(listed.stdout.split('\n').every(line => line.length <= 100))
  })

  test('a phone that was already added is refused, and the error names it', options, async () => {
    const { code, stderr } = await add(phone.url, phone.password)
    assert.equal(code, 1)
    assert.match(stderr, /^error: this phone was already added, as Hall \(dev_\w{26}\)\n$/)
  })

  test(
    'the password comes from the environment; if it is not there, the command asks for it',
    options,
    async () => {
      const args = ['device', 'add', 'smsgate', phone.url]
      const asked = await roost(args, { input: 'wrong\n' })
      assert.match(asked.stderr, /refuses the password of sms/)
      const named = await roost([...args, '--username', 'me'], {
        env: { ...ENV, ROOST_PHONE_PASSWORD: phone.password },
      })
      assert.match(named.stderr, /refuses the password of me/)
    },
  )

  test('a phone at a new address is found on the network by its id', options, async () => {
    const [{ deviceId }] = await devices()
    const file = join(gateway.dataDir, 'secrets', `phone-${deviceId}`)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const access = JSON.parse(readFileSync(file, 'utf8'))
    // A host that is not a phone, an address where nothing listens, and the phone.
    const hostsNearby = ['127.0.0.7', '127.0.0.1', '127.0.0.9']
    writeFileSync(file, JSON.stringify({ ...access, url: `http://127.0.0.5:${phone.port}` }))
    const { code, stdout, stderr } = await roost(['device', 'find', 'Hall'], { hostsNearby })
    assert.deepEqual([code, stdout], [0, `${phone.url}\n`], stderr)
    assert.equal(stderr, 'Looking for Hall on this network …\nFound Hall.\n')
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), access)

    phone.version = '1.99.0'
    phone.requests.length = 0
    const older = await roost(['device', 'find', deviceId], { hostsNearby })
    assert.deepEqual([older.code, [...new Set(phone.requests)]], [1, ['GET /health']])
    phone.version = '1.68.0'

    phone.phoneId = 'another'
    const gone = await roost(['device', 'find', deviceId], { hostsNearby })
    assert.equal(gone.code, 1)
    assert.match(
      gone.stderr,
      /error: Hall does not answer on this network: switch on "Local server" in the app/,
    )
  })

  test('find refuses a phone that itself calls the gateway, and an unknown phone', options, async () => {
    const { code } = await gateway.ask('device.create-pairing', {
      accountId: (await gateway.owner()).accountId,
      name: 'Termux',
    })
    await gateway.ask('device.pair', { code, name: null, platform: null, appVersion: null })
    const other = await roost(['device', 'find', 'Termux'])
    assert.equal(other.code, 1)
    assert.match(other.stderr, /^error: the gateway does not connect to Termux: the agent on Termux /)
    assert.equal((await roost(['device', 'find', 'nobody'])).code, 1)
  })
})

test('with a stopped gateway a phone can be added, and sends once the gateway runs', options, async t => {
  const dataDir = temporaryDirectory(t)
  const roost = roostIn(dataDir)
  const phone = await SmsgatePhone.start()
  t.after(() => phone.stop())
  await (await startGateway({ dataDir, config: LOOPBACK })).stop()
  const args = ['device', 'add', 'smsgate', phone.url, '--password-stdin']
  const wrong = await roost(args, { input: 'wrong' })
  assert.equal(wrong.code, 1)
  const { code, stdout, stderr } = await roost([...args, '--json'], { input: phone.password })
  assert.deepEqual([code, stderr], [0, 'Added Google/oriole. It can send as soon as the gateway runs.\n'])
  const { deviceId, name, kind } = JSON.parse(stdout)
  assert.deepEqual([name, kind], ['Google/oriole', 'smsgate'])
  assert.ok(!stdout.includes(phone.password))
  const listed = await roost(['device', 'list'])
  assert.match(listed.stdout, /\nGoogle\/oriole +offline/)

  const gateway = await startGateway({ dataDir, config: LOOPBACK })
  t.after(() => gateway.stop())
  const { accountId, token } = await gateway.owner()
  const watch = await watchGateway(gateway, token)
  await watch.until(
    () => gateway.ask('device.find', { accountId, deviceId }),
    one => one.status === 'online',
  )
  watch.close()
  assert.ok(!JSON.stringify(gateway.log).includes(phone.password))
  assert.equal((await roost(['device', 'remove', deviceId])).code, 0)
  await gateway.stop()
  assert.ok(!existsSync(join(dataDir, 'phones', `${deviceId}.journal`)))
})
