import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver } from '#agent/drivers/driver.ts'
import { AGENT_OUTCOME_CHECK_MS } from '#agent/session/radio.ts'
import { agentRig, radioCallFor } from '#test/kit/agent-rig.ts'
import { messageIdOf, offerOf } from '#test/kit/fake-gateway.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

const options = { timeout: HANGS_AFTER_MS }
type Found = Awaited<ReturnType<NonNullable<Driver['lookUp']>>>

/** Advances the clock by the agent's own pauses until the promise settles. */
async function passing<T>(clock: { advance(ms: number): void }, said: Promise<T>): Promise<T> {
  let isOver = false
  const watched = said.finally(() => {
    isOver = true
  })
  while (!isOver) {
    clock.advance(AGENT_OUTCOME_CHECK_MS)
    await nextTurn()
  }
  return watched
}

for (const [found, word] of [
  [{ state: 'sent' }, 'sent null'],
  ['not-sent', 'failed EXPIRED'],
  ['unknown', 'uncertain PHONE_AWAY'],
] as const) {
  const name = typeof found === 'string' ? found : found.state
  test(
    `an uncertain text waits until the phone can be asked, and the phone answers ${name}`,
    options,
    async t => {
      const rig = await agentRig(t)
      const answers: Found[] = ['later', 'later', found]
      const lookUp = async () => answers.shift() ?? found
      rig.start({ driver: Object.assign(rig.radio, { lookUp }) })
      const phone = await rig.gateway.nextPhone()
      await phone.handshake()
      phone.sendFrame(offerOf(1))
      phone.sendFrame(offerOf(2))
      await phone.next('begin')
      phone.go(1)
      const call = await rig.radio.called()
      call.end({ state: 'submitting' })
      // Meanwhile the radio is free for the next text.
      assert.equal((await phone.next('begin')).messageId, messageIdOf(2))
      assert.deepEqual(phone.unread('report'), [])
      const { state, code } = await passing(rig.clock, phone.next('report'))
      assert.deepEqual([`${state} ${code}`, answers.length], [word, 0])
    },
  )
}

test(
  'a phone that cannot be asked after a crash does not keep the agent from its gateway',
  options,
  async t => {
    const rig = await agentRig(t)
    const answers: Found[] = ['later', 'later', { state: 'delivered' }]
    const lookUp = async () => answers.shift() ?? 'later'
    const driver = Object.assign(rig.radio, { lookUp })
    const first = rig.start({ driver })
    const phone = await rig.gateway.nextPhone()
    await phone.handshake()
    await radioCallFor(rig, phone, 1)
    first.stop()
    // A stopping agent gives up the call. Its journal keeps the message as begun.
    assert.equal(await passing(rig.clock, first.exit), 0)
    rig.start({ driver })
    const again = await rig.gateway.nextPhone()
    const held = await again.handshake()
    assert.deepEqual(
      held.map(({ messageId, state }) => `${messageId} ${state}`),
      [`${messageIdOf(1)} submitting`],
    )
    assert.equal((await passing(rig.clock, again.next('report'))).state, 'delivered')
  },
)
