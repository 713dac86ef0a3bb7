import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isProven } from '#domain/drill/drill.ts'
import { DAY, HOUR, MINUTE, Network, outcomes, planned, said } from '#test/kit/drill-world.ts'

suite('planned drills', () => {
  test('run once for each day, in a ring, at most ten minutes after their hour', () => {
    const net = planned(3)
    net.pass(3 * DAY)
    for (const [place, phone] of net.phones.entries()) {
      assert.deepEqual(outcomes(net, phone), ['plan proven', 'plan proven', 'plan proven'])
      const [last] = net.drills(phone)
      assert.equal(last?.toDeviceId, net.phones[(place + 1) % 3]?.id)
      const late = (Date.parse(last?.at ?? '') % DAY) - 12.5 * HOUR
      assert.ok(late >= 0 && late <= 12 * MINUTE, `${late}`)
    }
    assert.deepEqual(said(net), [])
  })

  test('name the phone that does not receive, which a third phone tells', () => {
    const net = planned(3)
    net.pass(DAY)
    net.b.receives = false
    net.pass(DAY)
    assert.deepEqual(said(net), ['warning: Barn does not receive: the drill of Attic failed twice'])
    net.b.receives = true
    net.start()
    net.pass(MINUTE)
    assert.deepEqual(said(net), [])
  })

  test('name the phone that does not send, and others are chosen for texts', () => {
    const net = planned(3)
    net.pass(DAY)
    net.a.sends = 'eaten'
    net.pass(DAY)
    assert.deepEqual(said(net), ['warning: Attic does not send: its drill failed twice'])
    for (let i = 0; i < 10; i++) {
      net.open.send({ phoneNumber: `+1415555050${i}` })
      net.work()
      net.pass(10 * MINUTE)
    }
    assert.equal(net.left.filter(({ text }) => text === 'hello').length, 10)
    net.a.sends = { code: 'NO_SIM' }
    net.pass(DAY)
    assert.equal(net.drills().find(({ outcome }) => outcome === 'not_sent')?.reason, 'the phone has no SIM')
  })

  test('leave no text to a phone that does not send while another can send it', () => {
    const net = planned(3)
    net.a.sends = 'eaten'
    net.pass(DAY)
    assert.match(said(net)[0] ?? '', /Attic does not send/)
    for (const phone of net.phones) phone.disconnect()
    net.pass(10 * MINUTE)
    const queued = () =>
      net.world.database.prepare("SELECT count(*) AS n FROM message WHERE status = 'queued'").get()?.['n']
    for (let i = 10; i < 40; i++) net.open.send({ phoneNumber: `+141555505${i}` })
    net.update(net.b, { segmentsPerMinute: 1 })
    net.b.connect()
    net.a.connect()
    net.pass(5 * MINUTE)
    const sent = net.left.filter(({ text }) => text === 'hello').length
    assert.ok(sent > 0 && sent < 30)
    assert.equal(queued(), 30 - sent)
    net.b.disconnect()
    net.pass(10 * MINUTE)
    assert.equal(queued(), 0)
  })

  test('say that one of two does not, where nothing tells which; critical where no other is proven', () => {
    const net = planned(2)
    net.b.receives = false
    net.b.sends = 'eaten'
    net.pass(DAY)
    assert.deepEqual(said(net).toSorted(), [
      'critical: Attic sends or Barn receives: one of them does not; the drill failed twice',
      'critical: Barn sends or Attic receives: one of them does not; the drill failed twice',
    ])
  })

  test('are skipped where their text waits behind many, which breaks no chain', () => {
    const net = planned(2)
    net.pass(25 * MINUTE)
    net.update(net.a, { segmentsPerMinute: 1 })
    for (let i = 10; i < 99; i++)
      net.open.send({ phoneNumber: `+141555505${i}`, deviceId: net.a.id, ttlMs: 6 * HOUR })
    net.pass(HOUR)
    assert.deepEqual([net.last()?.outcome, net.last()?.reason], ['skipped', 'too many texts wait'])
    assert.deepEqual(said(net), [])
  })

  test('that failed are forgotten with the phone that did not receive, and with the plan', () => {
    const net = planned(3)
    net.pass(DAY)
    net.b.receives = false
    net.pass(DAY)
    assert.equal(said(net).length, 1)
    net.world.ask('device.remove', { accountId: net.accountId, deviceId: net.b.id })
    assert.deepEqual(said(net), [])
    const other = planned(3)
    other.b.receives = false
    other.pass(DAY)
    assert.equal(said(other).length, 1)
    other.plan(other.a, null)
    assert.deepEqual(said(other), [])
  })

  test('to the own number are a warning, for many networks drop them', () => {
    const net = planned(1)
    net.a.receives = false
    net.pass(DAY)
    assert.match(said(net)[0] ?? '', /^warning: Texts of Attic to its own number left and did not come/)
  })

  test('raise nothing where the repeat comes back', () => {
    const net = planned(2)
    net.b.receives = false
    net.pass(50 * MINUTE)
    net.b.receives = true
    net.pass(HOUR)
    assert.deepEqual(said(net), [])
    assert.ok(outcomes(net).includes('plan proven'))
  })

  test('are skipped while the phone is away for six hours, and say so', () => {
    const net = planned(2)
    net.a.disconnect()
    net.pass(DAY / 2)
    assert.deepEqual(
      net.drills().map(({ outcome, reason }) => [outcome, reason]),
      [['skipped', 'this phone is not connected']],
    )
    net.a.connect()
    net.pass(DAY)
    assert.deepEqual(outcomes(net), ['plan proven', 'plan skipped'])
  })

  test('are made up within six hours after the gateway was off, monthly ones whenever it is back', () => {
    const net = planned(2)
    net.restart(5 * HOUR)
    net.pass(HOUR)
    assert.deepEqual(outcomes(net), ['plan proven'])
    net.restart(DAY + 4 * HOUR)
    net.pass(HOUR)
    assert.deepEqual(outcomes(net), ['plan skipped', 'plan proven'])
    const monthly = new Network(2)
    monthly.plan(monthly.a, { every: 'month', at: '12:30' })
    monthly.restart(20 * DAY)
    monthly.world.ask('clock.confirm', {})
    monthly.pass(HOUR)
    assert.deepEqual(outcomes(monthly), ['plan proven'])
    monthly.pass(9 * DAY, HOUR)
    assert.equal(outcomes(monthly).length, 1)
    monthly.pass(4 * DAY, HOUR)
    assert.equal(outcomes(monthly).length, 2)
  })

  test('have one for a date, whatever the plan is changed to', () => {
    const net = planned(2)
    net.pass(HOUR)
    net.plan(net.a, { at: '14:00' })
    net.pass(3 * HOUR)
    net.plan(net.a, null)
    net.plan(net.a, { at: '16:30', every: 'week' })
    net.pass(HOUR)
    assert.deepEqual(outcomes(net), ['plan proven'])
    const device = () => net.world.batch.fleet.phones.get(net.a.id)?.device as never
    assert.equal(isProven(device(), net.world.wallMs + 13 * DAY), true)
    assert.equal(isProven(device(), net.world.wallMs + 14 * DAY), false)
  })

  test('wait while the clock is wrong', () => {
    const net = planned(2)
    net.pass(20 * MINUTE)
    net.world.wallMs += 3 * HOUR
    net.pass(30 * MINUTE)
    assert.deepEqual(outcomes(net), [])
    net.world.wallMs -= 3 * HOUR
    net.pass(2 * HOUR)
    assert.deepEqual(outcomes(net), ['plan proven'])
    net.pass(DAY)
    assert.equal(outcomes(net).length, 2)
  })
})
