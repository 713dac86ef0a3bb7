/**
 * The gateway dies between two steps of a message, and after a restart the message ends correctly.
 *
 * | it dies after | tested in |
 * | --- | --- |
 * | request read, before COMMIT | here |
 * | COMMIT, before the answer | here |
 * | answer, before the offer | here |
 * | offer | here; the lease in test/domain/sending/moving-messages.test.ts |
 * | COMMIT of `go`, before or while the frame travels | here, three ways |
 * | the phone's `submitting`, before its radio | here; phones that die in test/e2e/phone-faults.test.ts |
 * | the phone's radio, before its journal | the same; test/agent/crash.test.ts |
 * | report received, before COMMIT | here |
 * | COMMIT of the report, before the notification | here |
 * | notification posted, before it is marked | here; at random in test/e2e/kill-notifications.test.ts |
 * | COMMIT without space | test/e2e/disk.test.ts |
 * | COMMIT with an I/O error | test/e2e/disk.test.ts |
 */
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { FakePhone } from '#test/kit/fake-phone.ts'
import { type Cleaner, GatewayProcess } from '#test/kit/gateway-process.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { answering, type Receiver, startReceiver } from '#test/kit/rogue-receiver.ts'
import { killAt, straceMissing } from '#test/kit/strace.ts'
import { onlyLong } from '#test/kit/test-size.ts'

/**
 * The file whose next write kills the gateway. COMMIT writes to the log first. The mark is written after
 * COMMIT, before any answer or frame is sent.
 */
const PLACES = { 'before COMMIT': 'roost.db-wal', 'after COMMIT': 'commit-mark' } as const
type Place = keyof typeof PLACES

const options = { timeout: HANGS_AFTER_MS, skip: straceMissing() }
/** The quick size has a kill at each place, and in each kind of work. */
const long = { ...options, skip: options.skip || onlyLong('crashes') }
const cleaning: (() => unknown)[] = []
const cleaner: Cleaner = { after: done => cleaning.unshift(done) }
const posts = new EventEmitter<{ post: [string, string] }>()
let gateway: GatewayProcess
let receiver: Receiver
/** The ids of the posted events by message, with repetitions. */
const posted = new Map<string, string[]>()
let holdAnswers = false

before(async () => {
  receiver = await startReceiver((request, response) => {
    const { data } = JSON.parse(request.body) as { data: { messageId: string } }
    const id = String(request.headers['x-webhook-id'])
    posted.set(data.messageId, [...(posted.get(data.messageId) ?? []), id])
    posts.emit('post', data.messageId, id)
    if (!holdAnswers) answering(204)(request, response)
  })
  cleaner.after(() => receiver.close())
  gateway = await GatewayProcess.start(cleaner, {
    env: { ROOST_NOTIFICATIONS__ALLOWED_HOSTS: '["127.0.0.1"]' },
  })
})
after(async () => {
  for (const clean of cleaning) await clean()
})

/** Kills the gateway in its next transaction, which must be the test's own. @returns waits and restarts it */
async function dieAt(t: Cleaner, place: Place): Promise<() => Promise<void>> {
  await killAt(t, gateway.program.pid, { call: 'pwrite64', file: join(gateway.dataDir, PLACES[place]) })
  return async () => {
    assert.equal(await gateway.program.ended, 'SIGKILL')
    await gateway.restart()
  }
}

async function killAndRestart(): Promise<void> {
  await gateway.kill()
  await gateway.restart()
}

async function phoneFor(t: Cleaner): Promise<FakePhone> {
  const phone = new FakePhone(await gateway.pair('one'))
  await phone.connect(gateway.socketUrl)
  t.after(async () => {
    phone.drop()
    await gateway.asOwner('DELETE', `/devices/${phone.deviceId}`)
  })
  return phone
}

/** Sends a text, and stops its phone at this step. */
async function sendUpTo(phone: FakePhone, step: 'begin' | 'radio' | 'report'): Promise<string> {
  phone.hold(step)
  const there = phone.reached(step)
  const id = await gateway.send(`up to ${step}`)
  assert.equal(await there, id)
  return id
}

/** How often these phones transmitted the message. */
function sendings(messageId: string, ...phones: FakePhone[]): number {
  return phones.flatMap(({ radio }) => radio).filter(id => id === messageId).length
}

/** Asserts that another phone gets other messages, but not this one. */
async function isGivenToNobody(messageId: string, other: FakePhone): Promise<void> {
  const next = await gateway.send('next', { deviceId: other.deviceId })
  await gateway.reached(next, 'delivered')
  assert.equal((await gateway.message(messageId)).status, 'sending')
  assert.equal(other.journal.has(messageId), false)
}

suite('a request whose gateway dies', () => {
  const ask = (text: string) =>
    gateway.api('POST', '/sms/send', {
      body: { phoneNumber: '+14155550123', message: text, queueIfOffline: true },
      headers: { 'Idempotency-Key': text.replaceAll(' ', '-') },
    })
  const kept = async (text: string) => (await gateway.messages()).filter(({ message }) => message === text)

  for (const [place, count] of [
    ['before COMMIT', 0],
    ['after COMMIT', 1],
  ] as const)
    test(`${place} is not answered, and makes one message when it is repeated`, options, async t => {
      const dead = await dieAt(t, place)
      await assert.rejects(ask(place), /fetch failed/)
      await dead()
      const left = await kept(place)
      assert.equal(left.length, count)
      const { status, data } = await ask(place)
      assert.equal(status, 200)
      const [message, ...more] = await kept(place)
      assert.deepEqual(more, [])
      assert.equal(message?.messageId, (data as { messageId: string }).messageId)
      assert.equal(message?.messageId, left[0]?.messageId ?? message?.messageId)
      await gateway.api('DELETE', `/sms/${message?.messageId}`)
    })

  test('after the answer is offered when a phone connects', long, async t => {
    const id = await gateway.send('waits', { queueIfOffline: true })
    await killAndRestart()
    const phone = await phoneFor(t)
    await gateway.reached(id, 'delivered')
    assert.deepEqual(phone.gos, [`${id} 1`])
  })
})

suite('a message whose gateway dies', () => {
  test('after the offer is sent once, by any connected phone', long, async t => {
    const phone = await phoneFor(t)
    const id = await sendUpTo(phone, 'begin')
    await killAndRestart()
    assert.equal((await gateway.message(id)).status, 'queued')
    const other = await phoneFor(t)
    await gateway.reached(id, 'delivered')
    phone.release('begin')
    await phone.connect(gateway.socketUrl)
    await isOver(id, other)
    assert.equal(sendings(id, phone, other), 1)
  })

  test('after COMMIT of go, before the frame, waits for its phone, then is sent once', options, async t => {
    const phone = await phoneFor(t)
    const id = await sendUpTo(phone, 'begin')
    const dead = await dieAt(t, 'after COMMIT')
    phone.release('begin')
    await dead()
    assert.deepEqual(phone.gos, [])
    assert.equal((await gateway.message(id)).status, 'sending')
    const other = await phoneFor(t)
    await isGivenToNobody(id, other)
    await phone.connect(gateway.socketUrl)
    await gateway.reached(id, 'delivered')
    assert.equal(sendings(id, phone, other), 1)
    assert.deepEqual(
      [...phone.gos, ...other.gos].filter(go => go.startsWith(id)),
      [`${id} 2`],
    )
  })

  test('before COMMIT of go is queued, and no go was sent', long, async t => {
    const phone = await phoneFor(t)
    const id = await sendUpTo(phone, 'begin')
    const dead = await dieAt(t, 'before COMMIT')
    phone.release('begin')
    await dead()
    assert.deepEqual(phone.gos, [])
    assert.equal((await gateway.message(id)).status, 'queued')
    await phone.connect(gateway.socketUrl)
    await gateway.reached(id, 'delivered')
    assert.deepEqual(phone.gos, [`${id} 1`])
  })

  test('after a go that its phone did not act on is sent in a second attempt', options, async t => {
    const phone = await phoneFor(t)
    const id = await sendUpTo(phone, 'radio')
    await killAndRestart()
    const other = await phoneFor(t)
    await isGivenToNobody(id, other)
    const reconnected = phone.connect(gateway.socketUrl)
    // The go came on the old connection, so the phone ignores it.
    phone.release('radio')
    await reconnected
    await gateway.reached(id, 'delivered')
    assert.equal(sendings(id, phone, other), 1)
  })

  for (const [state, status, failure] of [
    ['delivered', 'delivered', undefined],
    ['uncertain', 'failed', 'OUTCOME_UNKNOWN'],
  ] as const)
    test(`while its phone sends is ${status} when the phone reports ${state}`, long, async t => {
      const phone = await phoneFor(t)
      phone.outcome = () => ({ state })
      const id = await sendUpTo(phone, 'radio')
      await gateway.kill()
      phone.release('radio')
      await gateway.restart()
      const other = await phoneFor(t)
      await isGivenToNobody(id, other)
      await phone.connect(gateway.socketUrl)
      assert.equal((await gateway.reached(id, status)).failure?.code, failure)
      await isOver(id, other)
      assert.equal(sendings(id, phone, other), 1)
    })

  test('before COMMIT of its report gets the report from the phone again', options, async t => {
    const phone = await phoneFor(t)
    const id = await sendUpTo(phone, 'report')
    const dead = await dieAt(t, 'before COMMIT')
    phone.release('report')
    await dead()
    assert.equal((await gateway.message(id)).status, 'sending')
    await phone.connect(gateway.socketUrl)
    await gateway.reached(id, 'delivered')
    assert.deepEqual(phone.gos, [`${id} 1`])
    assert.equal(sendings(id, phone), 1)
  })
})

suite('a notification whose gateway dies', () => {
  before(async () => {
    const events = ['sms.delivered']
    const { status, error } = await gateway.asOwner('PUT', '/notifications', { url: receiver.url, events })
    assert.equal(status, 200, JSON.stringify(error))
  })

  test('after COMMIT of the report, before it is posted, is posted after the restart', options, async t => {
    const phone = await phoneFor(t)
    const id = await sendUpTo(phone, 'report')
    const dead = await dieAt(t, 'after COMMIT')
    phone.release('report')
    assert.equal(await gateway.program.ended, 'SIGKILL')
    assert.equal(posted.has(id), false)
    const coming = once(posts, 'post')
    await dead()
    assert.equal((await coming)[0], id)
    assert.equal((await gateway.message(id)).status, 'delivered')
  })

  test('after it was posted, before it is marked, is posted again with its id', long, async t => {
    const phone = await phoneFor(t)
    holdAnswers = true
    const first = once(posts, 'post')
    const id = await gateway.send('posted twice')
    await first
    await gateway.kill()
    holdAnswers = false
    const second = once(posts, 'post')
    await gateway.restart()
    await second
    const [one, ...again] = posted.get(id) ?? []
    assert.deepEqual(again, [one])
    assert.deepEqual(phone.radio, [id])
  })
})

/** Asserts that the message is final: after a later message is delivered, its status is the same. */
async function isOver(messageId: string, phone: FakePhone): Promise<void> {
  const { status } = await gateway.message(messageId)
  const next = await gateway.send('next', { deviceId: phone.deviceId })
  await gateway.reached(next, 'delivered')
  assert.equal((await gateway.message(messageId)).status, status)
}
