/** Drills between phones of other kinds: both modes of SMSGate, and two modems of one machine. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { DeviceListItem } from '#contracts/device.ts'
import { Air, ChainOwner } from '#test/kit/broken-chain.ts'
import { type CloudApp, signatureOf } from '#test/kit/cloud-app.ts'
import { cloudRig } from '#test/kit/cloud-rig.ts'
import { startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { ModemWorld, modemManagerMissing } from '#test/kit/modem/modem-world.ts'
import { PretendModem } from '#test/kit/modem/pretend-modem.ts'
import { MovedClock } from '#test/kit/moved-clock.ts'
import { nextLook } from '#test/kit/next-turn.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { SmsgatePhone } from '#test/kit/smsgate-phone.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

/** The SIMs of the stand-ins know this number. */
const FIRST = '+4915112345678'
const OTHER = '+4915112345679'
const THIRD = '+4915112345670'
const SETTINGS = { http: { listeners: 1 }, devices: { allowed_hosts: ['127.0.0.1'], offline_after_s: 3600 } }

interface Chain {
  readonly owner: ChainOwner
  readonly air: Air
  readonly from: string
  readonly phones: number
}

interface Said {
  readonly eaten?: RegExp
  readonly deaf?: RegExp
  readonly late?: RegExp
}

/** What is said of these breaks of the way from the first phone to the other. */
function noticesBreaks(chain: () => Chain, said: Said): void {
  const breaks: readonly [string, (air: Air) => unknown, RegExp | undefined][] = [
    ['a phone that eats every text', air => air.eaters.add(FIRST), said.eaten],
    ['a phone that hands in no text', air => air.deaf.add(OTHER), said.deaf],
    ['a network that is hours late', air => Object.assign(air, { isLate: true }), said.late],
  ]
  for (const [name, breakIt, words] of breaks) {
    if (words === undefined) continue
    test(`notice ${name} with the planned drill and its repeat, until one is proven`, async () => {
      const { owner, air, from, phones } = chain()
      breakIt(air)
      const found = await owner.untilBroken(from, phones)
      assert.equal(found.length, 1)
      assert.match(found[0] ?? '', words)
      const isLate = air.isLate
      air.mend()
      const outcomes = async () => (await owner.drills(from)).slice(0, 2).map(({ outcome }) => outcome)
      while (isLate && !(await outcomes()).every(outcome => outcome === 'late')) await nextLook()
      assert.equal((await owner.broken()).length, 1, 'what comes late proves nothing')
      const { outcome, reason } = await owner.prove(from)
      assert.equal(outcome, 'proven', String(reason))
      assert.deepEqual(await owner.broken(), [])
    })
  }
}

describe('SMSGate in both modes', { timeout: HANGS_AFTER_MS }, () => {
  const clock = new MovedClock()
  const air = new Air()
  let gateway: TestGateway
  let account: TestAccount
  let owner: ChainOwner
  let local: SmsgatePhone
  let cloud: CloudApp
  let third: PairedPhone
  let localId = ''
  let isOver = false

  const connectThird = async () => {
    await third.disconnect()
    const sims = [{ slot: 1, carrier: null, countryCode: 'DE', phoneNumber: THIRD }]
    await third.connect(gateway.url, { receives: true, sims })
  }

  before(async () => {
    gateway = await startGateway({ config: SETTINGS, entries: clock.entries })
    account = await gateway.owner()
    local = await SmsgatePhone.start()
    owner = new ChainOwner({ gateway, account, clock, air, reconnect: connectThird })
    const { url, password } = local
    const added = await owner.call('POST', '/devices', { kind: 'smsgate', url, password })
    localId = (added as DeviceListItem).deviceId
    cloud = await cloudRig(() => gateway).register({ account })
    await owner.call('PATCH', `/devices/${cloud.deviceId}`, { phoneNumber: OTHER })
    const { webhooks } = await cloud.settings()
    const hook = (await cloud.webhooks()).find(one => one.event === 'sms:received')
    const toCloud = (message: string) => {
      const nowMs = Date.now() + clock.aheadMs
      const given = { message, sender: 'INFO', messageId: randomUUID(), simNumber: 1 }
      const payload = { ...given, receivedAt: new Date(nowMs).toISOString() }
      const event = { id: randomUUID(), webhookId: hook?.id, event: 'sms:received', payload }
      const body = JSON.stringify({ ...event, deviceId: cloud.deviceId })
      const signed = signatureOf(webhooks.signing_key, body, String(Math.floor(nowMs / 1000)))
      return cloud.post(hook?.url ?? '', body, signed)
    }
    air.phones.set(OTHER, toCloud)
    air.phones.set(FIRST, contentPreview =>
      local.inbox.push({
        id: randomUUID(),
        sender: null,
        contentPreview,
        createdAt: new Date().toISOString(),
      }),
    )
    // A first text shows that the cloud phone hands in what it gets.
    await toCloud('hello')
    local.radio = async row => {
      air.send(FIRST, row.number, row.text)
      return null
    }
    void (async () => {
      while (!isOver) {
        for (const item of await cloud.pull()) {
          const text = item['textMessage'] as { text: string } | undefined
          const [to = ''] = item['phoneNumbers'] as string[]
          await cloud.report(item['id'], 'Sent')
          air.send(OTHER, to, text?.text ?? String(item['message']))
        }
        await nextLook()
      }
    })()
    await owner.untilOnline(2)
  })
  after(async () => {
    isOver = true
    await nextLook()
    await third?.disconnect()
    await gateway.stop()
    await local.stop()
    clock.close()
  })

  test('proves both directions', async t => {
    for (const id of [localId, cloud.deviceId]) {
      const { outcome, tookMs } = await owner.prove(id)
      assert.equal(outcome, 'proven')
      t.diagnostic(`${id === localId ? 'local to cloud' : 'cloud to local'}: ${tookMs} ms`)
    }
    const devices = (await owner.call('GET', '/devices')) as readonly DeviceListItem[]
    for (const { proven } of devices) assert.ok(proven.sends !== null && proven.receives !== null)
    assert.ok(
      !(await gateway.call('GET', '/api/v1/received', { key: account.liveKey })).text.includes('drill'),
    )
  })

  test('gets a third phone, which tells which half is broken', async () => {
    third = await PairedPhone.pair(gateway, account.accountId)
    air.phones.set(
      THIRD,
      message => void third.reportReceived({ id: randomUUID(), from: null, message }).catch(() => {}),
    )
    void (async () => {
      for (let count = 1; ; count++) {
        const { phoneNumber, message } = (await third.whenSent(count))[count - 1] ?? {}
        air.send(THIRD, phoneNumber ?? '', message ?? '')
      }
    })()
    await connectThird()
    await owner.untilOnline(3)
  })

  noticesBreaks(() => ({ owner, air, from: localId, phones: 3 }), {
    eaten: /does not send: its drill failed twice/,
    deaf: /does not receive: the drill of .* failed twice/,
    late: /sends or .* receives: one of them does not/,
  })

  test('a SIM that is dead is not_sent, with the words of the phone', async () => {
    local.radio = async () => 'Send result: RESULT_ERROR_GENERIC_FAILURE (no credit)'
    const { outcome, reason } = await owner.prove(localId)
    assert.equal(outcome, 'not_sent')
    assert.match(reason ?? '', /could not send/)
  })
})

describe('two modems of one machine', { skip: modemManagerMissing(), timeout: HANGS_AFTER_MS }, () => {
  const clock = new MovedClock()
  const air = new Air()
  let gateway: TestGateway
  let owner: ChainOwner
  let world: ModemWorld
  let second: PretendModem
  const ids: string[] = []
  const cleaning: (() => unknown)[] = []
  const cleaner = { after: (clean: () => unknown) => void cleaning.unshift(clean) }

  before(async () => {
    world = await ModemWorld.start(cleaner, temporaryDirectory(cleaner))
    const socket = `roost-${randomUUID().slice(0, 8)}`
    second = await PretendModem.start(socket, '490154203237526')
    second.iccid = '8949000000000000002'
    second.number = OTHER
    cleaner.after(() => second.stop())
    await world.call({
      ...{ path: '/org/freedesktop/ModemManager1', interface: 'org.freedesktop.ModemManager1.Test' },
      ...{ member: 'SetProfile', types: 'ssas', args: ['second', 'generic', [`abstract:${socket}`]] },
    })
    process.env['DBUS_SYSTEM_BUS_ADDRESS'] = world.address
    gateway = await startGateway({ config: SETTINGS, entries: clock.entries })
    const account = await gateway.owner()
    owner = new ChainOwner({ gateway, account, clock, air })
    for (const imei of [world.modem.imei, second.imei]) {
      while (!JSON.stringify(await owner.call('GET', '/devices/modems')).includes(imei)) await nextLook()
      const added = (await owner.call('POST', '/devices', { kind: 'modem', imei })) as DeviceListItem
      ids.push(added.deviceId)
    }
    for (const [place, phoneNumber] of [FIRST, OTHER].entries())
      await owner.call('PATCH', `/devices/${ids[place]}`, { phoneNumber })
    join(world.modem, FIRST)
    join(second, OTHER)
    await owner.untilOnline(2)
  })
  after(async () => {
    Reflect.deleteProperty(process.env, 'DBUS_SYSTEM_BUS_ADDRESS')
    await gateway?.stop()
    for (const clean of cleaning) await clean()
    clock.close()
  })

  function join(modem: PretendModem, number: string): void {
    air.phones.set(number, text => modem.receive({ from: '+4915100000009', text, at: new Date() }))
    void (async () => {
      for (let seen = 0; ; seen++) {
        await modem.until(() => modem.onAir.length > seen)
        const sent = modem.onAir[seen]
        air.send(number, sent?.phoneNumber ?? '', sent?.text ?? '')
      }
    })()
  }

  test('prove both directions', async t => {
    for (const id of ids) {
      const { outcome, tookMs, reason } = await owner.prove(id)
      assert.equal(outcome, 'proven', String(reason))
      t.diagnostic(`${tookMs} ms`)
    }
  })

  noticesBreaks(() => ({ owner, air, from: ids[0] ?? '', phones: 2 }), {
    eaten: /sends or .* receives: one of them does not/,
  })

  test('a network that refuses is not_sent', async () => {
    world.modem.fault = 'refuse'
    const { outcome, reason } = await owner.prove(ids[0] ?? '')
    assert.equal(outcome, 'not_sent')
    assert.ok(reason !== null)
  })
})
