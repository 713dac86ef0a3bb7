import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Problem } from '#domain/problem.ts'
import { DAY, HOUR, MINUTE, Network } from '#test/kit/drill-world.ts'

function refused(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof Problem) return `${error.code}: ${error.message}`
    throw error
  }
  return 'not refused'
}

suite('a drill by hand', () => {
  test('is proven by its text, which proves that one phone sends and the other receives', () => {
    const net = new Network(2)
    const begun = net.start()
    assert.equal(begun.outcome, null)
    assert.equal(begun.toDeviceId, net.b.id)
    net.pass(10_000)
    const ended = net.last()
    assert.deepEqual([ended?.outcome, ended?.tookMs, ended?.by], ['proven', 4000, 'hand'])
    const [a, b] = [net.device(net.a).proven, net.device(net.b).proven]
    assert.ok(a.sends !== null && a.receives === null && a.tookMs === 4000)
    assert.ok(b.receives !== null && b.sends === null)
  })

  test('says that its text did not leave, with the reason of the radio and not that it expired', () => {
    const net = new Network(2)
    net.a.sends = { code: 'NO_SIM' }
    net.start()
    net.pass(20 * MINUTE)
    assert.deepEqual([net.last()?.outcome, net.last()?.reason], ['not_sent', 'the phone has no SIM'])
  })

  test('says that its text left and did not come; one that comes later proves nothing', () => {
    const net = new Network(2)
    net.delayMs = 3 * HOUR
    net.start()
    net.pass(14 * MINUTE)
    assert.equal(net.last()?.outcome, null)
    net.pass(2 * MINUTE)
    assert.equal(net.last()?.outcome, 'sent_not_received')
    net.pass(3 * HOUR)
    assert.equal(net.last()?.outcome, 'late')
    assert.equal(net.device().proven.sends, null)
  })

  test('does not count the time without the receiving phone, nor that without the gateway', () => {
    const net = new Network(2)
    net.delayMs = HOUR
    net.start()
    net.b.disconnect()
    net.pass(50 * MINUTE)
    assert.equal(net.last()?.outcome, null)
    net.b.connect()
    net.pass(5 * MINUTE)
    net.restart(DAY / 2)
    net.pass(MINUTE)
    assert.equal(net.last()?.outcome, 'proven')
    assert.equal(net.last()?.tookMs, null)
  })

  test('is refused in words while it cannot run', () => {
    const net = new Network(2)
    net.start()
    assert.match(
      refused(() => net.start()),
      /^CONFLICT: a drill of this phone is under way/,
    )
    net.pass(10_000)
    net.update(net.a, { paused: true })
    assert.match(
      refused(() => net.start()),
      /^CONFLICT: this phone is paused/,
    )
    net.update(net.a, { paused: false, smsPerDayMax: 1 })
    assert.match(
      refused(() => net.start()),
      /^CONFLICT: this phone has reached its cap/,
    )
    net.update(net.a, { smsPerDayMax: null })
    net.a.disconnect()
    net.pass(MINUTE)
    assert.match(
      refused(() => net.start()),
      /^NO_DEVICE_AVAILABLE: this phone is not connected/,
    )
    net.a.connect()
    net.start()
    net.pass(10_000)
    net.start()
    net.pass(10_000)
    assert.match(
      refused(() => net.start()),
      /^RATE_LIMIT_EXCEEDED: a phone may have 3 drills by hand in an hour/,
    )
    net.pass(HOUR)
    net.start()
  })

  test('counts at the caps of the SIM, and nowhere else', () => {
    const net = new Network(2)
    net.start()
    net.pass(10_000)
    const device = net.device()
    assert.deepEqual([device.segmentsToday, device.smsToday], [1, 0])
    const usage = net.world.database.prepare('SELECT count(*) AS n FROM usage_quarter').get()
    assert.equal(usage?.['n'], 0)
    const events = net.world.database.prepare('SELECT count(*) AS n FROM notification_delivery').get()
    assert.equal(events?.['n'], 0)
    const received = net.world.database.prepare('SELECT count(*) AS n FROM received').get()
    assert.equal(received?.['n'], 0)
    const stored = net.world.database.prepare('SELECT text FROM message').get()
    assert.match(String(stored?.['text']), /^Roost drill \*{8}: /)
    assert.match(net.left[0]?.text ?? '', /^Roost drill [0-9A-HJKMNP-TV-Z]{8}: /)
  })

  test('is found by its code in any case and with words around it, whoever it says it is from', () => {
    const net = new Network(2)
    net.b.receives = false
    net.start()
    net.pass(10_000)
    net.a.hear(`Carrier: "${net.left[0]?.text.toLowerCase()}"`, 'INFO')
    assert.deepEqual(
      [net.last()?.outcome, net.last()?.reason],
      ['proven', 'another phone handed it in: '.concat(net.device(net.a).name)],
    )
    assert.ok(net.device(net.a).proven.receives !== null)
    assert.equal(net.device(net.b).proven.receives, null)
    net.a.hear(net.left[0]?.text ?? '')
    net.a.hear('Roost drill 00000000: what is this')
    const received = net.world.database.prepare('SELECT text FROM received').all()
    assert.deepEqual(
      received.map(row => row['text']),
      ['Roost drill 00000000: what is this'],
    )
  })

  test('goes to a number that its owner wrote down, which no planned one does before it came back', () => {
    const net = new Network(2, { knowsNumbers: false })
    assert.match(
      refused(() => net.start()),
      /^CONFLICT: the number of the phone .* is not known/,
    )
    net.update(net.b, { phoneNumber: net.b.number })
    assert.match(
      refused(() => net.update(net.a, { phoneNumber: net.b.number })),
      /^CONFLICT: another phone/,
    )
    net.plan(net.a, { at: '12:30' })
    net.pass(8 * HOUR)
    assert.equal(net.last()?.outcome, 'skipped')
    assert.match(net.last()?.reason ?? '', /not proven/)
    net.start()
    net.pass(DAY)
    assert.deepEqual(
      net.drills().map(({ by, outcome }) => `${by} ${outcome}`),
      ['plan proven', 'hand proven', 'plan skipped'],
    )
  })

  test('does not repeat a planned one to a number that was changed meanwhile', () => {
    const net = new Network(2, { knowsNumbers: false })
    net.update(net.b, { phoneNumber: net.b.number })
    net.start()
    net.pass(MINUTE)
    net.plan(net.a, { at: '12:30' })
    net.b.receives = false
    net.pass(50 * MINUTE)
    const left = net.left.length
    net.update(net.b, { phoneNumber: '+14155550177' })
    net.pass(8 * HOUR)
    assert.equal(net.left.length, left)
    assert.deepEqual(net.broken(), [])
  })

  test('takes its text back when the phone that should get it is removed', () => {
    const net = new Network(2)
    net.update(net.a, { segmentsPerMinute: 1 })
    for (let i = 10; i < 30; i++) net.open.send({ phoneNumber: `+141555505${i}`, deviceId: net.a.id })
    net.start()
    net.world.ask('device.remove', { accountId: net.accountId, deviceId: net.b.id })
    net.pass(HOUR)
    assert.equal(net.last()?.outcome, 'skipped')
    assert.equal(net.left.filter(({ to }) => to === net.b.number).length, 0)
  })

  test('ends as skipped after a restore, and goes with its phone', () => {
    const net = new Network(3)
    net.b.receives = false
    net.start()
    net.world.ask('gateway.quarantine', {})
    assert.equal(net.last()?.outcome, 'skipped')
    net.start(net.b)
    net.world.ask('device.remove', { accountId: net.accountId, deviceId: net.a.id })
    net.world.ask('device.remove', { accountId: net.accountId, deviceId: net.c.id })
    assert.equal(net.last(net.b)?.outcome, 'skipped')
    const left = net.world.database.prepare('SELECT DISTINCT device_id AS id FROM drill').all()
    assert.deepEqual(
      left.map(row => row['id']),
      [net.b.id],
    )
  })
})
