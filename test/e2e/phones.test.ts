import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { CLOSE } from '#contracts/device-frames.ts'
import { FakePhone } from '#test/kit/fake-phone.ts'
import { type Cleaner, GatewayProcess } from '#test/kit/gateway-process.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

const timeout = HANGS_AFTER_MS

suite('phones', () => {
  let gateway: GatewayProcess
  const cleaning: (() => unknown)[] = []
  before(async () => {
    const cleaner: Cleaner = { after: done => cleaning.unshift(done) }
    gateway = await GatewayProcess.start(cleaner)
  })
  after(async () => {
    for (const clean of cleaning) await clean()
  })

  /** A connected phone that is unpaired after the test, so that the next test has only its own. */
  async function phoneFor(t: Cleaner): Promise<FakePhone> {
    const phone = new FakePhone(await gateway.pair('one'))
    await phone.connect(gateway.socketUrl)
    t.after(() => gateway.asOwner('DELETE', `/devices/${phone.deviceId}`))
    return phone
  }

  test('when one disconnects, only its unpinned messages move to the other', { timeout }, async t => {
    const first = await phoneFor(t)
    first.hold('begin')
    const moving = await Promise.all(['one', 'two'].map(text => gateway.send(text)))
    const pinned = await gateway.send('pinned', { deviceId: first.deviceId })
    const second = await phoneFor(t)
    first.drop()
    for (const id of moving) await gateway.reached(id, 'delivered')
    assert.deepEqual(second.radio.toSorted(), moving.toSorted())
    assert.equal((await gateway.message(pinned)).status, 'queued')
    first.release('begin')
    await first.connect(gateway.socketUrl)
    await gateway.reached(pinned, 'delivered')
    assert.deepEqual(first.radio, [pinned])
  })

  test('a message can be cancelled until a phone was told to send it', { timeout }, async t => {
    const phone = await phoneFor(t)
    phone.hold('begin')
    const offered = phone.reached('begin')
    const cancelled = await gateway.send('cancelled')
    await offered
    const told = phone.nextFrame('cancel')
    assert.equal((await gateway.api('DELETE', `/sms/${cancelled}`)).status, 200)
    assert.equal((await told).messageId, cancelled)
    assert.equal((await gateway.message(cancelled)).failure?.code, 'CANCELLED')
    phone.release('begin')
    phone.hold('report')
    const sending = await gateway.send('too late')
    await gateway.reached(sending, 'sending')
    const refused = await gateway.api('DELETE', `/sms/${sending}`)
    assert.deepEqual([refused.status, refused.error?.code], [409, 'CONFLICT'])
    phone.release('report')
    await gateway.reached(sending, 'delivered')
    assert.deepEqual(phone.radio, [sending])
  })

  test('a paused phone is offered nothing until it is resumed', { timeout }, async t => {
    const phone = await phoneFor(t)
    const path = `/devices/${phone.deviceId}`
    assert.equal((await gateway.asOwner('PATCH', path, { paused: true })).status, 200)
    const id = await gateway.send('waits', { queueIfOffline: true, deviceId: phone.deviceId })
    assert.equal((await gateway.message(id)).status, 'queued')
    assert.equal(phone.journal.size, 0)
    assert.equal((await gateway.asOwner('PATCH', path, { paused: false })).status, 200)
    await gateway.reached(id, 'delivered')
  })

  test('a removed phone is disconnected, and the messages pinned to it fail', { timeout }, async t => {
    const phone = await phoneFor(t)
    phone.hold('begin')
    const id = await gateway.send('pinned', { deviceId: phone.deviceId })
    const closed = new Promise(resolve => phone.once('closed', resolve))
    assert.equal((await gateway.asOwner('DELETE', `/devices/${phone.deviceId}`)).status, 200)
    assert.equal(await closed, CLOSE.removed)
    const { failure } = await gateway.reached(id, 'failed')
    assert.equal(failure?.code, 'DEVICE_REMOVED')
    const { status, error } = await gateway.api('POST', '/sms/send', {
      body: { phoneNumber: '+14155550123', message: 'nobody' },
    })
    assert.deepEqual([status, error?.code], [503, 'NO_DEVICE_AVAILABLE'])
  })

  test('a failure without transmission is tried again, any other failure is not', { timeout }, async t => {
    const phone = await phoneFor(t)
    phone.outcome = (_, attempt) =>
      attempt === 1 ? { state: 'failed', code: 'NO_SERVICE' } : { state: 'failed', code: 'RADIO_FAILURE' }
    const id = await gateway.send('twice')
    const { failure } = await gateway.reached(id, 'failed')
    assert.equal(failure?.code, 'RADIO_FAILURE')
    assert.deepEqual(phone.gos, [`${id} 1`, `${id} 2`])
  })

  test('a phone is told to send no faster than its pace', { timeout }, async t => {
    const phone = await phoneFor(t)
    const path = `/devices/${phone.deviceId}`
    await gateway.asOwner('PATCH', path, { segmentsPerMinute: 60 })
    // Allows the burst of ten segments and one more a second, counted from before the first.
    const begunAt = Date.now()
    const ids = await Promise.all(Array.from({ length: 12 }, (_, i) => gateway.send(`text ${i}`)))
    const at = await Promise.all(
      ids.map(async id => Date.parse((await gateway.reached(id, 'delivered')).sentAt ?? '')),
    )
    assert.ok(Math.max(...at) - begunAt >= 1500)
  })
})

suite('stopping', () => {
  test('SIGTERM waits for the phone that holds a go, and refuses new work', { timeout }, async t => {
    const gateway = await GatewayProcess.start(t)
    const phone = new FakePhone(await gateway.pair('one'))
    await phone.connect(gateway.socketUrl)
    phone.hold('report')
    const held = phone.reached('report')
    const id = await gateway.send('in the air')
    await held
    phone.hold('begin')
    const waits = await gateway.send('waits', { queueIfOffline: true, deviceId: phone.deviceId })
    const waiting = gateway.program.stderr.until(/gateway\.waiting_for_reports/)
    gateway.program.child.kill('SIGTERM')
    await waiting
    const { status, error } = await gateway.api('POST', '/sms/send', {
      body: { phoneNumber: '+14155550123', message: 'too late', queueIfOffline: true },
    })
    assert.deepEqual([status, error?.code], [503, 'SERVICE_UNAVAILABLE'])
    assert.equal((await fetch(`${gateway.url}/readyz`)).status, 503)
    const no = phone.nextFrame('no')
    phone.release('begin')
    assert.equal((await no).messageId, waits)
    phone.release('report')
    assert.equal(await gateway.program.ended, 0)
    await gateway.restart()
    assert.equal((await gateway.message(id)).status, 'delivered')
    assert.equal((await gateway.message(waits)).status, 'queued')
    await phone.connect(gateway.socketUrl)
    await gateway.reached(waits, 'delivered')
    assert.deepEqual(phone.radio, [id, waits])
    assert.equal((await gateway.messages()).length, 2)
    assert.equal(await gateway.stop(), 0)
  })
})
