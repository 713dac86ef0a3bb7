import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pacing } from '#domain/device/pacing.ts'
import { Phone } from '#domain/device/phone.ts'
import { Fleet } from '#domain/fleet.ts'
import { storedDevice } from '#test/kit/stored-device.ts'

function simsOf(countryCode: string) {
  return [{ slot: 1, carrier: null, countryCode, phoneNumber: null }]
}

test('a phone whose SIM has changed is checked by its new country, unless it can take nothing', () => {
  const fleet = new Fleet()
  const [first, second] = ['dev_1', 'dev_2'].map(
    id => new Phone(storedDevice({ id, sims: simsOf('US') }), new Pacing(20, 3, 0), 0),
  )
  assert.ok(first && second)
  for (const phone of [first, second]) fleet.add(phone)
  const nextShared = ({ device }: Phone) => (device.sims[0]?.countryCode === 'DE' ? 1 : null)
  const toOffer = () => [...fleet.phonesToOffer(first.device.accountId, { monoMs: 0, nextShared })]
  assert.deepEqual(toOffer(), [])

  second.device = { ...second.device, sims: simsOf('DE') }
  fleet.updateRank(second)
  assert.deepEqual(toOffer(), [second])

  fleet.removeFree(second)
  fleet.updateRank(second)
  assert.deepEqual(toOffer(), [])
})
