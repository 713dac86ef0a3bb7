import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { bundled } from '#test/kit/bundle.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { nextLook } from '#test/kit/next-turn.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { start } from '#test/kit/program.ts'
import { frameOf, RawPhone, SIM_HELLO } from '#test/kit/raw-websocket.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const options = { timeout: HANGS_AFTER_MS }
const MAIN = bundled('main')

/** It rings when a phone is renamed. */
let gateway: TestGateway
before(async () => {
  gateway = await startGateway({ entries: { writer: bundled('ringing-writer') } })
})
after(() => gateway.stop())

let rings = 0
const nextRing = () => `r${++rings}`

/** A phone of a new account that is not paired yet. */
async function newPhone() {
  const { accountId, token } = await gateway.newAccount()
  const { code } = await gateway.ask('device.create-pairing', { accountId, name: 'phone' })
  const devices = async () => (await gateway.call('GET', '/api/v1/devices', { token })).json?.data ?? []
  const rename = async (name: string) => {
    const [device] = await devices()
    const path = `/api/v1/devices/${device?.['deviceId']}`
    assert.equal((await gateway.call('PATCH', path, { token, json: { name } })).status, 200)
  }
  const ended = async (ringId: string) => {
    for (;;) {
      const line = gateway.log.find(
        ({ event, fields }) => event === 'ring.ended' && fields?.['ringId'] === ringId,
      )
      if (line !== undefined) return line.fields?.['outcome']
      await nextLook()
    }
  }
  const abilities = async () => {
    const [device] = await devices()
    const detail = await gateway.call('GET', `/api/v1/devices/${device?.['deviceId']}`, { token })
    assert.deepEqual(
      [detail.json?.data['calls'], detail.json?.data['receives']],
      [device?.['calls'], device?.['receives']],
    )
    return [device?.['calls'], device?.['receives']]
  }
  return { code, rename, ended, abilities }
}

test(
  'a phone on the device socket rings, is busy, stops, and fails with its connection',
  options,
  async t => {
    const { code, rename, ended, abilities } = await newPhone()
    const { token } = await gateway.ask('device.pair', { code, name: null, platform: null, appVersion: null })
    const open = async (about: object) => {
      const phone = await RawPhone.open(gateway.url, token)
      t.after(() => phone.close())
      for (const frame of [
        { ...SIM_HELLO, ...about },
        { type: 'sync', messages: [] },
      ])
        phone.write(frameOf({ payload: JSON.stringify(frame) }))
      await phone.next('synced')
      return phone
    }
    await open({ calls: 'yes', receives: 1 })
    assert.deepEqual(await abilities(), [false, false])
    const phone = await open({ calls: true, receives: true })
    assert.deepEqual(await abilities(), [true, true])

    const rang = (ringId: string, outcome: string) => phone.sendFrame({ type: 'rang', ringId, outcome })
    for (const outcome of ['rang', 'busy', 'failed']) {
      const ringId = nextRing()
      await rename(`ring ${ringId} 25`)
      const order = { type: 'ring', ringId, phoneNumber: '+14155550123', seconds: 25 }
      assert.deepEqual(await phone.next('ring'), order)
      rang(ringId, outcome)
      assert.equal(await ended(ringId), outcome)
    }
    const ringId = nextRing()
    await rename(`ring ${ringId} 25`)
    await rename(`stop ${ringId}`)
    assert.deepEqual(await phone.next('stop-ring'), { type: 'stop-ring', ringId })
    rang(ringId, 'answered')
    assert.match(String((await phone.next('error'))['message']), /^outcome: must be /)
    phone.close()
    assert.equal(await ended(ringId), 'failed')
  },
)

for (const [name, program] of [
  ['roost agent', [MAIN, 'agent']],
  ['agent.mjs', [join(dirname(MAIN), 'agent.mjs')]],
] as const)
  test(`${name} rings by its command until it is told to stop or is dead`, options, async t => {
    const { code, rename, ended, abilities } = await newPhone()
    const gatewayFlags = ['--server', gateway.url, '--code', code]
    const call = 'echo "$$ calling $ROOST_PHONE_NUMBER for $ROOST_RING_SECONDS s" >&2; exec sleep 1000'
    const driverFlags = ['--driver', 'exec', '--exec', 'true', '--exec-call', call]
    const agent = start([process.execPath, ...program, ...gatewayFlags, ...driverFlags], {
      cwd: temporaryDirectory(t),
    })
    t.after(() => agent.child.kill('SIGKILL'))
    await agent.stderr.until(/Connected/)
    assert.deepEqual(await abilities(), [true, false])
    const [stopped, over, dead] = [nextRing(), nextRing(), nextRing()]
    await rename(`ring ${stopped} 100`)
    await agent.stderr.until(/calling \+14155550123 for 100 s/)
    await rename(`stop ${stopped}`)
    assert.equal(await ended(stopped), 'rang')
    await rename(`ring ${over} 1`)
    assert.equal(await ended(over), 'rang', 'its second is over')
    await rename(`ring ${dead} 99`)
    const [pid] = (await agent.stderr.until(/calling \S+ for 99 s/)).split(' ')
    agent.child.kill('SIGKILL')
    assert.equal(await ended(dead), 'failed')
    while (existsSync(`/proc/${pid}`)) await nextLook()
  })
