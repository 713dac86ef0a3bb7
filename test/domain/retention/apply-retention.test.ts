import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { AcceptMessage } from '#contracts/commands.ts'
import { describeMessage } from '#domain/message/describe-message.ts'
import { openInboxReader } from '#storage/inbox-reader.ts'
import { openMessageReader } from '#storage/message-reader.ts'
import { openSeenTriggerReader } from '#storage/seen-trigger-reader.ts'
import { CodeWorld, NUMBER } from '#test/kit/code-world.ts'
import { acceptedIn, messageToAccept } from '#test/kit/messages.ts'
import { startWebhook } from '#test/kit/webhook-world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

function sms(world: CodeWorld, over: Partial<AcceptMessage> = {}): AcceptMessage {
  const sandbox = { test: true, text: 'a secret text', phoneNumber: NUMBER, queueIfOffline: true }
  return messageToAccept(world.accountId, { ...sandbox, ...over })
}

function inboxOf(accountId: string) {
  const all = { from: null, deviceId: null, search: null, since: null, until: null, before: null }
  return { ...all, accountId, limit: 10 }
}

/**
 * Moves only the wall clock, because advancing both clocks would run each of two thousand hours, and confirms
 * it.
 */
function passDays(world: CodeWorld, days: number): void {
  world.wallMs += days * DAY_MS
  world.ask('clock.confirm', {})
}

test('texts and numbers are removed after ninety days, the rest of a message stays', () => {
  const world = new CodeWorld()
  const { messageId } = acceptedIn(world.ask('message.accept', sms(world, { phoneNumber: '+15005550001' })))
  world.advance(5_000)
  passDays(world, 89)
  world.advance(23 * 60 * MINUTE_MS)
  assert.ok(world.dump().includes('a secret text'))
  world.advance(2 * 60 * MINUTE_MS)
  assert.ok(!world.dump().includes('a secret text'))
  assert.ok(!world.dump().includes('+15005550001'))
  const message = openMessageReader(world.database).find(world.accountId, true, messageId)
  assert.ok(message)
  const { phoneNumber, message: text, status, failure, timeline } = describeMessage(message, () => false)
  assert.deepEqual({ phoneNumber, text, status }, { phoneNumber: null, text: null, status: 'failed' })
  assert.equal(failure?.code, 'RADIO_FAILURE')
  assert.equal(timeline.length, 3)
})

test("a client's own name for a message is removed with its text", () => {
  const world = new CodeWorld()
  world.ask('message.accept-all', { messages: [sms(world)], name: { given: 'of the client' } })
  world.advance(5_000)
  passDays(world, 91)
  world.advance(60 * MINUTE_MS)
  assert.ok(!world.dump().includes('of the client'))
})

test('retention keeps the counters', () => {
  const world = new CodeWorld()
  world.connectPhone()
  world.ask('message.accept', sms(world, { test: false }))
  world.issue({ test: false })
  passDays(world, 100)
  world.advance(60 * MINUTE_MS)
  assert.equal(world.column('SELECT accepted - two_factor FROM usage_quarter'), 1)
  assert.equal(world.column('SELECT two_factor FROM usage_quarter'), 1)
})

test('an open message keeps its text, however old it is by the wall clock', () => {
  const world = new CodeWorld()
  world.ask('message.accept', sms(world, { test: false, ttlMs: 3 * 3_600_000 }))
  world.wallMs += 100 * DAY_MS
  world.advance(3_600_000)
  world.connectPhone()
  assert.equal(world.offers()[0]?.message, 'a secret text')
})

test('a message that was open when it became old loses its text within ten hours of its end', () => {
  const world = new CodeWorld()
  world.ask('message.accept', sms(world, { test: false, ttlMs: 3 * 3_600_000 }))
  passDays(world, 90)
  world.advance(2 * 3_600_000)
  assert.ok(world.dump().includes('a secret text'))
  world.advance(11 * 3_600_000)
  assert.ok(!world.dump().includes('a secret text'))
})

test('received texts are cleared, and a repeated report of one is still recognized', () => {
  const world = new CodeWorld()
  world.connectPhone()
  const received = { type: 'received', id: 'r1', from: '+19995550100', at: null, simSlot: null } as const
  world.sendFrame({ ...received, message: 'for my eyes only' })
  world.sendFrame({ ...received, id: 'r2', from: '', message: 'from nobody' })
  const receivedId = String(world.column("SELECT id FROM received WHERE phone_message_id = 'r1'"))
  passDays(world, 91)
  world.advance(60 * MINUTE_MS)
  for (const gone of ['for my eyes only', 'from nobody', '+19995550100'])
    assert.ok(!world.dump().includes(gone), gone)
  const inbox = openInboxReader(world.database)
  assert.deepEqual(inbox.list(inboxOf(world.accountId)).received, [])
  assert.equal(inbox.find(world.accountId, receivedId), undefined)
  world.sendFrame({ ...received, message: 'for my eyes only' })
  assert.equal(world.column('SELECT count(*) FROM received'), 2)
})

test('answers stored for an Idempotency-Key are removed after a day', () => {
  const world = new CodeWorld()
  world.ask('message.accept', sms(world, { idempotency: { scope: 's', key: 'k', bodyHash: 'h' } }))
  world.advance(DAY_MS - 1)
  assert.equal(world.column('SELECT count(*) FROM idempotency'), 1)
  world.advance(3_600_001)
  assert.equal(world.column('SELECT count(*) FROM idempotency'), 0)
})

test('expired pairing codes are removed', () => {
  const world = new CodeWorld()
  world.ask('device.create-pairing', { accountId: world.accountId, name: null })
  world.advance(3_600_000)
  assert.equal(world.column('SELECT count(*) FROM pairing'), 0)
})

test('finished codes are kept for a day', () => {
  const world = new CodeWorld()
  const { messageId } = world.issue().answer
  world.verify('0000')
  world.verify('4711')
  world.advance(DAY_MS)
  assert.equal(world.reasonFor('4711', { by: { messageId } }), 'ALREADY_USED')
  world.advance(2 * 3_600_000)
  assert.equal(world.reasonFor('4711', { by: { messageId } }), 'NOT_FOUND')
  world.advance(DAY_MS)
  assert.equal(world.column('SELECT count(*) FROM two_factor_failure'), 0)
})

test('an open code survives a jump of the clock', () => {
  const world = new CodeWorld()
  world.advance(30 * MINUTE_MS)
  world.issue({ validityMs: 60 * MINUTE_MS })
  world.wallMs += 5 * DAY_MS
  world.advance(45 * MINUTE_MS)
  assert.ok(world.verify('4711').verified)
})

test('a code whose message is still open keeps its text, whatever the clock says', () => {
  const world = new CodeWorld()
  world.advance(5 * MINUTE_MS)
  world.connectPhone()
  const { answer } = world.issue({ test: false, validityMs: 50 * MINUTE_MS })
  world.sendFrame({ type: 'begin', messageId: answer.messageId, attempt: 1 })
  world.losePhone()
  world.wallMs += 5 * DAY_MS
  world.advance(58 * MINUTE_MS)
  assert.equal(world.status(answer.messageId), 'sending')
  assert.equal(world.column('SELECT state FROM two_factor WHERE text IS NOT NULL'), 'expired')
})

test('many old rows are removed in small transactions, beginning when the gateway starts', () => {
  const world = new CodeWorld()
  const insert = world.database.prepare(`
    INSERT INTO message (id, account_id, test, kind, phone_number, text, segments, encoding, priority, pinned,
      created_at, expires_at, status, attempt, not_before, timeline)
    VALUES (?, ?, 1, 'sms', ?, 'old', 1, 'GSM-7', 'normal', 0, 0, 1, 'delivered', 1, 0, '[]')`)
  world.database.exec('BEGIN')
  for (let i = 0; i < 1200; i++) insert.run(`msg_${String(i).padStart(26, '0')}`, world.accountId, NUMBER)
  world.database.exec('COMMIT')
  world.restart()
  const left = () => world.column("SELECT count(*) FROM message WHERE text <> ''")
  const counts = [left()]
  for (let i = 0; i < 4; i++) {
    world.batch.run([])
    counts.push(left())
    world.monoMs += 100
  }
  assert.deepEqual(counts, [1200, 700, 200, 0, 0])
})

test('triggers and their bodies are removed after a week', () => {
  const { world, trigger, ids } = startWebhook()
  trigger('for my eyes only')
  const reader = openSeenTriggerReader(world.database)
  const rows = () => reader.list(ids.webhookId, 0).map(({ kept }) => kept?.body)
  world.wallMs += 7 * DAY_MS
  world.ask('clock.confirm', {})
  world.advance(60 * MINUTE_MS)
  assert.deepEqual(rows(), [])
  trigger('again')
  assert.deepEqual(rows(), ['again'])
})

suite('after the clock jumped far ahead', () => {
  /** A final message, and then a clock that says 2038, with or without a restart. */
  function jumped(isRestarted: boolean) {
    const world = new CodeWorld()
    world.ask('message.accept', sms(world))
    world.advance(60 * MINUTE_MS)
    const rightMs = world.wallMs
    world.wallMs += 4_300 * DAY_MS
    if (isRestarted) world.restart()
    const isKept = () => world.dump().includes('a secret text')
    const isWrong = () =>
      world.ask('health.list', { accountId: null }).some(({ code }) => code === 'CLOCK_WRONG')
    return { world, isKept, isWrong, rightMs }
  }

  for (const isRestarted of [true, false])
    test(`nothing is removed (${isRestarted ? 'with' : 'without'} a restart)`, () => {
      const { world, isKept, isWrong } = jumped(isRestarted)
      world.advance(DAY_MS)
      assert.deepEqual([isKept(), isWrong()], [true, true])
    })

  test('a clock that is set back is believed again, and nothing was lost', () => {
    const { world, isKept, isWrong, rightMs } = jumped(true)
    world.advance(2 * 60 * MINUTE_MS)
    world.wallMs = rightMs + 2 * 60 * MINUTE_MS
    world.advance(61 * MINUTE_MS)
    assert.deepEqual([isKept(), isWrong()], [true, false])
  })

  test('old rows are removed once the owner confirms the clock', () => {
    const { world, isKept, isWrong } = jumped(true)
    world.ask('clock.confirm', {})
    world.advance(60 * MINUTE_MS)
    assert.deepEqual([isKept(), isWrong()], [false, false])
  })

  test('old rows are removed after a week of running, whatever the clock does in it', () => {
    const { world, isKept, isWrong } = jumped(true)
    world.advance(3 * DAY_MS)
    world.wallMs += 4_000 * DAY_MS
    world.restart()
    world.advance(3.9 * DAY_MS)
    assert.deepEqual([isKept(), isWrong()], [true, true])
    world.advance(0.2 * DAY_MS)
    assert.deepEqual([isKept(), isWrong()], [false, false])
  })

  test('a gateway that was off for five days removes old rows once its clock was right for an hour', () => {
    const world = new CodeWorld()
    world.ask('message.accept', sms(world))
    passDays(world, 86)
    world.advance(60 * MINUTE_MS)
    world.wallMs += 5 * DAY_MS
    world.restart()
    world.advance(59 * MINUTE_MS)
    assert.ok(world.dump().includes('a secret text'))
    world.advance(61 * MINUTE_MS)
    assert.ok(!world.dump().includes('a secret text'))
  })
})
