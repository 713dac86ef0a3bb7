import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameModem, type KnownModem, phonesWithoutModem } from '#app/phones/modem-owners.ts'

const modem = (accountId: string, imei: string, sim: string | null) => ({ accountId, imei, sim })
const [ADA, BOB] = ['acc_ada', 'acc_bob'] as const

test('a modem and its SIM belong to one account', () => {
  for (const [one, other, isSame] of [
    [modem(ADA, '1', 'A'), modem(BOB, '1', 'A'), true],
    [modem(ADA, '1', 'A'), modem(BOB, '1', 'B'), true],
    [modem(ADA, '1', null), modem(BOB, '1', null), true],
    [modem(ADA, '1', 'A'), modem(BOB, '2', 'A'), true],
    [modem(ADA, '1', null), modem(BOB, '2', null), false],
    [modem(ADA, '1', 'A'), modem(BOB, '2', 'B'), false],
    // Within one account, another SIM is another phone, and a SIM may move.
    [modem(ADA, '1', 'A'), modem(ADA, '1', 'A'), true],
    [modem(ADA, '1', 'A'), modem(ADA, '1', null), true],
    [modem(ADA, '1', 'A'), modem(ADA, '1', 'B'), false],
    [modem(ADA, '1', 'A'), modem(ADA, '2', 'A'), false],
  ] as const)
    assert.deepEqual([isSameModem(one, other), isSameModem(other, one)], [isSame, isSame])
})

test('the oldest phone keeps its modem, and one without a modem takes none from others', () => {
  const known: KnownModem[] = [
    { deviceId: 'oldest', name: '', ...modem(ADA, '1', 'A') },
    { deviceId: 'second', name: '', ...modem(BOB, '1', 'B') },
    { deviceId: 'third', name: '', ...modem(ADA, '2', 'B') },
  ]
  assert.deepEqual([...phonesWithoutModem(known)], ['second'])
  assert.deepEqual([...phonesWithoutModem(known.slice(1))], ['third'])
})
