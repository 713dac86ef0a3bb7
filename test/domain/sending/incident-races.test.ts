/** Incidents at moments in which two things happen at once. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { COMMANDS } from '#domain/command-table.ts'
import type { Incident } from '#domain/incident/incident.ts'
import { endRings } from '#domain/ring-people.ts'
import { changeIncident } from '#domain/sending/change-incident.ts'
import type { World } from '#domain/world.ts'
import { startIncidents } from '#test/kit/incident-world.ts'

const MINUTE = 60_000

test('the number of a closed incident rests for an hour, also when the clock is set forward', () => {
  const { alarm, says, world, incidents } = startIncidents()
  alarm()
  says('ada', '2 done')
  world.wallMs += 2 * 60 * MINUTE
  world.advance(1000)
  alarm('pump')
  assert.deepEqual(
    incidents().map(({ number }) => number),
    [2, 3],
  )
  world.advance(60 * MINUTE)
  alarm('boiler')
  assert.equal(incidents().at(-1)?.number, 2)
})

test('a ring that waits for its turn does not begin once somebody has the incident', () => {
  const { alarm, frames, world, incidents, accountId } = startIncidents({ ring: true })
  alarm()
  alarm('pump')
  const rings = () => frames().filter(({ type }) => type === 'ring')
  assert.equal(rings().length, 1)
  const list = mock.method(COMMANDS, 'device.list', (inner: World) => {
    const take = { type: 'owner', verb: 'take', personId: null, minutes: null } as const
    changeIncident(inner, incidents()[1] as Incident, take)
    const [first] = inner.fleet.rings
    inner.fleet.rings = inner.fleet.rings.map(ring => (ring === first ? { ...ring, outcome: 'rang' } : ring))
    endRings(inner, first?.ringId ?? '')
    return []
  })
  world.ask('device.list', { accountId })
  list.mock.restore()
  assert.deepEqual(rings(), [])
})

test('whoever has it hears once of another thing that joins, and never of the same one again', () => {
  const { alarm, news, says, world } = startIncidents({ fields: { gather: true } })
  alarm('nas')
  says('ada', '2')
  news()
  alarm('web1')
  assert.deepEqual(news(), ['ada: Also: DOWN web1'])
  world.advance(30_000)
  alarm('web1', {}, 'DOWN web1 since a minute')
  assert.deepEqual(news(), [])
  for (const thing of ['a', 'b', 'c', 'd']) alarm(thing)
  assert.deepEqual(news(), [])
  world.advance(2 * MINUTE)
  assert.deepEqual(news(), ['ada: Also: DOWN a', 'ada: Also: 3 down: b, c, d. 3 still down'])
})
