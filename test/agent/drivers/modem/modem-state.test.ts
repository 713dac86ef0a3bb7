/** SIM, PIN, roaming, and what is in the way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modem as definition } from '#agent/drivers/modem/definition.ts'
import { modemRig, orderOf, readyAgain } from '#test/kit/modem/modem-rig.ts'
import { modemManagerMissing } from '#test/kit/modem/modem-world.ts'

const skip = modemManagerMissing()
const never = new AbortController().signal
const notReady = { isReady: false }

test('the PIN unlocks the SIM', { skip }, async t => {
  const rig = await modemRig(t, modem => Object.assign(modem, { pin: '1234' }), { ...notReady, pin: '1234' })
  const { driver, modem, world } = rig
  assert.match((await driver.check?.()) ?? '', /starting/)
  await world.untilState(3)
  await readyAgain(rig)
  assert.equal(modem.pinTries, 3)
})

test('a wrong PIN is tried once, also by the next run of the agent', { skip }, async t => {
  const wrong = { ...notReady, pin: '9999' }
  const rig = await modemRig(t, modem => Object.assign(modem, { pin: '1234' }), wrong)
  const { driver, modem, open } = rig
  assert.match((await driver.check?.()) ?? '', /did not accept the PIN/)
  assert.match((await driver.check?.()) ?? '', /did not accept the PIN/)
  assert.match((await open('9999').check?.()) ?? '', /did not accept the PIN/)
  assert.equal(modem.pinTries, 2)
  assert.match((await open(null).check?.()) ?? '', /asks for a PIN/)
  await open('1234').check?.()
  assert.equal(modem.isUnlocked, true)
})

test('another SIM in the same modem is another phone', { skip }, async t => {
  const rig = await modemRig(t)
  const { driver, modem, world } = rig
  await world.killManager()
  modem.iccid = '8949000000000000002'
  await world.startManager()
  assert.match((await driver.check?.()) ?? '', /another SIM/)
  assert.equal((await driver.send(orderOf('from whom?'), never)).code, 'PHONE_CHANGED')
  assert.equal(modem.onAir.length, 0)
})

test('roaming is said, and the modem sends', { skip }, async t => {
  const rig = await modemRig(t, modem => Object.assign(modem, { isRoaming: true }))
  const [sim] = (await rig.driver.sims?.()) ?? []
  assert.match(sim?.carrier ?? '', /\(roaming\)$/)
  assert.equal(rig.logged.filter(line => line.includes('roaming')).length, 1)
  assert.equal((await rig.driver.send(orderOf('from abroad'), never)).state, 'sent')
})

test('a modem without service, an absent ModemManager, an absent bus: each says what it is', {
  skip,
}, async t => {
  const rig = await modemRig(t, modem => Object.assign(modem, { hasService: false }), notReady)
  const { driver, world } = rig
  await driver.check?.()
  await world.untilState(6)
  assert.match((await driver.check?.()) ?? '', /no service/)
  assert.deepEqual(await driver.send(orderOf('no way out'), never), {
    state: 'failed',
    code: 'NO_SERVICE',
    detail: 'the modem has no service',
  })
  await world.killManager()
  assert.match((await driver.check?.()) ?? '', /apt install modemmanager/)
  const env = { DBUS_SYSTEM_BUS_ADDRESS: 'unix:path=/nowhere' }
  const clock = rig.clock
  const nowhere = await definition.start(
    { name: 'modem', imei: rig.modem.imei, pinFile: null },
    {
      clock,
      env,
      stateFile: '/nowhere/state',
      log: () => {},
      print: () => {},
      program: [],
      askPassword: async () => '',
    },
  )
  assert.match((await nowhere.check?.()) ?? '', /^ModemManager does not answer \(D-Bus does not answer/)
})

test('the flags of the driver', () => {
  assert.match(String(definition.readOptions({})), /--modem IMEI/)
  assert.match(String(definition.readOptions({ modem: '/dev/ttyUSB2' })), /15 digits/)
  assert.deepEqual(definition.readOptions({ modem: '490154203237518' }), {
    name: 'modem',
    imei: '490154203237518',
    pinFile: null,
  })
})
