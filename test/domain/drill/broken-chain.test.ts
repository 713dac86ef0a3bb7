import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DAY, HOUR, MINUTE, Network, outcomes, planned, said } from '#test/kit/drill-world.ts'
import { HEALTHY_MACHINE } from '#test/kit/watched-world.ts'

suite('drills that failed', () => {
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
    for (const phone of [net.b, net.c]) net.plan(phone, null)
    net.a.sends = { code: 'NO_SIM' }
    net.delayMs = 10 * MINUTE
    const inbound = net.world.database.prepare("SELECT outcome, reason FROM drill WHERE role = 'in'")
    for (let left = 90; left > 0 && inbound.get() === undefined; left--) net.pass(MINUTE)
    net.b.disconnect()
    net.pass(25 * MINUTE)
    assert.deepEqual(said(net), ['critical: Attic does not send: its drill failed twice'])
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
    for (let minutes = 28; minutes <= 76; minutes += 5) {
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

  test('are judged at once when the third phone is removed, for which the verdict waited', () => {
    const net = planned(3)
    net.a.sends = 'eaten'
    net.pass(75 * MINUTE)
    net.c.disconnect()
    const failed = () => net.drills().filter(({ outcome }) => outcome === 'sent_not_received').length
    for (let left = 90; left > 0 && failed() < 2; left--) net.pass(MINUTE)
    assert.deepEqual(said(net), [])
    net.remove(net.c)
    const verdict = 'warning: Attic sends or Barn receives: one of them does not; the drill failed twice'
    assert.deepEqual(said(net), [verdict])
    net.pass(HOUR)
    assert.deepEqual(said(net), [verdict])
  })

  test('say nothing of a phone that was removed, although a text of theirs comes later', () => {
    const net = planned(3)
    net.b.receives = false
    net.pass(HOUR)
    net.delayMs = 10 * MINUTE
    const out = net.world.database.prepare("SELECT outcome FROM drill WHERE role = 'out'")
    for (let left = 120; left > 0 && out.get() === undefined; left--) net.pass(MINUTE)
    net.c.disconnect()
    for (let left = 180; left > 0 && said(net).length === 0; left--) net.pass(MINUTE)
    assert.deepEqual(said(net).length, 1)
    net.remove(net.b)
    assert.deepEqual(said(net), [])
    net.c.connect()
    net.pass(20 * MINUTE)
    assert.equal(out.get()?.['outcome'], 'proven')
    assert.deepEqual(said(net), [])
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
})
