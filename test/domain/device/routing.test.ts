import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pacing } from '#domain/device/pacing.ts'
import { Phone } from '#domain/device/phone.ts'
import { choosePhone, type Routing } from '#domain/device/routing.ts'
import { openMessage } from '#test/kit/messages.ts'
import { storedDevice } from '#test/kit/stored-device.ts'

const ROUTING: Routing = { country: 'US', monoMs: 100_000, offlineAfterMs: 45_000 }

interface Given {
  readonly country?: string
  readonly paused?: boolean
  /** Milliseconds since the connection dropped; absent: the phone is connected. */
  readonly droppedMs?: number
  readonly waitingSegments?: number
  readonly usedAtMono?: number
}

function phone(id: string, given: Given = {}): Phone {
  const { country, paused, droppedMs, waitingSegments, usedAtMono } = given
  const sims =
    country === undefined ? [] : [{ slot: 1, carrier: null, countryCode: country, phoneNumber: null }]
  const device = storedDevice({ id, sims, paused: paused ?? false })
  const phone = new Phone(device, new Pacing(20, 10, 0), ROUTING.monoMs - (droppedMs ?? 0))
  if (droppedMs === undefined)
    phone.session = { id: 'ses_1', connections: [{ listener: 1, socket: 1 }], synced: true, since: 0 }
  phone.usedAtMono = usedAtMono ?? 0
  if (waitingSegments !== undefined) phone.queue.push(openMessage({ segments: waitingSegments }))
  return phone
}

const CASES: readonly [string, Given, Given, 'a' | 'b' | null][] = [
  ['a connected one is taken, not one that is gone', { droppedMs: 45_000 }, {}, 'b'],
  ['one that dropped a moment ago still counts', { droppedMs: 44_999, country: 'US' }, {}, 'a'],
  ['a paused one is not taken', { paused: true }, {}, 'b'],
  ['none is taken when all are gone or paused', { paused: true }, { droppedMs: 60_000 }, null],
  ['a SIM of the country comes before a shorter wait', { country: 'US', waitingSegments: 60 }, {}, 'a'],
  ['the shorter wait comes before the longer', { waitingSegments: 20 }, { waitingSegments: 19 }, 'b'],
  ['what the burst covers is no wait', { waitingSegments: 9 }, { usedAtMono: 5 }, 'a'],
  ['of equals the one that was used longer ago', { usedAtMono: 9 }, { usedAtMono: 8 }, 'b'],
]

for (const [name, a, b, wanted] of CASES)
  test(`of two phones ${name}`, () => {
    const phones = [phone('a', a), phone('b', b)]
    assert.equal(choosePhone(phones, ROUTING)?.id ?? null, wanted)
    assert.equal(choosePhone(phones.toReversed(), ROUTING)?.id ?? null, wanted)
  })

test('a phone to avoid is taken only when there is no other', () => {
  const avoid = { ...ROUTING, avoid: 'a' }
  const home = phone('a', { country: 'US' })
  assert.equal(choosePhone([home, phone('b', { waitingSegments: 99 })], avoid)?.id, 'b')
  assert.equal(choosePhone([home, phone('b', { paused: true })], avoid)?.id, 'a')
})
