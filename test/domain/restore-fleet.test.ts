import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { OUTCOME_UNKNOWN_MS, RETRY_DELAYS_MS } from '#contracts/bounds.ts'
import { restoreFleet, type StoredMessage } from '#domain/restore-fleet.ts'
import { storedMessage } from '#test/kit/messages.ts'
import { endOf, openWorld } from '#test/kit/test-phone.ts'
import { testSettings } from '#test/kit/world.ts'

function withPhone() {
  const gateway = openWorld(1)
  const [phone] = gateway.phones
  assert.ok(phone)
  phone.connect()
  return { ...gateway, phone }
}

test('a message that was queued or offered is offered after a restart', () => {
  const { world, phone, send } = withPhone()
  const id = send()
  world.restart()
  phone.begin(id)
  assert.deepEqual(phone.received(), [], 'its connection ended with the process')
  const accepted = { messageId: id, attempt: 1, state: 'accepted', code: null } as const
  assert.deepEqual(phone.connect({ journal: [accepted] }), ['welcome', 'no/1', 'synced', 'offer/1'])
})

test("a message that was being sent waits for its phone's report, and no other phone gets it", () => {
  const gateway = openWorld(2)
  const [a, b] = gateway.phones
  assert.ok(a && b)
  a.connect()
  const [sent, unsent] = [gateway.send(), gateway.send()]
  for (const id of [sent, unsent]) a.begin(id)
  gateway.world.restart()
  assert.deepEqual(b.connect(), ['welcome', 'synced'])
  a.connect({
    journal: [
      { messageId: sent, attempt: 1, state: 'sent', code: null },
      { messageId: unsent, attempt: 1, state: 'accepted', code: null },
    ],
  })
  assert.equal(endOf(gateway.stored(sent)), 'sent')
  assert.equal(endOf(gateway.stored(unsent)), 'queued')
})

test('a message that its phone no longer knows ends as unknown 15 minutes after its return', () => {
  const { world, phone, send, stored } = withPhone()
  const id = send()
  phone.begin(id)
  world.restart()
  world.advance(OUTCOME_UNKNOWN_MS)
  phone.connect()
  world.advance(OUTCOME_UNKNOWN_MS - 1)
  assert.equal(endOf(stored(id)), 'sending')
  world.advance(1)
  assert.equal(endOf(stored(id)), 'OUTCOME_UNKNOWN')
})

test('a retry waits for the rest of its delay, at most all of it when the wall clock went back', () => {
  for (const jumpMs of [0, -86_400_000]) {
    const { world, phone, send } = withPhone()
    const id = send()
    for (const attempt of [1, 2, 3]) {
      phone.begin(id, attempt)
      phone.report(id, 'failed', { attempt, code: 'RADIO_OFF' })
      if (attempt < 3) world.advance(RETRY_DELAYS_MS[attempt - 1] ?? 0)
    }
    world.wallMs += jumpMs
    world.restart()
    phone.connect()
    world.advance(599_998)
    assert.deepEqual(phone.received(), [])
    world.advance(2)
    assert.deepEqual(phone.received(), ['offer/4'])
  }
})

test('a message that expired while the gateway was down expires at its start', () => {
  const { world, send, stored } = openWorld()
  const id = send({ ttlMs: 60_000 })
  world.wallMs += 60_000
  world.restart()
  world.advance(0)
  assert.equal(endOf(stored(id)), 'EXPIRED')
})

test('final messages and their late reports survive a restart', () => {
  const { world, phone, send, stored } = withPhone()
  const [sent, unknown] = [send(), send()]
  for (const id of [sent, unknown]) phone.begin(id)
  phone.report(sent, 'sent')
  phone.report(unknown, 'uncertain')
  world.restart()
  phone.connect({ journal: [{ messageId: unknown, attempt: 1, state: 'sent', code: null }] })
  phone.report(sent, 'delivered')
  assert.deepEqual([endOf(stored(sent)), endOf(stored(unknown))], ['delivered', 'sent'])
})

test('a sandbox message continues after a restart', () => {
  const { world, send, stored } = openWorld()
  const id = send({ test: true })
  world.advance(600)
  world.restart()
  world.advance(2000)
  assert.equal(endOf(stored(id)), 'delivered')
})

test('a waiting message takes at most 300 bytes of memory', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const usedBytes = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const count = 50_000
  const clock = { heldMs: () => 0 }
  const context = { now: { wallMs: 0, monoMs: 0.5 }, clock, settings: testSettings(), before: null }
  const before = usedBytes()
  const restored = restoreFleet({ devices: [], groups: [], messages: rows(count) }, context)
  const bytes = usedBytes() - before
  assert.equal(restored.fleet.messages.size, count)
  assert.ok(bytes / count <= 300, `${bytes / count}`)
})

/** Rows as they come from the database: each has strings of its own. */
function* rows(count: number): Generator<StoredMessage> {
  for (let n = 0; n < count; n++) {
    const row = storedMessage({ id: `msg_${String(n).padStart(26, '0')}`, deviceId: null, country: 'DE' })
    yield JSON.parse(JSON.stringify({ ...row, accountId: 'acc_00000000000000000000000000' }))
  }
}
