/**
 * Every recipe of GUIDE, and every file for a sender, with a policy of two people. What is posted is made
 * from the text that people copy, so that neither can change without the other.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { type Recipe, RecipeShell } from '#test/kit/recipe-shell.ts'
import { MACHINE_RECIPES } from '#test/kit/recipes-of-machines.ts'
import { MONITOR_RECIPES } from '#test/kit/recipes-of-monitors.ts'
import { POSTED_RECIPES } from '#test/kit/recipes-posted.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const ADA = '+14155550201'
const BOB = '+14155550202'

/** A webhook with a policy: Ada at once, Bob after five minutes. */
async function policyFor(t: TestContext) {
  const gateway = await sharedGateway()
  const owner = await gateway.newAccount()
  const phone = await PairedPhone.pair(gateway, owner.accountId)
  await phone.connect(gateway.url)
  t.after(() => phone.disconnect())
  await phone.reportReceived({ id: 'first', from: ADA, message: 'hello' })
  const post = async (path: string, json: object) => {
    const { json: answer, text } = await gateway.call('POST', `/api/v1/${path}`, { token: owner.token, json })
    assert.ok(answer?.data, text)
    return answer.data
  }
  const ada = await post('people', { name: 'Ada', phoneNumber: ADA })
  const bob = await post('people', { name: 'Bob', phoneNumber: BOB })
  const steps = [ada, bob].map(({ id }, step) => ({ afterMinutes: 5 * step, tell: [id] }))
  const { id: policyId } = await post('policies', { name: 'Night', steps })
  const { url } = await post('webhooks', { name: 'alerts', recipients: [], policyId })
  const incidents = async () => {
    const { json } = await gateway.call('GET', '/api/v1/incidents', { key: owner.liveKey })
    return [...(json?.data ?? [])].reverse() as readonly Record<string, unknown>[]
  }
  return { phone, incidents, shell: new RecipeShell(temporaryDirectory(t), `${gateway.url}${url}`) }
}

async function follow(t: TestContext, { events, send, texts, keys }: Recipe): Promise<void> {
  const { phone, incidents, shell } = await policyFor(t)
  const { problem, other, repeat = problem, ack, end } = events
  const give = (event: unknown) => send(shell, event as never)
  await give(problem)
  if (other !== undefined) await give(other)
  await give(repeat)
  assert.deepEqual(
    (await incidents()).map(({ key, state }) => [key, state]),
    keys.map(key => [key, 'open']),
    'each problem is an incident, and the repeat is none',
  )
  if (ack !== undefined) {
    await give(ack)
    assert.deepEqual(
      (await incidents()).map(({ state, takenBy }) => [state, takenBy]),
      [['taken', 'owner'], ...keys.slice(1).map(() => ['open', null])],
      'that a person works on it takes the incident',
    )
  }
  if (end !== undefined) {
    await give(end)
    const closed = (await incidents()).map(({ state, closedBy }) => [state, closedBy])
    const rest = keys.slice(1).map(() => ['open', null])
    assert.deepEqual(closed, [['closed', 'sender'], ...rest], 'the end closes its own')
  }
  const asked = texts.slice(0, keys.length).map((text, place) => `${text}\nReply ${place + 2}: I take it`)
  const told = (await phone.whenSent(texts.length)).map(one => `${one.phoneNumber}: ${one.message}`)
  assert.deepEqual(
    told,
    [...asked, ...texts.slice(keys.length)].map(text => `${ADA}: ${text}`),
  )
}

for (const recipe of [...MACHINE_RECIPES, ...MONITOR_RECIPES, ...POSTED_RECIPES])
  test(`${recipe.name}: its problems are told once each, and its end closes its own`, t => follow(t, recipe))
