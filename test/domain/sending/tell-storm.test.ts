import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { segmentsOf } from '#domain/message/segments.ts'
import { MINUTE, startStorm as start } from '#test/kit/storm-world.ts'
import { NO_FACTS, NOT_READ, refusal } from '#test/kit/webhook-world.ts'

suite('alerts are gathered', () => {
  test('from the fifth within 60 seconds on', () => {
    const { world, down, fill, news, usage } = start()
    fill()
    world.advance(MINUTE)
    const fifth = down('E')
    assert.deepEqual(fifth, {
      triggered: true,
      reason: null,
      duplicate: false,
      gathered: true,
      message: '5 E',
      messages: [],
      incidentId: null,
    })
    assert.deepEqual(news(), ['1 A', '2 B', '3 C', '4 D'])
    assert.deepEqual([usage().thisHour, usage().total, usage().rejected], [4, 4, 0])
    const outcomes = world.database.prepare('SELECT outcome, message FROM webhook_seen ORDER BY seq DESC')
    assert.deepEqual({ ...outcomes.get() }, { outcome: 'GATHERED', message: '5 E' })
  })

  test('not if the fifth comes later', () => {
    const { world, down, fill } = start()
    fill()
    world.advance(MINUTE + 1)
    assert.equal(down('E').gathered, false)
  })

  test('not without gather, nor if they are repeats, nor if they are a test of the owner', () => {
    const other = start({ gather: false })
    other.fill()
    assert.equal(other.down('E').gathered, false)
    const { world, ids, trigger, down } = start()
    for (let i = 0; i < 9; i++) trigger('same')
    for (const subject of ['A', 'B', 'C']) assert.equal(down(subject).gathered, false)
    assert.equal(down('D').gathered, true)
    const text = { text: 'TEST', segments: 1, encoding: 'GSM-7', format: 'generic' } as const
    const source = { address: '192.0.2.1', requestHash: new Uint8Array(32), ...NOT_READ, facts: NO_FACTS }
    assert.equal(world.ask('webhook.test', { ...ids, ...text, ...source }).gathered, false)
  })

  test('and a repeat of one within a minute is answered as such, and not counted', () => {
    const { world, trigger, fill, news } = start()
    fill()
    trigger('no name')
    assert.deepEqual(
      [trigger('no name'), trigger('no name')].map(({ duplicate, gathered, messages }) => [
        duplicate,
        gathered,
        messages,
      ]),
      [
        [true, true, []],
        [true, true, []],
      ],
    )
    trigger('another')
    world.advance(MINUTE)
    assert.equal(news().at(-1), 'Still down: A, B, C, D. 2 more alerts. Last: another')
  })

  test('instead of being refused, whatever the cap or the quota of the day', () => {
    const { world, down, news } = start({ maxPerHour: 1 })
    assert.equal(down('A').gathered, false)
    for (let i = 0; i < 50; i++) assert.equal(down(`T${i}`).gathered, true)
    assert.equal(news().length, 1)
    world.advance(59 * MINUTE)
    assert.deepEqual(news(), [])
    world.advance(MINUTE)
    assert.match(news().join(), /^50 down: T0, T1, .*T49\. 1 still down$/)
    const recipients = Array.from({ length: 9 }, (_, i) => ({
      phoneNumber: `+1415555012${i}`,
      country: 'US',
    }))
    const poor = start({ recipients }, 'free')
    assert.equal(poor.down('A').gathered, false)
    assert.equal(poor.down('B').gathered, true)
    poor.world.advance(11 * 60 * MINUTE)
    assert.equal(poor.news().length, 9)
    poor.world.advance(61 * MINUTE)
    assert.equal(poor.news().length, 9)
  })

  test('but refused when the account has no phone', () => {
    const { world, ids, deviceId, down, fill } = start()
    fill()
    world.ask('device.remove', { accountId: ids.accountId, deviceId })
    assert.equal(refusal(() => down('E')).code, 'NO_DEVICE_AVAILABLE')
  })
})

suite('the texts of a storm', () => {
  test('come after 1, 2, 4, 8, 15 and 15 minutes, and each counts as one trigger', () => {
    const { world, down, fill, news, keepAlive, usage } = start()
    fill()
    news()
    const minutes = []
    let alerts = 0
    down(`T${++alerts}`)
    for (let minute = 1; minute <= 50; minute++) {
      world.advance(MINUTE)
      const texts = news()
      assert.ok(texts.length <= 1, texts.join())
      if (texts.length === 1) minutes.push(minute)
      down(`T${++alerts}`)
    }
    keepAlive(0)
    assert.deepEqual(minutes, [1, 3, 7, 15, 30, 45])
    assert.equal(usage().thisHour, 10)
  })

  test('say what changed, and what is still down', () => {
    const { world, down, up, fill, news, keepAlive } = start()
    fill()
    news()
    for (const subject of ['NAS', 'Router', 'Nextcloud']) down(subject)
    world.advance(MINUTE)
    assert.deepEqual(news(), ['3 down: NAS, Router, Nextcloud. 4 still down'])
    for (const subject of ['A', 'B', 'C', 'D', 'Nextcloud']) up(subject)
    world.advance(2 * MINUTE)
    assert.deepEqual(news(), ['Still down: NAS, Router. 5 up again'])
    down('NAS')
    world.advance(4 * MINUTE)
    assert.deepEqual(news(), [])
    up('NAS')
    up('Router')
    keepAlive(0)
    world.advance(8 * MINUTE)
    assert.deepEqual(news(), ['2 up again: NAS, Router'])
  })

  test('count what went down and came back in between as up again', () => {
    const { world, down, up, fill, news } = start()
    fill()
    news()
    for (const subject of ['NAS', 'Router']) {
      down(subject)
      up(subject)
    }
    up('A')
    down('A')
    world.advance(MINUTE)
    assert.deepEqual(news(), ['Still down: A, B, C, D. 2 up again'])
  })

  test('name the worst first', () => {
    const { world, down, fill, news } = start()
    fill()
    news()
    down('Info', { severity: 'info' })
    down('Warned', { severity: 'warning' })
    down('Unknown')
    down('Crash', { severity: 'critical' })
    world.advance(MINUTE)
    assert.deepEqual(news(), ['4 down: Crash, Unknown, Warned, Info. 4 still down'])
  })

  test('have at most three segments, and say how many things they leave out', () => {
    for (const letter of ['x', 'я']) {
      const { world, down, fill, news } = start()
      fill()
      news()
      for (let i = 0; i < 350; i++) down(`${letter.repeat(30)}${i}`)
      world.advance(MINUTE)
      const [text = ''] = news()
      assert.match(text, /^296 down: .+ \+\d+\. 4 still down\. 54 more alerts\. Last: /)
      assert.equal(segmentsOf(text).segments, 3)
    }
  })

  test('count alerts without a subject, and show the last; one alone keeps its words', () => {
    const { world, trigger, news } = start()
    for (let i = 0; i < 5; i++) trigger(`event=door_open n=${i}`)
    news()
    world.advance(MINUTE)
    assert.deepEqual(news(), ['event=door_open n=4'])
    for (let i = 5; i < 12; i++) trigger(`event=door_open n=${i}`)
    world.advance(2 * MINUTE)
    assert.deepEqual(news(), ['7 alerts. Last: event=door_open n=11'])
  })

  test('name what is neither down nor up, and do not take an acknowledgement for a recovery', () => {
    const { world, about, down, fill, news } = start()
    fill()
    news()
    down('NAS')
    about('NAS', { state: 'acknowledged' })
    about('Backup', { state: 'notice' })
    world.advance(MINUTE)
    assert.deepEqual(news(), ['1 down: NAS. 4 still down. 1 other: Backup. 1 more alert. Last: 6 NAS'])
  })

  test('end when 5 minutes have passed without an alert, with what is not told yet', () => {
    const { world, down, fill, news, keepAlive } = start()
    fill()
    news()
    down('E')
    world.advance(MINUTE)
    keepAlive(2)
    keepAlive(4)
    news()
    down('F')
    world.advance(5 * MINUTE - 1)
    assert.deepEqual(news(), [])
    world.advance(1)
    assert.deepEqual(news(), ['1 down: F. 5 still down'])
    assert.equal(down('G').gathered, false)
    world.advance(60 * MINUTE)
    assert.deepEqual(news(), ['9 G'])
  })

  test('wait for a phone or for room, and lose nothing', () => {
    const { world, ids, deviceId, pair, down, fill, news } = start()
    fill()
    down('E')
    news()
    world.ask('device.remove', { accountId: ids.accountId, deviceId })
    world.advance(30 * MINUTE)
    assert.deepEqual(news(), [])
    pair()
    world.advance(MINUTE)
    assert.deepEqual(news(), ['1 down: E. 4 still down'])
  })

  test('come at once when the owner switches gathering or the webhook off, or removes it', () => {
    for (const change of [{ gather: false }, { enabled: false }, null]) {
      const { world, ids, down, fill, news, rows } = start()
      fill()
      down('E')
      news()
      if (change === null) world.ask('webhook.remove', ids)
      else world.ask('webhook.update', { ...ids, change })
      assert.deepEqual(news(), ['1 down: E. 4 still down'])
      world.advance(60 * MINUTE)
      assert.deepEqual(news(), [])
      if (change === null) assert.equal(rows('webhook_storm'), 0)
    }
  })
})

suite('what was down before a storm', () => {
  test('is named by its texts, and is news when an alert about it comes again', () => {
    const { world, down, up, fill, news } = start()
    down('NAS')
    down('Router')
    world.advance(60 * MINUTE)
    fill()
    down('NAS', { isUrgent: true, severity: 'critical' })
    down('E')
    assert.deepEqual(news().length, 7)
    world.advance(MINUTE)
    assert.deepEqual(news(), ['1 down: E. 6 still down'])
    for (const name of ['A', 'B', 'C', 'D', 'E', 'NAS']) up(name)
    world.advance(2 * MINUTE)
    assert.deepEqual(news(), ['Still down: Router. 6 up again'])
  })

  test('makes room for what comes new', () => {
    const { world, down, news } = start({ maxPerHour: 1000 })
    for (let i = 0; i < 300; i++) {
      down(`Old ${i}`)
      world.advance(MINUTE)
    }
    world.advance(60 * MINUTE)
    news()
    for (let i = 0; i < 40; i++) down(`New ${i}`)
    world.advance(MINUTE)
    assert.match(news().at(-1) ?? '', /^36 down: New 4, New 5.*\. 264 still down$/)
  })
})
