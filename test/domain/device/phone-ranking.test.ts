import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Pacing } from '#domain/device/pacing.ts'
import { Phone } from '#domain/device/phone.ts'
import { PhoneRanking } from '#domain/device/phone-ranking.ts'
import { choosePhone } from '#domain/message/routing.ts'
import { openMessage } from '#test/kit/messages.ts'
import { storedDevice } from '#test/kit/stored-device.ts'

const OFFLINE_AFTER_MS = 45_000
const PHONES = 8
const COUNTRIES = [null, 'US', 'DE', 'CA']

/** Changes to one of the phones before each choice. */
const steps = fc.array(
  fc.record({
    phone: fc.nat(PHONES - 1),
    what: fc.constantFrom(
      'use',
      'queue',
      'drain',
      'spend',
      'drop',
      'connect',
      'pause',
      'resume',
      'sims',
      'wait',
    ),
    country: fc.constantFrom(...COUNTRIES, '+1'),
    avoid: fc.option(fc.nat(PHONES - 1)),
    ms: fc.constantFrom(0, 1, 500, 60_000),
  }),
  { maxLength: 80 },
)

function newPhone(index: number): Phone {
  return new Phone(storedDevice({ id: `dev_${index}`, announcedOnline: true }), new Pacing(20, 3, 0), 0)
}

function change(
  phone: Phone,
  what: string,
  at: { ranking: PhoneRanking; monoMs: number; country: string | null },
): void {
  if (what === 'use') phone.usedAtMono = at.monoMs
  else if (what === 'queue') phone.queue.push(openMessage({ id: `msg_${at.monoMs}`, segments: 2 }))
  else if (what === 'drain') phone.queue.drain()
  else if (what === 'spend') phone.pacing.take(3, at.monoMs)
  else if (what === 'drop') {
    if (phone.session === null) return
    phone.session = null
    phone.heardAtMono = at.monoMs
  } else if (what === 'connect') {
    phone.session = { id: 'ses_1', connections: [], synced: true, since: at.monoMs }
    at.ranking.add(phone)
  } else if (what === 'pause' || what === 'resume')
    phone.device = { ...phone.device, paused: what === 'pause' }
  else if (what === 'sims') {
    const countryCode = at.country?.startsWith('+') ? null : at.country
    phone.device = { ...phone.device, sims: [{ slot: 1, carrier: null, countryCode, phoneNumber: null }] }
    at.ranking.add(phone)
  }
}

test('the ranking chooses the same phone as a search through all phones', () => {
  fc.assert(
    fc.property(steps, taken => {
      const ranking = new PhoneRanking()
      const phones = Array.from({ length: PHONES }, (_, index) => newPhone(index))
      for (const phone of phones) ranking.add(phone)
      let monoMs = 0
      for (const { phone: index, what, country, avoid, ms } of taken) {
        monoMs += ms
        change(phones[index] as Phone, what, { ranking, monoMs, country })
        const avoided = avoid === null ? null : `dev_${avoid}`
        const routing = { country, monoMs, offlineAfterMs: OFFLINE_AFTER_MS, avoid: avoided }
        const wanted = choosePhone(phones, routing)
        assert.equal(ranking.choose(routing)?.id, wanted?.id)
      }
    }),
    { numRuns: 2000 },
  )
})

test('a choice among ten thousand idle phones examines only one', () => {
  const ranking = new PhoneRanking()
  const phones = Array.from({ length: 10_000 }, (_, index) => newPhone(index))
  for (const phone of phones) ranking.add(phone)
  let looks = 0
  for (const phone of phones) {
    phone.expectedWaitMs = () => {
      looks += 1
      return 0
    }
    phone.session = { id: 'ses_1', connections: [], synced: true, since: 0 }
  }
  const chosen = new Set<string>()
  for (let monoMs = 1; monoMs <= 100; monoMs++) {
    const phone = ranking.choose({ country: 'US', monoMs, offlineAfterMs: OFFLINE_AFTER_MS })
    assert.ok(phone)
    phone.usedAtMono = monoMs
    chosen.add(phone.id)
  }
  assert.equal(chosen.size, 100)
  // Each choice reads the chosen phone twice: to choose it, and to decide among the groups.
  assert.ok(looks <= 200, `${looks} looks`)
})
