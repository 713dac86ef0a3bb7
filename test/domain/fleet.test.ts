import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pacing } from '#domain/device/pacing.ts'
import { Phone } from '#domain/device/phone.ts'
import { Fleet } from '#domain/fleet.ts'
import { openMessage } from '#test/kit/messages.ts'
import { storedDevice } from '#test/kit/stored-device.ts'
import { openWorld } from '#test/kit/test-phone.ts'

const ROUTING = { country: 'US', monoMs: 1, offlineAfterMs: 45_000 }

/** A fleet with phones that are online, one of them with a SIM of the US. */
function fleetOf(count: number, home = count - 1) {
  const fleet = new Fleet()
  const phones = Array.from({ length: count }, (_, index) => {
    const countryCode = index === home ? 'US' : 'DE'
    const sims = [{ slot: 1, carrier: null, countryCode, phoneNumber: null }]
    const device = storedDevice({ id: `dev_${index}`, sims, announcedOnline: true })
    const phone = new Phone(device, new Pacing(20, 3, 0), 0)
    phone.session = { id: 'ses_1', connections: [], synced: true, since: 0 }
    fleet.add(phone)
    return phone
  })
  return { fleet, phones, accountId: phones[0]?.device.accountId ?? '' }
}

test('a choice among thousands of phones compares others each time, and finds one of the country', () => {
  const { fleet, phones, accountId } = fleetOf(3_000)
  assert.equal(fleet.choose(accountId, ROUTING), phones.at(-1))
  let looks = 0
  for (const phone of phones)
    phone.expectedWaitMs = () => {
      looks += 1
      return 0
    }
  const chosen = new Set<string | undefined>()
  for (let monoMs = 1; monoMs <= 100; monoMs++) {
    const phone = fleet.choose(accountId, { ...ROUTING, country: 'FR', monoMs })
    if (phone !== null) phone.usedAtMono = monoMs
    chosen.add(phone?.id)
  }
  assert.equal(chosen.size, 100)
  // A phone of another country than the recipient's is compared once more.
  assert.ok(looks <= 100 * 65, `${looks} looks`)
})

test('only phones that are online are chosen, and the phone to avoid only if there is no other', () => {
  const { fleet, phones, accountId } = fleetOf(2, 0)
  const [home, other] = phones
  assert.ok(home && other)
  assert.equal(fleet.choose(accountId, ROUTING), home)
  assert.equal(fleet.choose(accountId, { ...ROUTING, avoid: home.id }), other)
  fleet.setOnline(other, false)
  fleet.setOnline(home, true)
  assert.equal(fleet.choose(accountId, { ...ROUTING, avoid: home.id }), home)
  fleet.remove(home)
  assert.equal(fleet.choose(accountId, ROUTING), null)
})

test('of the phones with queues, some are looked at, and those with an empty queue never again', () => {
  const { fleet, phones, accountId } = fleetOf(100)
  for (const phone of phones)
    fleet.enqueue(openMessage({ id: `msg_${phone.id}`, accountId, deviceId: phone.id }))
  const looked = () => [...fleet.queueingPhones(accountId)]
  assert.deepEqual(looked(), phones.slice(0, 64))
  for (const phone of phones.slice(0, 90)) phone.queue.drain()
  assert.deepEqual(looked(), phones.slice(90))
})

test('among many phones, one whose SIM became that of the country is found', () => {
  const { world, phones, send } = openWorld(66)
  for (const phone of phones) phone.connect({ country: 'DE' })
  const [visitor, returned] = phones.slice(-2)
  assert.ok(visitor && returned)
  const sims = [{ slot: 1, carrier: null, countryCode: 'US', phoneNumber: null }]
  const unknown = { battery: null, charging: null, signal: null, busy: null }
  visitor.sendFrame({ type: 'telemetry', ...unknown, sims })
  returned.connect({ country: 'FR' })
  world.effects.length = 0
  assert.deepEqual([send({ country: 'US' })], visitor.offered())
  assert.deepEqual([send({ country: 'FR' })], returned.offered())
})
