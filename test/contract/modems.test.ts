/** Modems of the gateway's machine, as section 20 of the contract describes. */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { ModemWorld, modemManagerMissing } from '#test/kit/modem/modem-world.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { runHere } from '#test/kit/run-roost.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { type Watch, watchGateway } from '#test/kit/watch-gateway.ts'

describe('a modem of the machine', { skip: modemManagerMissing() }, () => {
  let gateway: TestGateway
  let owner: TestAccount
  let world: ModemWorld
  let watch: Watch
  let deviceId = ''
  const cleaning: (() => unknown)[] = []
  const t = { after: (clean: () => unknown) => void cleaning.push(clean) }

  before(async () => {
    world = await ModemWorld.start(t, temporaryDirectory(t), modem => Object.assign(modem, { pin: '1234' }))
    process.env['DBUS_SYSTEM_BUS_ADDRESS'] = world.address
    gateway = await startGateway()
    owner = await gateway.owner()
    watch = await watchGateway(gateway, owner.token)
  })
  after(async () => {
    Reflect.deleteProperty(process.env, 'DBUS_SYSTEM_BUS_ADDRESS')
    watch.close()
    await gateway.stop()
    for (const clean of cleaning.reverse()) await clean()
  })

  const call = async (method: string, path: string, json?: object) => {
    const { token } = owner
    const answer = await gateway.call(method, `/api/v1${path}`, {
      token,
      ...(json !== undefined && { json }),
    })
    return { status: answer.status, data: answer.json?.data, error: answer.json?.error, text: answer.text }
  }
  const add = (changes: object = {}) =>
    call('POST', '/devices', { kind: 'modem', imei: world.modem.imei, ...changes })
  const device = async () => (await call('GET', `/devices/${deviceId}`)).data
  const roost = (...args: string[]) => runHere([...args, '--data', gateway.dataDir], { cwd: '/nowhere' })

  test('it is listed, with what it waits for', async () => {
    assert.deepEqual((await call('GET', '/devices/modems')).data, [
      {
        imei: world.modem.imei,
        model: 'Roost Pretend P1',
        operator: null,
        phoneNumber: '+4915112345678',
        signal: null,
        state: 'locked',
        locked: true,
      },
    ])
  })

  test('it is refused without a PIN, with a wrong one, and if it is another one', async () => {
    for (const [changes, status, words] of [
      [{}, 400, /^pin: its SIM asks for a PIN/],
      [{ pin: '12' }, 400, /^pin: must be 4 to 8 digits/],
      [{ pin: '9999' }, 400, /^pin: its SIM did not accept the PIN/],
      [{ imei: '490154203237519' }, 404, /sees no modem with this IMEI/],
      [{ imei: 'ttyUSB2' }, 400, /^imei: must be the 15 digits/],
      [{ kind: 'pigeon' }, 400, /^kind: must be smsgate or modem/],
    ] as const) {
      const { status: got, error } = await add(changes)
      assert.deepEqual([got, words.test(error?.message ?? '')], [status, true], JSON.stringify(error))
    }
    assert.equal(world.modem.pinTries, 2)
  })

  test('it becomes a phone, which sends', async () => {
    const { status, data, text } = await add({ pin: '1234' })
    assert.equal(status, 200, text)
    deviceId = String(data?.['deviceId'])
    assert.deepEqual([data?.['kind'], data?.['name']], ['modem', 'Roost Pretend P1'])
    const file = join(gateway.dataDir, 'secrets', `phone-${deviceId}`)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.match(readFileSync(file, 'utf8'), /"pin":"1234"/)
    assert.equal(text.includes('1234"'), false, 'no answer shows the PIN')
    await watch.until(device, one => one?.['status'] === 'online')
    const shown = await device()
    assert.deepEqual([shown?.['driver'], shown?.['calls'], shown?.['receives']], ['modem', true, true])
    const sent = await call('POST', '/sms/send', { phoneNumber: '+15005550006', message: 'by modem' })
    const id = String(sent.data?.['messageId'])
    await watch.until(
      async () => (await call('GET', `/sms/${id}`)).data?.['status'],
      state => state === 'delivered',
    )
    assert.deepEqual(
      world.modem.onAir.map(({ phoneNumber, text: words }) => [phoneNumber, words]),
      [['+15005550006', 'by modem']],
    )
  })

  test('it hands in received texts, and forgets them', async () => {
    world.modem.receive({ from: '+15005550007', text: 'hello gateway', at: new Date() })
    const list = await watch.until(
      async () => (await call('GET', '/received')).data,
      received => Array.isArray(received) && received.length > 0,
    )
    assert.equal((list as unknown as readonly { message: string }[])[0]?.message, 'hello gateway')
  })

  test('the same modem and SIM is no second phone', async () => {
    const { status, error } = await add()
    assert.deepEqual([status, error?.code], [409, 'CONFLICT'])
    const command = await roost('device', 'add', 'modem')
    assert.equal(command.code, 1)
    assert.match(command.stderr, /490154203237518 +Roost Pretend P1 +Test Mobile/)
    assert.match(command.stderr, /already added, as Roost Pretend P1/)
  })

  test('only a modem has a PIN', async () => {
    const change = (json: object) => call('PATCH', `/devices/${deviceId}`, json)
    assert.equal((await change({ pin: '4321' })).status, 200)
    assert.match(
      (await change({ url: 'http://192.168.1.2' })).error?.message ?? '',
      /only for phones of the kind/,
    )
    assert.match((await change({ pin: 'x' })).error?.message ?? '', /^pin: must be 4 to 8 digits/)
  })

  test('ModemManager that is gone is the trouble of the phone, which comes back', async () => {
    await world.killManager()
    await watch.until(device, one => /ModemManager/.test(String(one?.['trouble'])))
    assert.deepEqual((await call('GET', '/devices/modems')).data, [])
    world.modem.isUnlocked = true
    await world.startManager()
    await watch.until(device, one => one?.['status'] === 'online')
  })

  test('removed, it can be added again, by the command line', async () => {
    await call('DELETE', `/devices/${deviceId}`)
    const { code, stdout, stderr } = await roost('device', 'add', 'modem', '--name', 'Stick')
    assert.equal(code, 0, stderr)
    deviceId = stdout.trim()
    await watch.until(device, one => one?.['status'] === 'online')
  })
})

test('devices.modems = "off" leaves modems alone', { timeout: HANGS_AFTER_MS }, async t => {
  const gateway = await startGateway({ config: { devices: { modems: 'off' } } })
  t.after(() => gateway.stop())
  const { token } = await gateway.owner()
  const list = await gateway.call('GET', '/api/v1/devices/modems', { token })
  assert.deepEqual(list.json?.data, [])
  const json = { kind: 'modem', imei: '490154203237518' }
  const { status, json: answer } = await gateway.call('POST', '/api/v1/devices', { token, json })
  assert.deepEqual(
    [status, answer?.error?.message],
    [400, 'kind: modems are switched off by devices.modems in the configuration'],
  )
})
