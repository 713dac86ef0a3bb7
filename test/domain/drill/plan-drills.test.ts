import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isProven } from '#domain/drill/drill.ts'
import { DAY, HOUR, MINUTE, Network } from '#test/kit/drill-world.ts'
import { HEALTHY_MACHINE } from '#test/kit/watched-world.ts'

const said = (net: Network) => net.broken().map(({ severity, message }) => `${severity}: ${message}`)
/** A network of phones whose plan runs at 12:30; the clock says 12:00. */
function planned(count: number) {
  const net = new Network(count)
  for (const phone of net.phones) {
    net.world.ask('device.update', {
      accountId: net.accountId,
      deviceId: phone.id,
      change: { name: ['Attic', 'Barn', 'Cellar'][net.phones.indexOf(phone)] ?? 'X' },
    })
    net.plan(phone, { at: '12:30' })
  }
  return net
}
const outcomes = (net: Network, phone = net.a) =>
  net.drills(phone).map(({ by, outcome }) => `${by} ${outcome}`)

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

  test('end with their plan: its texts, the repeat that waits, and what is judged', () => {
    const roles: string[] = []
    for (const minutes of [45, 60, 75]) {
      const net = planned(3)
      net.a.sends = 'eaten'
      net.pass(minutes * MINUTE)
      const open = () =>
        net.world.database
          .prepare(
            'SELECT role FROM drill WHERE outcome IS NULL AND (device_id = ?1 OR first_id IS NOT NULL)',
          )
          .all(net.a.id)
          .map(({ role }) => String(role))
      roles.push(...open())
      net.plan(net.a, null)
      assert.deepEqual(open(), [])
      assert.match(net.drills().find(({ outcome }) => outcome === 'skipped')?.reason ?? '', /plan .* removed/)
      const begun = net.drills().length
      net.pass(DAY)
      assert.equal(net.drills().length, begun)
      assert.deepEqual(said(net), [])
      assert.deepEqual(outcomes(net, net.b), ['plan proven', 'plan proven'])
    }
    assert.deepEqual(roles, ['first', 'repeat', 'repeat', 'out'])
  })

  test('are not judged without their plan, although the repeat has failed', () => {
    const net = planned(3)
    net.a.sends = 'eaten'
    net.pass(75 * MINUTE)
    // Its text waits for this phone, and the verdict waits for its text.
    net.c.disconnect()
    while (net.drills().filter(({ outcome }) => outcome === 'sent_not_received').length < 2) net.pass(MINUTE)
    net.plan(net.a, null)
    net.pass(3 * HOUR)
    assert.deepEqual(said(net), [])
  })

  test('are judged by what came back since, whatever time the clock said then', () => {
    const net = planned(3)
    net.pass(20 * MINUTE)
    // The drill of tomorrow is proven, a day ahead.
    net.world.wallMs += 26 * HOUR
    net.pass(90 * MINUTE)
    assert.deepEqual(outcomes(net), ['plan proven'])
    net.world.wallMs -= 26 * HOUR
    net.b.receives = false
    net.pass(4 * HOUR)
    assert.deepEqual(said(net), ['warning: Barn does not receive: the drill of Attic failed twice'])
  })

  test('are not judged again once a drill by hand came back, although a text of theirs comes later', () => {
    const net = planned(3)
    net.a.sends = { code: 'NO_SIM' }
    net.delayMs = 10 * MINUTE
    const inbound = net.world.database.prepare("SELECT outcome, reason FROM drill WHERE role = 'in'")
    while (inbound.get() === undefined) net.pass(MINUTE)
    net.b.disconnect()
    net.pass(25 * MINUTE)
    assert.deepEqual(said(net), ['warning: Attic does not send: its drill failed twice'])
    Object.assign(net.a, { sends: 'sent' })
    net.delayMs = 4_000
    net.start()
    net.pass(MINUTE)
    assert.deepEqual(said(net), [])
    assert.deepEqual({ ...inbound.get() }, { outcome: 'skipped', reason: 'the phone was proven meanwhile' })
    net.b.connect()
    net.pass(HOUR)
    assert.deepEqual(said(net), [])
  })

  test('go on under another leader of a cluster, whose clocks are its own: never two for a date', () => {
    for (let minutes = 28; minutes <= 76; minutes += 3) {
      const net = planned(3)
      net.b.receives = false
      net.pass(minutes * MINUTE)
      net.takeLead(minutes % 2 === 0 ? -20_000 : 20_000)
      net.pass(2 * HOUR)
      const rows = net.world.database.prepare('SELECT role FROM drill WHERE device_id = ? ORDER BY id')
      const roles = rows.all(net.a.id).map(({ role }) => role)
      assert.deepEqual(roles, ['first', 'repeat', 'out'], `${minutes}`)
      assert.deepEqual(said(net), ['warning: Barn does not receive: the drill of Attic failed twice'])
    }
  })

  test('that failed twice are told by an alarm through a phone that is proven, and their end, too', () => {
    const net = new Network(3)
    const recipient = { phoneNumber: '+14155550123', country: 'US' }
    net.world.batch.reconfigure({ ...net.world.settings, alarmRecipients: [recipient] })
    const watch = (ms: number) => {
      for (let left = ms; left > 0; left -= MINUTE) {
        net.pass(MINUTE)
        net.world.ask('health.check', HEALTHY_MACHINE)
        net.work()
      }
    }
    net.plan(net.a, { at: '12:30' })
    net.a.sends = 'eaten'
    watch(2 * HOUR)
    const told = () => net.left.filter(({ to }) => to === recipient.phoneNumber)
    // The third phone proved itself when it told which half is broken; the second one never sent a text.
    assert.deepEqual(
      told().map(({ from }) => from.id),
      [net.c.id],
    )
    assert.match(told()[0]?.text ?? '', /^Roost: .* does not send: its drill failed twice/)
    net.a.sends = 'sent'
    net.start()
    watch(HOUR)
    assert.match(told()[1]?.text ?? '', /^Roost: Over: .* does not send/)
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
