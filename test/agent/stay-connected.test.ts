import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incoming } from '#agent/drivers/driver.ts'
import { FRAME_BYTES_MAX } from '#contracts/bounds.ts'
import { agentRig, radioCallFor } from '#test/kit/agent-rig.ts'
import { messageIdOf, offerOf } from '#test/kit/fake-gateway.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

const options = { timeout: HANGS_AFTER_MS }

test('the agent ends with a clear error when another agent has the same identity', options, async t => {
  const rig = await agentRig(t)
  const agent = rig.start()
  const phone = await rig.gateway.nextPhone()
  await phone.handshake()
  phone.close(4001)
  assert.equal(await agent.exit, 1)
  assert.match(rig.logged.at(-1) ?? '', /Another agent connected/)
})

test(
  'an agent that the gateway does not know waits up to minutes, says why and tries again',
  options,
  async t => {
    const rig = await agentRig(t)
    const delays: number[] = []
    rig.start({
      random: () => 0.999_999,
      log: line => {
        const [, why = '', delayMs] = /^(.*); connecting again in (\d+) ms/.exec(line) ?? []
        if (delayMs === undefined) return
        assert.match(why, /does not know this device/)
        delays.push(Number(delayMs))
        if (delays.length === 12) rig.gateway.refuseWithStatus = null
        setImmediate(() => rig.clock.advance(Number(delayMs)))
      },
    })
    const phone = await rig.gateway.nextPhone()
    await phone.handshake()
    rig.gateway.refuseWithStatus = 401
    phone.close(4002)
    await (await rig.gateway.nextPhone()).handshake()
    assert.deepEqual(delays.slice(-3), [256_000, 300_000, 300_000])
  },
)

test('a superseded agent lets a running send end and writes its outcome to the journal', options, async t => {
  const rig = await agentRig(t)
  const agent = rig.start()
  const phone = await rig.gateway.nextPhone()
  await phone.handshake()
  const call = await radioCallFor(rig, phone, 1)
  phone.close(4001)
  await phone.closed
  call.end({ state: 'sent' })
  assert.equal(await agent.exit, 1)
  rig.start()
  const [held] = await (await rig.gateway.nextPhone()).handshake()
  assert.equal(held?.state, 'sent')
})

test('the agent reconnects to a gateway that is starting, with waits that double', options, async t => {
  const rig = await agentRig(t)
  rig.gateway.refuseWithStatus = 503
  const delays: number[] = []
  const enough = Promise.withResolvers<void>()
  rig.start({
    random: () => 0.999_999,
    log: line => {
      const delayMs = /again in (\d+) ms/.exec(line)?.[1]
      if (delayMs === undefined) return
      delays.push(Number(delayMs))
      if (delays.length === 8) enough.resolve()
      if (delays.length === 8) rig.gateway.refuseWithStatus = null
      setImmediate(() => rig.clock.advance(Number(delayMs)))
    },
  })
  await enough.promise
  assert.deepEqual(delays, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  await (await rig.gateway.nextPhone()).handshake()
})

test(
  'a gateway that is silent for three ping intervals counts as dead; one that pings does not',
  options,
  async t => {
    const rig = await agentRig(t)
    rig.start()
    const phone = await rig.gateway.nextPhone()
    await phone.handshake(5)
    for (let pings = 0; pings < 10; pings++) {
      await phone.settled()
      rig.clock.advance(10_000)
    }
    await phone.settled()
    rig.clock.advance(17_000)
    await phone.closed
    await (await rig.gateway.nextPhone()).handshake()
  },
)

test('the agent disconnects from a gateway that sends no welcome for fifteen seconds', options, async t => {
  const rig = await agentRig(t)
  rig.start()
  const phone = await rig.gateway.nextPhone()
  await phone.next('hello')
  rig.clock.advance(14_000)
  await phone.settled()
  rig.clock.advance(2_000)
  await phone.closed
  await (await rig.gateway.nextPhone()).handshake()
})

test('the agent can stop while its gateway is frozen', options, async t => {
  const rig = await agentRig(t)
  const agent = rig.start()
  const phone = await rig.gateway.nextPhone()
  await phone.handshake()
  await phone.settled()
  phone.freeze()
  agent.stop()
  let exitCode: number | null = null
  agent.exit.then(code => {
    exitCode = code
  }, assert.fail)
  while (exitCode === null) {
    rig.clock.advance(100)
    await nextTurn()
  }
  assert.equal(exitCode, 0)
  // Well before the thirty seconds that the WebSocket library would wait.
  assert.ok(rig.clock.monotonicMs() < 10_000)
})

test(
  'a stopping agent lets a running send end, reports it, ignores go and closes properly',
  options,
  async t => {
    const rig = await agentRig(t)
    const agent = rig.start()
    const phone = await rig.gateway.nextPhone()
    await phone.handshake()
    phone.sendFrame(offerOf(1))
    phone.sendFrame(offerOf(2))
    await phone.next('begin')
    phone.go(1)
    const call = await rig.radio.called()
    agent.stop()
    phone.go(2)
    const refused = await phone.ackReport()
    assert.deepEqual([refused.messageId, refused.code], [messageIdOf(2), 'GO_EXPIRED'])
    call.end({ state: 'sent' })
    assert.equal((await phone.ackReport()).state, 'sent')
    assert.equal(await phone.closed, 1000)
    assert.equal(await agent.exit, 0)
    assert.equal(rig.radio.sent.length, 1)
  },
)

test('a stopping agent ignores a go', options, async t => {
  const rig = await agentRig(t)
  const agent = rig.start()
  const phone = await rig.gateway.nextPhone()
  await phone.handshake()
  const call = await radioCallFor(rig, phone, 1)
  call.end({ state: 'sent' })
  const owed = await phone.next('report')
  phone.sendFrame(offerOf(2))
  await phone.next('begin')
  agent.stop()
  phone.go(2)
  const refused = await phone.ackReport()
  assert.deepEqual([refused.messageId, refused.code], [messageIdOf(2), 'GO_EXPIRED'])
  phone.ack(owed)
  assert.equal(await agent.exit, 0)
  assert.equal(rig.radio.sent.length, 1)
})

test('a stopping agent gives up a send that never ends after ten seconds', options, async t => {
  const rig = await agentRig(t)
  const agent = rig.start()
  const phone = await rig.gateway.nextPhone()
  await phone.handshake()
  const call = await radioCallFor(rig, phone, 1)
  agent.stop()
  await phone.settled()
  rig.clock.advance(10_000)
  assert.equal(await phone.closed, 1000)
  assert.equal(await agent.exit, 0)
  call.end({ state: 'sent' })
  rig.start()
  const [held] = await (await rig.gateway.nextPhone()).handshake()
  assert.deepEqual([held?.state, held?.code], ['uncertain', 'AGENT_CRASHED'])
})

test('a received message is reported until it is acknowledged, also after a restart', options, async t => {
  const rig = await agentRig(t)
  const message = {
    id: 'sms-7',
    from: '+15550199',
    message: 'hello',
    at: '2026-01-31T12:00:00.000Z',
    simSlot: 1,
  }
  const cursors: (string | null)[] = []
  const incoming = async (cursor: string | null): Promise<Incoming> => {
    cursors.push(cursor)
    return { messages: cursor === null ? [message] : [], cursor: '7' }
  }
  const driver = Object.assign(rig.radio, { incoming })
  const agent = rig.start({ driver })
  const phone = await rig.gateway.nextPhone()
  await phone.handshake()
  assert.deepEqual(await phone.next('received'), { type: 'received', ...message })
  agent.stop()
  assert.equal(await agent.exit, 0)
  rig.start({ driver })
  const again = await rig.gateway.nextPhone()
  await again.handshake()
  assert.equal((await again.next('received')).id, 'sms-7')
  again.sendFrame({ type: 'ack', id: 'sms-7' })
  await again.settled()
  rig.clock.advance(15_000)
  await again.settled()
  assert.deepEqual(again.unread('received'), [])
  assert.deepEqual(cursors, [null, '7', '7'])
})

test('a received text that is longer than a frame is reported as far as it fits', options, async t => {
  const rig = await agentRig(t)
  const message = '漢😀"'.repeat(2_500)
  const received = { id: 'sms-8', from: '+15550199', message, at: '2026-01-31T12:00:00.000Z', simSlot: 1 }
  const incoming = async (cursor: string | null): Promise<Incoming> => {
    return { messages: cursor === null ? [received] : [], cursor: '8' }
  }
  rig.start({ driver: Object.assign(rig.radio, { incoming }) })
  const phone = await rig.gateway.nextPhone()
  await phone.handshake()
  const frame = await phone.next('received')
  assert.ok(message.startsWith(frame.message) && frame.message.isWellFormed())
  const bytes = Buffer.byteLength(JSON.stringify(frame))
  assert.ok(bytes > FRAME_BYTES_MAX * 0.9 && bytes <= FRAME_BYTES_MAX, `${bytes} bytes`)
})

test('telemetry is sent after connecting, after a change, and every five minutes', options, async t => {
  const rig = await agentRig(t)
  let battery = 80
  const telemetry = async () => ({ battery, charging: true, signal: -70 })
  const sims = async () => [{ slot: 1, carrier: 'Example', countryCode: 'DE', phoneNumber: null }]
  rig.start({ driver: Object.assign(rig.radio, { telemetry, sims }) })
  const phone = await rig.gateway.nextPhone()
  await phone.handshake()
  const hello = phone.received.find(frame => frame.type === 'hello')
  assert.equal(hello?.sims[0]?.carrier, 'Example')
  assert.equal((await phone.next('telemetry')).battery, 80)
  const minute = async () => {
    for (let s = 0; s < 60; s += 20) {
      await phone.settled()
      rig.clock.advance(20_000)
    }
    await phone.settled()
    await phone.settled()
  }
  await minute()
  assert.deepEqual(phone.unread('telemetry'), [])
  battery = 79
  await minute()
  assert.equal((await phone.next('telemetry')).battery, 79)
  for (let minutes = 0; minutes < 5; minutes++) await minute()
  assert.equal((await phone.next('telemetry')).battery, 79)
})
