/**
 * The driver under random faults from a seed: requests and answers get lost, the agent dies before or after
 * it posts, and the app loses its database.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Order, Outcome } from '#agent/drivers/driver.ts'
import { messageIdOf } from '#test/kit/fake-gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { Random } from '#test/kit/random.ts'
import { never, type SmsgateRig, smsgateOrder, smsgateRig } from '#test/kit/smsgate-rig.ts'
import { sized } from '#test/kit/test-size.ts'

const TRIALS = sized(10, 2_000)
const TEXTS = 3
/** With this seed the answer about the very first text is lost, and so is the database before a look-up. */
const FIRST_TEXT_SEED = 195_645_730

type End = 'delivered' | 'failed' | 'unknown'

function injectFaults({ phone }: SmsgateRig, dice: Random): void {
  phone.radio = async () => (dice.chance(1 / 12) ? 'Send result: RESULT_ERROR_NO_SERVICE (no service)' : null)
  phone.fate = () => {
    if (dice.chance(1 / 15)) phone.forgetAll()
    if (dice.chance(1 / 8)) return 'cut-before'
    if (dice.chance(1 / 6)) return 'cut-after'
    return dice.chance(1 / 15) ? 'fail' : 'answer'
  }
}

/** Sends a text like an agent that dies now and then, and follows it to its end. */
async function sendOne(rig: SmsgateRig, dice: Random, n: number): Promise<End> {
  let driver = rig.newDriver()
  const order = smsgateOrder(n, { mark: await driver.mark() })
  const diesBefore = dice.chance(1 / 8)
  let outcome: Outcome | null = diesBefore ? null : await driver.send(order, never)
  if (dice.chance(1 / 8)) {
    outcome = null
    driver = rig.newDriver()
  }
  while (outcome === null || outcome.state === 'submitting') {
    const found = await driver.lookUp(order, never)
    if (found === 'unknown') return 'unknown'
    if (found === 'not-sent') return 'failed'
    if (found !== 'later') outcome = found
  }
  return endOf(driver, order, outcome)
}

async function endOf(driver: SmsgateRig['driver'], order: Order, outcome: Outcome): Promise<End> {
  let last = outcome
  while (last.state === 'submitted' || last.state === 'sent') {
    const next = await driver.follow(order, last.state, never)
    // The app lost its database after it reported the text as sent.
    if (next === null) return last.state === 'sent' ? 'delivered' : 'unknown'
    last = next
  }
  if (last.state === 'uncertain') return 'unknown'
  return last.state === 'failed' ? 'failed' : 'delivered'
}

async function runTrial(t: TestContext, seed: number): Promise<{ ends: End[]; wrong: string[] }> {
  const rig = await smsgateRig(t)
  const dice = new Random(seed)
  injectFaults(rig, dice)
  const ends: End[] = []
  const wrong: string[] = []
  for (let n = 1; n <= TEXTS; n++) {
    const end = await sendOne(rig, dice, n)
    const times = rig.phone.transmitted.filter(id => id === messageIdOf(n)).length
    ends.push(end)
    if (times > 1) wrong.push(`text ${n} was sent ${times} times`)
    if (end === 'delivered' && times === 0) wrong.push(`text ${n} was lost: ${end}, and never sent`)
    if (end === 'failed' && times > 0) wrong.push(`text ${n} failed, and was sent`)
  }
  await rig.phone.stop()
  return { ends, wrong: wrong.map(words => `seed ${seed}: ${words}`) }
}

test(`in ${TRIALS} trials no text is sent twice or silently lost`, { timeout: HANGS_AFTER_MS }, async t => {
  const first = Math.floor(Math.random() * 2 ** 31)
  const counts: Record<End, number> = { delivered: 0, failed: 0, unknown: 0 }
  const seeds = [FIRST_TEXT_SEED, ...Array.from({ length: TRIALS }, (_, n) => first + n)]
  for (const seed of seeds) {
    const { ends, wrong } = await runTrial(t, seed)
    assert.deepEqual(wrong, [])
    for (const end of ends) counts[end]++
  }
  t.diagnostic(`seeds from ${first}: ${JSON.stringify(counts)}`)
  assert.ok(counts.delivered > 0 && counts.unknown > 0, 'some texts are delivered, and some become unknown')
})
