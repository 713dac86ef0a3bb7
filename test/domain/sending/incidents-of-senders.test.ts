import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startIncidents } from '#test/kit/incident-world.ts'

const MINUTE = 60_000

describe('an acknowledgement by the sender', () => {
  const text = 'ACKNOWLEDGED nas: by admin'

  test('takes the incident for the owner, in the words of the sender', () => {
    const { alarm, news, world, incidents } = startIncidents()
    const { incidentId } = alarm()
    news()
    assert.equal(alarm('nas', { state: 'acknowledged' }, text).incidentId, incidentId)
    assert.deepEqual(news(), [`ada: Owner has it: ${text}`])
    const [one] = incidents()
    assert.deepEqual([one?.state, one?.takenBy], ['taken', 'owner'])
    world.advance(30 * MINUTE)
    assert.deepEqual(news(), [])
  })

  test('takes nothing from a person who has it, and opens nothing', () => {
    const { alarm, news, says, incidents } = startIncidents()
    alarm()
    says('ada', '2')
    news()
    alarm('nas', { state: 'acknowledged' }, text)
    alarm('router', { state: 'acknowledged' }, text)
    const [one, ...others] = incidents()
    assert.deepEqual([news(), one?.takenBy === 'owner', others.length], [[], false, 0])
  })
})

describe('a recovery that finds no incident', () => {
  test('is told once an hour to those who were told of another, and closes nothing', () => {
    const { alarm, over, news, world, incidents } = startIncidents()
    over('roof')
    assert.deepEqual(news(), [])
    alarm()
    news()
    assert.equal(over('pump').incidentId, null)
    over('boiler')
    assert.deepEqual(news(), ['ada: UP pump'])
    assert.equal(incidents()[0]?.state, 'open')
    over()
    news()
    world.advance(61 * MINUTE)
    over('boiler')
    assert.deepEqual(news(), ['ada: UP boiler'])
    world.advance(8 * 24 * 60 * MINUTE)
    over('pump')
    assert.deepEqual(news(), [])
  })

  test('is told to nobody if a person closed the incident, or the key is of another one', () => {
    const { alarm, over, news, says } = startIncidents()
    alarm('nas', { key: 'id:1' })
    news()
    alarm('nas', { key: 'id:2', state: 'recovered' }, 'UP nas')
    assert.deepEqual(news(), [])
    says('ada', '2 done')
    news()
    over()
    assert.deepEqual(news(), [])
  })
})
