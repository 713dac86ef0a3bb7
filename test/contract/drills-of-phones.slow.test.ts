/** Drills between phones of other kinds: both modes of SMSGate, and two modems of one machine. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { DeviceListItem } from '#contracts/device.ts'
import type { DrillResource } from '#contracts/drill.ts'
import type { CloudApp } from '#test/kit/cloud-app.ts'
import { cloudRig } from '#test/kit/cloud-rig.ts'
import { startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { ModemWorld, modemManagerMissing } from '#test/kit/modem/modem-world.ts'
import { PretendModem } from '#test/kit/modem/pretend-modem.ts'
import { nextLook } from '#test/kit/next-turn.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { SmsgatePhone } from '#test/kit/smsgate-phone.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const OTHER = '+4915112345679'

/** An owner of a gateway, who starts drills and waits for their end. */
function ownerOf(gateway: () => TestGateway, owner: () => TestAccount) {
  const ask = async (method: string, path: string, json?: object) => {
    const options = { token: owner().token, ...(json !== undefined && { json }) }
    const answer = await gateway().call(method, `/api/v1${path}`, options)
    assert.equal(answer.status, 200, answer.text)
    return answer.json?.data as unknown
  }
  const last = async (deviceId: string) =>
    (await gateway().ask('drill.list', { accountId: owner().accountId, deviceId }))[0]
  return {
    ask,
    async untilOnline(count: number) {
      for (;;) {
        const all = await gateway().ask('device.list', { accountId: owner().accountId })
        if (all.filter(one => one.status !== 'offline' && one.receives).length === count) return all
        await nextLook()
      }
    },
    async prove(deviceId: string): Promise<DrillResource> {
      await ask('POST', `/devices/${deviceId}/drills`)
      for (;;) {
        const drill = await last(deviceId)
        if (drill?.outcome != null) return drill
        await nextLook()
      }
    },
  }
}

describe('SMSGate in both modes', { timeout: HANGS_AFTER_MS }, () => {
  let gateway: TestGateway
  let account: TestAccount
  let local: SmsgatePhone
  let cloud: CloudApp
  let localId = ''
  const owner = ownerOf(
    () => gateway,
    () => account,
  )
  let isOver = false

  before(async () => {
    gateway = await startGateway({ config: { devices: { allowed_hosts: ['127.0.0.1'] } } })
    account = await gateway.owner()
    local = await SmsgatePhone.start()
    const { url, password } = local
    const added = await owner.ask('POST', '/devices', { kind: 'smsgate', url, password })
    localId = (added as DeviceListItem).deviceId
    cloud = await cloudRig(() => gateway).register({ account })
    await owner.ask('PATCH', `/devices/${cloud.deviceId}`, { phoneNumber: OTHER })
    const { webhooks } = await cloud.settings()
    const toCloud = (message: string) => {
      const payload = { message, sender: 'INFO', messageId: randomUUID(), simNumber: 1 }
      const given = { ...payload, receivedAt: new Date().toISOString() }
      return cloud.postEvent(webhooks.signing_key, 'sms:received', { id: randomUUID(), payload: given })
    }
    // The network between them. A first text shows that the cloud phone hands in what it gets.
    await toCloud('hello')
    local.radio = async row => {
      if (row.number === OTHER) setImmediate(() => void toCloud(row.text))
      return null
    }
    void (async () => {
      while (!isOver) {
        for (const item of await cloud.pull()) {
          const text = item['textMessage'] as { text: string } | undefined
          const content = text?.text ?? String(item['message'])
          await cloud.report(item['id'], 'Sent')
          local.inbox.push({
            id: randomUUID(),
            sender: null,
            contentPreview: content,
            createdAt: new Date().toISOString(),
          })
        }
        await nextLook()
      }
    })()
    await owner.untilOnline(2)
  })
  after(async () => {
    isOver = true
    await nextLook()
    await gateway.stop()
    await local.stop()
  })

  test('proves both directions', async t => {
    for (const id of [localId, cloud.deviceId]) {
      const { outcome, tookMs } = await owner.prove(id)
      assert.equal(outcome, 'proven')
      t.diagnostic(`${id === localId ? 'local to cloud' : 'cloud to local'}: ${tookMs} ms`)
    }
    const devices = (await owner.ask('GET', '/devices')) as readonly DeviceListItem[]
    for (const { proven } of devices) assert.ok(proven.sends !== null && proven.receives !== null)
    assert.ok(
      !(await gateway.call('GET', '/api/v1/received', { key: account.liveKey })).text.includes('drill'),
    )
  })

  test('a SIM that is dead is not_sent, with the words of the phone', async () => {
    local.radio = async () => 'Send result: RESULT_ERROR_GENERIC_FAILURE (no credit)'
    const { outcome, reason } = await owner.prove(localId)
    assert.equal(outcome, 'not_sent')
    assert.match(reason ?? '', /could not send/)
  })
})

describe('two modems of one machine', { skip: modemManagerMissing(), timeout: HANGS_AFTER_MS }, () => {
  let gateway: TestGateway
  let account: TestAccount
  let world: ModemWorld
  let second: PretendModem
  const ids: string[] = []
  const cleaning: (() => unknown)[] = []
  const cleaner = { after: (clean: () => unknown) => void cleaning.unshift(clean) }
  const owner = ownerOf(
    () => gateway,
    () => account,
  )

  before(async () => {
    world = await ModemWorld.start(cleaner, temporaryDirectory(cleaner))
    const socket = `roost-${randomUUID().slice(0, 8)}`
    second = await PretendModem.start(socket, '490154203237526')
    second.iccid = '8949000000000000002'
    cleaner.after(() => second.stop())
    await world.call({
      ...{ path: '/org/freedesktop/ModemManager1', interface: 'org.freedesktop.ModemManager1.Test' },
      ...{ member: 'SetProfile', types: 'ssas', args: ['second', 'generic', [`abstract:${socket}`]] },
    })
    process.env['DBUS_SYSTEM_BUS_ADDRESS'] = world.address
    gateway = await startGateway()
    account = await gateway.owner()
    for (const imei of [world.modem.imei, second.imei]) {
      while (!JSON.stringify(await owner.ask('GET', '/devices/modems')).includes(imei)) await nextLook()
      const added = (await owner.ask('POST', '/devices', { kind: 'modem', imei })) as DeviceListItem
      ids.push(added.deviceId)
    }
    // The SIM of the first one knows its number; that of the second says the same, so its owner corrects it.
    await owner.ask('PATCH', `/devices/${ids[1]}`, { phoneNumber: OTHER })
    for (const [place, modem] of [world.modem, second].entries()) join(modem, [second, world.modem][place])
    await owner.untilOnline(2)
  })
  after(async () => {
    Reflect.deleteProperty(process.env, 'DBUS_SYSTEM_BUS_ADDRESS')
    await gateway?.stop()
    for (const clean of cleaning) await clean()
  })

  /** What leaves the one arrives at the other. */
  function join(from: PretendModem, to: PretendModem | undefined): void {
    void (async () => {
      for (let seen = 0; ; seen++) {
        await from.until(() => from.onAir.length > seen)
        to?.receive({ from: '+4915100000009', text: from.onAir[seen]?.text ?? '', at: new Date() })
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

  test('a network that refuses is not_sent', async () => {
    world.modem.fault = 'refuse'
    const { outcome, reason } = await owner.prove(ids[0] ?? '')
    assert.equal(outcome, 'not_sent')
    assert.ok(reason !== null)
  })
})
