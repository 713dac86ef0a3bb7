import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { agentRig, HandRadio } from '#test/kit/agent-rig.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

const options = { timeout: HANGS_AFTER_MS }
const ring = (ringId: string) => ({ type: 'ring', ringId, phoneNumber: '+14155550123', seconds: 25 }) as const

/** A connected agent whose driver rings until the test ends the ring, or the agent stops it. */
async function ringingAgent(t: TestContext) {
  const rig = await agentRig(t)
  const calls: { readonly end: (outcome: 'rang' | 'busy' | 'failed') => void; stopped: boolean }[] = []
  const driver = Object.assign(new HandRadio(), {
    ring: (_phoneNumber: string, _seconds: number, signal: AbortSignal) =>
      new Promise<'rang' | 'busy' | 'failed'>(resolve => {
        const call = { end: resolve, stopped: false }
        calls.push(call)
        signal.addEventListener('abort', () => {
          call.stopped = true
          resolve('rang')
        })
      }),
  })
  const agent = rig.start({ driver })
  const phone = await rig.gateway.nextPhone()
  const hello = phone.next('hello')
  phone.sendFrame({
    type: 'welcome',
    session: 's1',
    serverTime: '2026-01-31T12:00:00Z',
    pingEverySeconds: 20,
  })
  await phone.next('sync')
  phone.sendFrame({ type: 'synced' })
  return { rig, agent, phone, calls, hello: await hello }
}

test('hello says whether the phone calls and hands in received texts', options, async t => {
  const { hello } = await ringingAgent(t)
  assert.deepEqual([hello.calls, hello.receives], [true, false])
  const rig = await agentRig(t)
  const incoming = async (cursor: string | null) => ({ messages: [], cursor })
  rig.start({ driver: Object.assign(new HandRadio(), { incoming }) })
  const other = await (await rig.gateway.nextPhone()).next('hello')
  assert.deepEqual([other.calls, other.receives], [false, true])
})

test('a phone rings, and reports how it ended', options, async t => {
  const { phone, calls } = await ringingAgent(t)
  for (const outcome of ['rang', 'busy', 'failed'] as const) {
    phone.sendFrame(ring(`r-${outcome}`))
    await phone.settled()
    calls.at(-1)?.end(outcome)
    assert.deepEqual(await phone.next('rang'), { type: 'rang', ringId: `r-${outcome}`, outcome })
  }
})

test(
  'a phone that rings fails a second ring, and ends only the ring that it is told to',
  options,
  async t => {
    const { phone, calls } = await ringingAgent(t)
    phone.sendFrame(ring('r1'))
    phone.sendFrame(ring('r2'))
    assert.deepEqual(await phone.next('rang'), { type: 'rang', ringId: 'r2', outcome: 'failed' })
    phone.sendFrame({ type: 'stop-ring', ringId: 'r2' })
    await phone.settled()
    assert.deepEqual([calls.length, calls[0]?.stopped], [1, false])
    phone.sendFrame({ type: 'stop-ring', ringId: 'r1' })
    assert.deepEqual(await phone.next('rang'), { type: 'rang', ringId: 'r1', outcome: 'rang' })
  },
)

test('a phone that cannot call, or gets an odd number, rings nobody', options, async t => {
  const { phone, calls } = await ringingAgent(t)
  phone.sendFrame({ ...ring('r1'), phoneNumber: '$(reboot)' })
  phone.sendFrame({ ...ring('r1'), seconds: 100_000 })
  await phone.settled()
  assert.equal(calls.length, 0)
  const rig = await agentRig(t)
  rig.start()
  const other = await rig.gateway.nextPhone()
  await other.handshake()
  other.sendFrame(ring('r1'))
  assert.equal((await other.next('rang')).outcome, 'failed')
})

test('a phone hangs up when the connection ends, and says nothing of it later', options, async t => {
  const { rig, phone, calls } = await ringingAgent(t)
  phone.sendFrame(ring('r1'))
  await phone.settled()
  phone.cut()
  while (calls[0]?.stopped !== true) await nextTurn()
  rig.clock.advance(1_000)
  const again = await rig.gateway.nextPhone()
  await again.handshake()
  again.sendFrame(ring('r2'))
  await again.settled()
  assert.deepEqual([calls.length, again.unread('rang')], [2, []])
})

test('an agent that stops hangs up and reports it', options, async t => {
  const { agent, phone, calls } = await ringingAgent(t)
  phone.sendFrame(ring('r1'))
  await phone.settled()
  agent.stop()
  assert.deepEqual(await phone.next('rang'), { type: 'rang', ringId: 'r1', outcome: 'rang' })
  assert.equal(await agent.exit, 0)
  assert.equal(calls[0]?.stopped, true)
})
