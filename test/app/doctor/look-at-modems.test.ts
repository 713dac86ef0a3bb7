/** The doctor's look at modems, with Debian's ModemManager. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookAtModems } from '#app/doctor/look-at-modems.ts'
import { nameUser } from '#app/name-user.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { savePhoneAccess } from '#storage/phone-access-file.ts'
import { ModemWorld, modemManagerMissing } from '#test/kit/modem/modem-world.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const auto = { devices: { modems: 'auto' } } as Parameters<typeof lookAtModems>[0]

test('a modem, what polkit refuses, and a ModemManager that is gone', {
  skip: modemManagerMissing(),
}, async t => {
  const folder = temporaryDirectory(t)
  const world = await ModemWorld.start(t, folder, modem => Object.assign(modem, { pin: '1234' }))
  process.env['DBUS_SYSTEM_BUS_ADDRESS'] = world.address
  t.after(() => Reflect.deleteProperty(process.env, 'DBUS_SYSTEM_BUS_ADDRESS'))
  const directory = dataDirectory(folder)
  const { imei } = world.modem
  savePhoneAccess(directory, 'dev_01M8CCQV536YDE23TB5DMEEQJV', { imei, pin: null, sim: null, token: 'x' })
  const user = nameUser(process.getuid?.() ?? 0)
  const seen = await lookAtModems(auto, directory)
  assert.deepEqual(seen, {
    phones: [imei],
    routers: seen?.routers,
    user,
    modems: [
      {
        imei,
        model: 'Roost Pretend P1',
        operator: null,
        signal: null,
        isRoaming: false,
        condition: 'asks-for-pin',
      },
    ],
    refused: [],
    trouble: null,
  })
  world.refused.add('org.freedesktop.ModemManager1.Voice')
  assert.deepEqual((await lookAtModems(auto, directory))?.refused, ['Voice'])
  await world.killManager()
  const gone = await lookAtModems(auto, directory)
  assert.deepEqual([gone?.trouble, gone?.modems, gone?.phones], ['not-running', [], [imei]])
})

test('no bus, and modems that are left alone', async t => {
  const directory = dataDirectory(temporaryDirectory(t))
  process.env['DBUS_SYSTEM_BUS_ADDRESS'] = 'unix:path=/nowhere'
  t.after(() => Reflect.deleteProperty(process.env, 'DBUS_SYSTEM_BUS_ADDRESS'))
  assert.equal((await lookAtModems(auto, directory))?.trouble, 'no-bus')
  const off = { devices: { modems: 'off' } } as Parameters<typeof lookAtModems>[0]
  assert.equal(await lookAtModems(off, directory), null)
})
