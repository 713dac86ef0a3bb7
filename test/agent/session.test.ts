import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '#agent/drivers/driver.ts'
import { agentRig, connectedAgent, radioCallFor } from '#test/kit/agent-rig.ts'
import { messageIdOf, offerOf } from '#test/kit/fake-gateway.ts'
import type { HandClock } from '#test/kit/hand-clock.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

const options = { timeout: HANGS_AFTER_MS }

test(
  'a message goes from offer to delivered, and is forgotten when that is acknowledged',
  options,
  async t => {
    const rig = await agentRig(t)
    const agent = rig.start({
      driver: Object.assign(rig.radio, { follow: async () => ({ state: 'delivered' }) as const }),
    })
    const phone = await rig.gateway.nextPhone()
    assert.equal(phone.authorization, 'Bearer device-token')
    assert.deepEqual(await phone.handshake(), [])
    phone.sendFrame(offerOf(1, { simSlot: 2 }))
    assert.deepEqual(await phone.next('begin'), { type: 'begin', messageId: messageIdOf(1), attempt: 1 })
    assert.deepEqual(rig.radio.sent, [])
    phone.go(1)
    const call = await rig.radio.called()
    assert.equal(call.order.phoneNumber, '+15550100')
    assert.equal(call.order.simSlot, 2)
    call.end({ state: 'sent' })
    assert.equal((await phone.ackReport()).state, 'sent')
    assert.equal((await phone.ackReport()).state, 'delivered')
    await phone.settled()
    agent.stop()
    assert.equal(await agent.exit, 0)
    assert.equal(await phone.closed, 1000)
    rig.start()
    assert.deepEqual(await (await rig.gateway.nextPhone()).handshake(), [])
  },
)

test('a sent and acknowledged message is kept until its delivery report comes', options, async t => {
  const rig = await agentRig(t)
  const delivery = Promise.withResolvers<Outcome>()
  rig.start({ driver: Object.assign(rig.radio, { follow: () => delivery.promise }) })
  const phone = await rig.gateway.nextPhone()
  await phone.handshake()
  const call = await radioCallFor(rig, phone, 1)
  call.end({ state: 'sent' })
  await phone.ackReport()
  await phone.settled()
  rig.clock.advance(60_000)
  await phone.settled()
  assert.deepEqual(phone.unread('report'), [])
  delivery.resolve({ state: 'delivered' })
  assert.equal((await phone.ackReport()).state, 'delivered')
})

test('a repeated offer is begun once, and a repeated go sends once', options, async t => {
  const { rig, phone } = await connectedAgent(t)
  phone.sendFrame(offerOf(1))
  phone.sendFrame(offerOf(1))
  await phone.next('begin')
  phone.go(1)
  phone.go(1)
  const call = await rig.radio.called()
  phone.sendFrame(offerOf(1))
  assert.equal((await phone.next('report')).state, 'submitting')
  call.end({ state: 'sent' })
  assert.equal((await phone.next('report')).state, 'sent')
  phone.go(1)
  phone.sendFrame(offerOf(1))
  assert.equal((await phone.next('report')).state, 'sent')
  await phone.settled()
  assert.deepEqual(phone.unread('begin'), [])
  assert.deepEqual(rig.radio.sent, [`${messageIdOf(1)} 1`])
})

test('a finished message is not accepted again, not even after a restart', options, async t => {
  const rig = await agentRig(t)
  const agent = rig.start()
  const phone = await rig.gateway.nextPhone()
  await phone.handshake()
  const call = await radioCallFor(rig, phone, 1)
  call.end({ state: 'sent' })
  await phone.ackReport()
  await phone.settled()
  agent.stop()
  await agent.exit
  rig.start()
  const again = await rig.gateway.nextPhone()
  await again.handshake()
  again.sendFrame(offerOf(1))
  again.sendFrame(offerOf(1, { attempt: 2 }))
  assert.equal((await again.next('report')).state, 'sent')
  assert.equal((await again.next('report')).state, 'sent')
  await again.settled()
  assert.deepEqual(again.unread('begin'), [])
  assert.equal(rig.radio.sent.length, 1)
})

for (const [what, pass] of [
  ['by both clocks', (clock: HandClock) => clock.advance(10_001)],
  ['by the wall clock alone, as after a sleep', (clock: HandClock) => clock.jumpWall(10_001)],
  [
    'while the wall clock is set back',
    (clock: HandClock) => {
      clock.advance(10_000)
      clock.jumpWall(-3_600_000)
      clock.advance(1)
    },
  ],
] as const) {
  test(
    `a go later than ten seconds ${what} does not send, and the agent reports GO_EXPIRED`,
    options,
    async t => {
      const { rig, phone } = await connectedAgent(t)
      phone.sendFrame(offerOf(1))
      await phone.next('begin')
      pass(rig.clock)
      phone.go(1)
      const report = await phone.ackReport()
      assert.deepEqual([report.state, report.code], ['failed', 'GO_EXPIRED'])
      phone.sendFrame(offerOf(1, { attempt: 2 }))
      assert.equal((await phone.next('begin')).attempt, 2)
      assert.deepEqual(rig.radio.sent, [])
      phone.go(1, 2)
      await rig.radio.called()
      assert.deepEqual(rig.radio.sent, [`${messageIdOf(1)} 2`])
    },
  )
}

test('a go within its ten seconds sends the message', options, async t => {
  const { rig, phone } = await connectedAgent(t)
  phone.sendFrame(offerOf(1))
  await phone.next('begin')
  rig.clock.advance(9_500)
  phone.go(1)
  await rig.radio.called()
})

test('a go that was not asked for on this connection sends nothing', options, async t => {
  const { rig, phone: first } = await connectedAgent(t)
  first.sendFrame(offerOf(1))
  await first.next('begin')
  first.cut()
  const second = await rig.gateway.nextPhone()
  const held = await second.welcome()
  assert.deepEqual(held, [{ messageId: messageIdOf(1), attempt: 1, state: 'accepted', code: null }])
  second.go(1)
  await second.settled()
  assert.deepEqual(rig.radio.sent, [])
  second.sendFrame({ type: 'synced' })
  await second.next('begin')
  second.sendFrame(offerOf(2))
  second.go(2)
  const report = await second.next('report')
  assert.deepEqual([report.messageId, report.code], [messageIdOf(2), 'GO_EXPIRED'])
  assert.deepEqual(rig.radio.sent, [])
})

test('a go for an older attempt sends nothing', options, async t => {
  const { rig, phone } = await connectedAgent(t)
  phone.sendFrame(offerOf(1))
  await phone.next('begin')
  phone.sendFrame(offerOf(1, { attempt: 2 }))
  assert.equal((await phone.next('begin')).attempt, 2)
  phone.go(1, 1)
  await phone.settled()
  assert.deepEqual(rig.radio.sent, [])
  phone.sendFrame(offerOf(1, { attempt: 1 }))
  await phone.settled()
  assert.deepEqual([...phone.unread('begin'), ...phone.unread('report')], [])
  phone.go(1, 2)
  await rig.radio.called()
})

test('a message that is refused or cancelled is forgotten, unless it is being sent', options, async t => {
  const { rig, phone } = await connectedAgent(t)
  phone.sendFrame(offerOf(1))
  await phone.next('begin')
  phone.sendFrame({ type: 'no', messageId: messageIdOf(1), attempt: 1 })
  phone.go(1)
  phone.sendFrame(offerOf(2))
  await phone.next('begin')
  phone.sendFrame({ type: 'cancel', messageId: messageIdOf(2) })
  phone.go(2)
  const call = await radioCallFor(rig, phone, 3)
  phone.sendFrame({ type: 'cancel', messageId: messageIdOf(3) })
  await phone.settled()
  call.end({ state: 'sent' })
  assert.equal((await phone.next('report')).messageId, messageIdOf(3))
  assert.deepEqual(rig.radio.sent, [`${messageIdOf(3)} 1`])
})

test('the agent asks for one message at a time, codes first', options, async t => {
  const { rig, phone } = await connectedAgent(t)
  phone.sendFrame(offerOf(1))
  phone.sendFrame(offerOf(2))
  phone.sendFrame(offerOf(3, { kind: '2fa' }))
  assert.equal((await phone.next('begin')).messageId, messageIdOf(1))
  phone.go(1)
  const call = await rig.radio.called()
  await phone.settled()
  assert.deepEqual(phone.unread('begin'), [])
  call.end({ state: 'sent' })
  assert.equal((await phone.next('begin')).messageId, messageIdOf(3))
})

test('the agent does not ask for a message whose time to live is over', options, async t => {
  const { rig, phone } = await connectedAgent(t)
  phone.sendFrame(offerOf(1))
  phone.sendFrame(offerOf(2, { ttlMs: 30_000 }))
  await phone.next('begin')
  phone.go(1)
  const call = await rig.radio.called()
  rig.clock.advance(30_500)
  rig.clock.advance(1_000)
  const report = await phone.next('report')
  assert.deepEqual([report.messageId, report.state, report.code], [messageIdOf(2), 'failed', 'EXPIRED'])
  call.end({ state: 'sent' })
  await phone.next('report')
  await phone.settled()
  assert.deepEqual(phone.unread('begin'), [])
})

test(
  'a report is repeated every ten seconds and after a reconnection until it is acknowledged',
  options,
  async t => {
    const { rig, phone } = await connectedAgent(t)
    const call = await radioCallFor(rig, phone, 1)
    call.end({ state: 'failed', code: 'RADIO_FAILURE', detail: 'no' })
    const first = await phone.next('report')
    rig.clock.advance(9_000)
    await phone.settled()
    assert.deepEqual(phone.unread('report'), [])
    rig.clock.advance(2_000)
    assert.deepEqual(await phone.next('report'), first)
    phone.cut()
    const again = await rig.gateway.nextPhone()
    const held = await again.handshake()
    assert.deepEqual(held, [
      { messageId: messageIdOf(1), attempt: 1, state: 'failed', code: 'RADIO_FAILURE' },
    ])
    assert.deepEqual(await again.ackReport(), first)
    await again.settled()
    rig.clock.advance(30_000)
    await again.settled()
    assert.deepEqual(again.unread('report'), [])
  },
)
