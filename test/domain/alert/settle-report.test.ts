/** What the owner has settled is told, and decides whether a problem is over. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ANY_SHAPE, type SettledRoles } from '#contracts/alert-reading.ts'
import { renderPreview } from '#domain/alert/render-alert.ts'

/** The text and the state of a body by what its owner has settled. */
function read(body: object, roles: SettledRoles): readonly [message: string, state: string | null] {
  const { message, state } = renderPreview(body, null, { [ANY_SHAPE]: roles })
  return [message, state]
}

const SENSOR = { sensor: 'Keller', leak: true, battery: 3.21459 }
const PUMP = { thing: 'pumpe', state: 'lage' }

suite('a settled state', () => {
  test('that is a flag or a number is told by the name of its field', () => {
    const thing = 'sensor'
    assert.match(read(SENSOR, { thing, state: 'leak' })[0], /^LEAK Keller/)
    assert.match(read(SENSOR, { thing, state: 'battery' })[0], /^BATTERY 3\.215 Keller/)
    assert.match(read({ ...SENSOR, leak: false }, { thing, state: 'leak' })[0], /^LEAK FALSE Keller/)
  })

  test('alone decides whether the problem is over', () => {
    const over = ['geschlossen', 0, false]
    assert.deepEqual(
      read({ pumpe: 'P3', lage: 'Geschlossen', level: 'critical' }, { ...PUMP, over })[1],
      'recovered',
    )
    assert.equal(read({ pumpe: 'P3', lage: 0, error: 'x' }, { ...PUMP, over })[1], 'recovered')
    assert.equal(read({ pumpe: 'P3', lage: false }, { ...PUMP, over })[1], 'recovered')
    assert.deepEqual(read({ pumpe: 'P3', lage: 'resolved' }, { ...PUMP, over }), [
      'ALERT P3: resolved',
      'firing',
    ])
    // Without such values, what else the body says counts as for any other alert.
    assert.equal(read({ pumpe: 'P3', lage: 'ok', level: 'error' }, PUMP)[1], 'firing')
    assert.equal(read({ pumpe: 'P3', lage: 'down', note: 'resolved' }, PUMP)[1], 'firing')
  })

  test('of a list is over when all its items are', () => {
    const roles = { state: 'parts.0.lage', over: ['zu'] }
    const body = (one: string, other: string) => ({ gate: 'G', parts: [{ lage: one }, { lage: other }] })
    assert.deepEqual(
      [read(body('zu', 'zu'), roles)[1], read(body('zu', 'auf'), roles)[1]],
      ['recovered', 'firing'],
    )
  })

  test('says OK at its end only, and tells a word that is not known as it stands', () => {
    assert.match(read({ pumpe: 'P3', lage: 'kaputt' }, PUMP)[0], /^KAPUTT P3/)
    assert.match(read({ pumpe: 'P3', lage: 'gut' }, { ...PUMP, over: ['GUT'] })[0], /^OK P3: gut/)
    assert.match(read({ pumpe: 'P3', lage: 'info' }, PUMP)[0], /^INFO P3/)
    const long = 'Der Druck im Kessel faellt seit einer Stunde'
    assert.match(read({ pumpe: 'P3', lage: long }, PUMP)[0], /P3.*Der Druck im Kessel/)
  })
})

test('a settled thing or reason that is a number keeps its name', () => {
  const [message] = read({ tank: 7, druck: 0.98765, extra: 'x' }, { thing: 'tank', reason: 'druck' })
  assert.match(message, /tank 7: druck 0\.988/)
})

test('what the text tells already stays as it was read', () => {
  const body = { monitor: { name: 'nas' }, status: 'down', message: 'no answer', region: 'Cellar' }
  const [plain] = read(body, {})
  assert.equal(read(body, { thing: 'monitor.name', state: 'status', reason: 'message' })[0], plain)
})
