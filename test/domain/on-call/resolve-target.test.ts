import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Person, Rota } from '#domain/on-call/on-call-store.ts'
import { resolveTarget } from '#domain/on-call/resolve-target.ts'

const atMs = Date.UTC(2026, 0, 5, 12)
const names = ['per_ada', 'per_bob', 'per_cy', 'per_dan']

const rota: Rota = {
  id: 'rot_1',
  accountId: 'acc_1',
  name: 'Night',
  people: ['per_gone', 'per_bob', 'per_cy'],
  days: 7,
  handover: 'mon 09:00',
  timeZone: null,
  anchorAt: Date.UTC(2025, 11, 29, 9),
  overrides: [],
  createdAt: 0,
}

function person(id: string): Person | undefined {
  const person = { id, accountId: 'acc_1', name: id, phoneNumber: '+4915112345678', country: 'DE' }
  return names.includes(id) ? { ...person, timeZone: null, quiet: null, createdAt: 0 } : undefined
}

function resolve(target: string, known: Rota = rota): string[] {
  const steps = [
    { tell: ['per_dan', 'rot_1+1', 'rot_2'] },
    { tell: ['per_cy', 'everyone', 'grp_1', 'per_ada'] },
  ]
  const find = (id: string) => (id === known.id ? known : undefined)
  return resolveTarget(target, { steps, person, rota: find, group, atMs, machineZone: 'UTC' })
}

function group(id: string) {
  const people = ['per_gone', 'per_dan', 'per_bob']
  return id === 'grp_1' ? { id, accountId: 'acc_1', name: 'Team', people, createdAt: 0 } : undefined
}

const TARGETS: readonly [string, string[]][] = [
  ['per_ada', ['per_ada']],
  ['per_gone', []],
  ['rot_1', ['per_bob']],
  ['rot_1+1', ['per_cy']],
  ['grp_1', ['per_dan', 'per_bob']],
  ['grp_2', []],
  ['rot_2', []],
  ['rot_2+1', []],
  ['everyone', ['per_dan', 'per_bob', 'per_cy', 'per_ada']],
]

for (const [target, people] of TARGETS) {
  test(`${target} means ${people.join(', ') || 'nobody'}`, () => {
    assert.deepEqual(resolve(target), people)
  })
}

test('a rota whose person on call is gone means nobody, and so does who is next in a rota of one', () => {
  assert.deepEqual(resolve('rot_1', { ...rota, people: ['per_bob', 'per_gone'] }), [])
  assert.deepEqual(resolve('rot_1+1', { ...rota, people: ['per_bob'] }), [])
})

test('whoever stands in is on call, and is not next', () => {
  const overrides = [{ id: 'ovr_1', personId: 'per_cy', from: atMs, until: atMs + 1 }]
  assert.deepEqual(resolve('rot_1', { ...rota, overrides }), ['per_cy'])
  assert.deepEqual(resolve('rot_1+1', { ...rota, people: ['per_ada', 'per_bob', 'per_cy'], overrides }), [
    'per_ada',
  ])
})
