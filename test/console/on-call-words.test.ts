import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canRing, fateWords, type Names, personAt, planWords } from '#console/on-call-words.ts'
import type { PersonResource, RotaResource } from '#contracts/on-call.ts'

const at = (hour: number) => Date.parse('2026-11-26T00:00:00.000Z') + hour * 3_600_000
const instant = (hour: number) => new Date(at(hour)).toISOString()
const people = ['Ada', 'Bob', 'Cleo'].map(name => ({ id: `per_${name}`, name }) as PersonResource)
const namesOf = (rota: Partial<RotaResource>): Names => ({
  people,
  groups: [],
  rotas: [
    {
      id: 'rot_1',
      name: 'Nights',
      people: people.map(({ id }) => id),
      onCall: 'per_Cleo',
      until: instant(9),
      overrides: [],
      ...rota,
    } as unknown as RotaResource,
  ],
})

test('a step names who is on call and who is next, and nobody where that is not sure', () => {
  const names = namesOf({})
  assert.equal(personAt('rot_1', names, at(1)), 'Cleo')
  assert.equal(personAt('rot_1+1', names, at(1)), 'Ada')
  assert.equal(personAt('rot_1', names, at(9)), null, 'the next turn has begun then')
  assert.equal(personAt('rot_2', names, at(1)), null)
  assert.equal(personAt('per_Ada', names, at(1)), null)
  assert.equal(personAt('rot_1+1', namesOf({ people: ['per_Cleo'] }), at(1)), null)
  const overrides = [{ id: 'ovr_1', personId: 'per_Cleo', from: instant(0), until: instant(9) }]
  assert.equal(personAt('rot_1', namesOf({ overrides }), at(1)), 'Cleo')
  assert.equal(personAt('rot_1+1', namesOf({ overrides }), at(1)), null, 'it was not the turn of Cleo')
})

test('a policy is told in sentences while its form is filled in', () => {
  const names = namesOf({})
  const first = { afterMinutes: 0, tell: ['rot_1'], ring: false }
  const second = { afterMinutes: 5, tell: ['per_Ada', 'per_Bob'], ring: true }
  assert.equal(
    planWords({ steps: [first], rounds: 1 }, names),
    'Whoever is on call in Nights at once. If nobody takes it then, the alert counts as unanswered.',
  )
  assert.equal(
    planWords({ steps: [first, second], rounds: 3 }, names),
    'Whoever is on call in Nights at once; Ada, Bob after 5 min, and phones ring. ' +
      'If nobody takes it then, all of that comes again, 3 times in all.',
  )
  const atNight = { ...second, ringHours: { from: '22:00', to: '07:00' } }
  assert.match(
    planWords({ steps: [first, atNight], rounds: 1 }, names),
    /; Ada, Bob after 5 min, and phones ring from 22:00 to 07:00\./,
  )
  const empty = { afterMinutes: 10, tell: [], ring: false }
  assert.equal(planWords({ steps: [first, empty], rounds: 2 }, names), 'Choose who gets a text of an alert.')
})

test('the log of an alert says what has become of a text, and not that it was sent', () => {
  const begun = new Date(new Date().setHours(3, 55)).toISOString()
  const ended = new Date(new Date().setHours(3, 56)).toISOString()
  const queued = { status: 'queued', at: begun } as const
  const fate = (status: Parameters<typeof fateWords>[0]['status'], code?: string) => {
    const failure = code === undefined ? null : { code, message: '' }
    const timeline = status === 'queued' ? [queued] : [queued, { status, at: ended }]
    return Object.values(fateWords({ status, timeline, failure })).join(' ')
  }
  assert.equal(fate('queued'), 'wait still waits')
  assert.equal(fate('sending'), 'wait being sent')
  assert.equal(fate('sent'), 'good sent 03:56')
  assert.equal(fate('delivered'), 'good delivered 03:56')
  assert.equal(fate('failed', 'RADIO_OFF'), 'bad not sent: flight mode')
})

test('a step rings only while a phone that can call is online and not paused', () => {
  const phone = { calls: true, status: 'online', paused: false } as const
  assert.equal(canRing([{ ...phone, calls: false }, phone]), true)
  for (const off of [{ calls: false }, { status: 'offline' }, { paused: true }] as const)
    assert.equal(canRing([{ ...phone, ...off }]), false)
  assert.equal(canRing([]), false)
  assert.equal(canRing(undefined), true, 'not known yet')
})
