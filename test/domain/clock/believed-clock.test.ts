import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DAY_MS } from '#domain/time.ts'
import { CodeWorld, NUMBER } from '#test/kit/code-world.ts'
import { startIncidents } from '#test/kit/incident-world.ts'
import { acceptedIn, messageToAccept } from '#test/kit/messages.ts'
import { startStorm } from '#test/kit/storm-world.ts'
import { endOf, openWorld } from '#test/kit/test-phone.ts'
import { startWebhook } from '#test/kit/webhook-world.ts'
import type { TestWorld } from '#test/kit/world.ts'

const SECOND = 1000
const MINUTE = 60_000
const HOUR = 3_600_000
const MONTHS = 480 * DAY_MS

const wrongClocks = (world: TestWorld) =>
  world
    .ask('health.list', { accountId: null })
    .filter(({ code }) => code === 'CLOCK_WRONG')
    .map(({ message }) => message)

/** A restart. `offMs` pass, and then the clock is wrong by `wrongMs`. */
function restart(world: TestWorld, { offMs = 0, wrongMs = 0 }: { offMs?: number; wrongMs?: number }): void {
  world.wallMs += offMs + wrongMs
  world.restart()
}

suite('a clock that is sixteen months behind at the start', () => {
  /** A text of a sender and a text to one, while the clock is wrong for twelve seconds. */
  function startBehind(offMs: number) {
    const world = new CodeWorld()
    world.connectPhone()
    world.advance(HOUR)
    restart(world, { offMs, wrongMs: -MONTHS })
    world.advance(0)
    world.connectPhone()
    const wrong = wrongClocks(world)
    const rightMs = () => world.wallMs + MONTHS
    const received = { type: 'received', id: 'r1', from: '+19995550100', at: null, simSlot: null } as const
    world.sendFrame({ ...received, message: 'for my eyes only' })
    const receivedAt = rightMs()
    world.advance(SECOND)
    const sms = messageToAccept(world.accountId, { phoneNumber: NUMBER, text: 'a secret text' })
    const { messageId } = acceptedIn(world.ask('message.accept', sms))
    const acceptedAt = rightMs()
    world.advance(SECOND)
    world.sendFrame({ type: 'begin', messageId, attempt: 1 })
    world.report(messageId, 'sent')
    const sentAt = rightMs()
    world.advance(10 * SECOND)
    world.wallMs += MONTHS
    world.advance(0)
    return { world, wrong, messageId, receivedAt, acceptedAt, sentAt }
  }

  test('is wrong at once, and nothing that was written meanwhile is erased when it is right', () => {
    const { world, wrong } = startBehind(2 * MINUTE)
    assert.deepEqual(wrong, ['The clock is 480 days behind the last time that was known'])
    world.advance(3 * HOUR)
    for (const text of ['for my eyes only', 'a secret text', '+19995550100', NUMBER])
      assert.ok(world.dump().includes(text), text)
  })

  for (const offMs of [2 * SECOND, 2 * MINUTE, 6 * DAY_MS])
    test(`gives what was written meanwhile its right time (off for ${offMs} ms)`, () => {
      const { world, messageId, receivedAt, acceptedAt, sentAt } = startBehind(offMs)
      assert.equal(world.column('SELECT received_at FROM received'), receivedAt)
      const find = (column: string) => world.column(`SELECT ${column} FROM message WHERE id = '${messageId}'`)
      assert.deepEqual(
        [find('created_at'), find('sent_at'), find('serial / 1000')],
        [acceptedAt, sentAt, acceptedAt],
      )
      const timeline = JSON.parse(String(find('timeline'))) as [string, number][]
      assert.deepEqual([timeline[0]?.[1], timeline.at(-1)?.[1]], [acceptedAt, sentAt])
      assert.equal(find('expires_at - created_at'), 4 * HOUR)
      world.ask('message.accept', messageToAccept(world.accountId, { phoneNumber: NUMBER }))
      assert.equal(world.column('SELECT count(DISTINCT serial) FROM message'), 2)
    })

  test('is right once the owner or the machine says so, also if it stays where it is', () => {
    const world = new CodeWorld()
    world.advance(HOUR)
    restart(world, { wrongMs: -3 * HOUR })
    world.advance(0)
    assert.equal(wrongClocks(world).length, 1)
    world.ask('clock.confirm', {})
    assert.deepEqual(wrongClocks(world), [])
    world.connectPhone()
    assert.equal(world.column('SELECT last_seen_at FROM device'), world.wallMs)
  })
})

suite('after a start with a clock that is behind, put right after twelve seconds,', () => {
  for (const behindMs of [150 * SECOND, 5 * HOUR, 7 * DAY_MS])
    for (const offMs of [10 * SECOND, 40 * SECOND]) {
      const name = `(behind by ${behindMs} ms, off for ${offMs} ms)`
      const pass = (world: TestWorld) => {
        restart(world, { offMs, wrongMs: -behindMs })
        world.advance(12 * SECOND)
        world.wallMs += behindMs
        world.advance(0)
      }

      test(`a gathered text comes in time ${name}`, () => {
        const { world, fill, down, news } = startStorm()
        fill()
        down('E')
        news()
        pass(world)
        world.advance(60 * SECOND - offMs - 12 * SECOND - 1)
        assert.deepEqual(news(), [])
        world.advance(1)
        assert.deepEqual(news(), ['1 down: E. 4 still down'])
      })

      test(`the next step of an incident comes in time ${name}`, () => {
        const { world, alarm, news, connect } = startIncidents()
        alarm()
        news()
        pass(world)
        connect()
        world.advance(5 * MINUTE - offMs - 12 * SECOND - 1)
        assert.deepEqual(news(), [])
        world.advance(1)
        assert.equal(news().length, 1)
      })

      test(`SILENT leaves out the time off, and no more ${name}`, () => {
        const { world, texts } = startWebhook({ silentAfterMinutes: 10 })
        world.advance(MINUTE)
        pass(world)
        world.advance(9 * MINUTE + 30 * SECOND - 12 * SECOND - 1)
        assert.deepEqual(texts(), [])
        world.advance(1)
        assert.equal(texts().length, 1)
      })
    }

  test('the next step is not late, also soon after another start with a clock that was behind', () => {
    const { world, alarm, news, connect } = startIncidents()
    const passBehind = (offMs: number, behindMs: number) => {
      restart(world, { offMs, wrongMs: -behindMs })
      world.advance(12 * SECOND)
      world.wallMs += behindMs
      connect()
    }
    passBehind(20 * MINUTE, 2 * MINUTE)
    alarm()
    world.advance(4 * MINUTE)
    passBehind(10 * SECOND, 20 * MINUTE)
    assert.equal(news().length, 2)
  })

  test('what began after the start keeps its distance', () => {
    const { world, fill, down, news } = startStorm()
    world.advance(HOUR)
    restart(world, { offMs: 2 * HOUR, wrongMs: -DAY_MS })
    world.advance(0)
    fill()
    down('E')
    news()
    world.advance(12 * SECOND)
    world.wallMs += DAY_MS
    world.advance(48 * SECOND - 1)
    assert.deepEqual(news(), [])
    world.advance(1)
    assert.deepEqual(news(), ['1 down: E. 4 still down'])
  })
})

suite('a clock that is ahead for twelve seconds', () => {
  for (const aheadMs of [20 * MINUTE, 2 * HOUR, DAY_MS, 7 * DAY_MS])
    for (const isRestarted of [false, true])
      test(`ends no text (${aheadMs} ms${isRestarted ? ', at a restart' : ''})`, () => {
        const { world, phones, send, stored } = openWorld()
        const [phone] = phones
        assert.ok(phone)
        world.advance(MINUTE)
        const planned = send({ sendAt: world.wallMs + HOUR / 4, ttlMs: MINUTE })
        const later = send({ sendAt: world.wallMs + 3 * HOUR, ttlMs: DAY_MS / 2 })
        const waiting = send({ ttlMs: 3 * HOUR })
        world.wallMs += aheadMs
        if (isRestarted) world.restart()
        world.advance(12 * SECOND)
        world.wallMs -= aheadMs
        world.advance(0)
        assert.deepEqual(
          [planned, later, waiting].map(id => endOf(stored(id))),
          ['queued', 'queued', 'queued'],
        )
        world.advance(HOUR / 4 - 12 * SECOND)
        phone.connect()
        assert.ok(phone.offered().length + 1 >= 1)
        assert.equal(endOf(stored(planned)), 'queued')
        world.advance(MINUTE)
        assert.equal(endOf(stored(planned)), 'EXPIRED')
        assert.deepEqual(
          [later, waiting].map(id => endOf(stored(id))),
          ['queued', 'queued'],
        )
      })

  test('is a problem for an hour', () => {
    const { world } = openWorld()
    world.advance(MINUTE)
    world.wallMs += 2 * HOUR
    world.advance(12 * SECOND)
    assert.deepEqual(wrongClocks(world), ['The clock jumped 2 hours ahead'])
    world.wallMs -= 2 * HOUR
    world.advance(0)
    world.advance(59 * MINUTE)
    assert.deepEqual(wrongClocks(world), ['The clock jumped 2 hours back'])
    world.advance(MINUTE)
    assert.deepEqual(wrongClocks(world), [])
  })

  test('removes nothing, and the next start finds the right time', () => {
    const world = new CodeWorld()
    world.ask(
      'message.accept',
      messageToAccept(world.accountId, { phoneNumber: NUMBER, text: 'a secret text', test: true }),
    )
    world.advance(HOUR)
    world.wallMs += 86 * DAY_MS
    world.ask('clock.confirm', {})
    world.advance(HOUR)
    world.wallMs += 6 * DAY_MS
    world.restart()
    world.advance(12 * SECOND)
    assert.ok(world.dump().includes('a secret text'))
    world.wallMs -= 6 * DAY_MS
    world.restart()
    world.advance(3 * HOUR)
    assert.ok(world.dump().includes('a secret text'))
    assert.deepEqual(wrongClocks(world), [])
  })

  test('a planned text expires ten minutes after the jump if the clock stays there', () => {
    const { world, send, stored } = openWorld()
    world.advance(MINUTE)
    const planned = send({ sendAt: world.wallMs + HOUR, ttlMs: MINUTE })
    world.wallMs += 2 * HOUR
    world.advance(0)
    world.advance(10 * MINUTE - 1)
    assert.equal(endOf(stored(planned)), 'queued')
    world.advance(1)
    assert.equal(endOf(stored(planned)), 'EXPIRED')
  })

  test('what waits in a storm and an incident keeps its distance, also over a restart in between', () => {
    for (const isBackAtStart of [false, true]) {
      const { world, alarm, news, connect } = startIncidents()
      alarm()
      news()
      world.wallMs += DAY_MS
      world.advance(SECOND)
      if (isBackAtStart) world.wallMs -= DAY_MS
      world.restart()
      world.advance(11 * SECOND)
      if (!isBackAtStart) world.wallMs -= DAY_MS
      world.advance(0)
      connect()
      world.advance(5 * MINUTE - 12 * SECOND - 1)
      assert.deepEqual(news(), [])
      world.advance(1)
      assert.equal(news().length, 1)
    }
  })
})

test('a clock that was set back while the gateway ran is believed after an hour', () => {
  const { world, send, phones } = openWorld()
  const [phone] = phones
  assert.ok(phone)
  world.advance(2 * HOUR)
  world.wallMs -= HOUR
  world.advance(0)
  assert.deepEqual(wrongClocks(world), ['The clock is 60 minutes behind the last time that was known'])
  world.advance(HOUR)
  world.advance(MINUTE)
  send({})
  assert.equal(
    world.database.prepare('SELECT max(created_at) AS at FROM message').get()?.['at'],
    world.wallMs,
  )
})

test('a week off, and a clock that is right, end nothing', () => {
  const { world, send, stored } = openWorld()
  const planned = send({ sendAt: world.wallMs + 9 * DAY_MS, ttlMs: HOUR })
  world.advance(HOUR)
  restart(world, { offMs: 8 * DAY_MS })
  assert.equal(wrongClocks(world).length, 1)
  world.advance(20 * HOUR)
  assert.deepEqual(world.faults, [])
  assert.equal(endOf(stored(planned)), 'queued')
  world.ask('clock.confirm', {})
  assert.deepEqual(wrongClocks(world), [])
})
