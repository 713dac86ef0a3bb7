/** `roost incident`, beside a running gateway. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { runHere } from '#test/kit/run-roost.ts'
import { slowSteps } from '#test/kit/slow-steps.ts'

let gateway: TestGateway
let owner: TestAccount

before(async () => {
  gateway = await startGateway()
  owner = await gateway.owner()
  await PairedPhone.pair(gateway, owner.accountId)
})
after(() => gateway.stop())

const roost = (...args: string[]) => runHere([...args, '--data', gateway.dataDir], { cwd: '/nowhere' })

async function idOf(path: string, json: object, token = owner.token): Promise<string> {
  const { status, text } = await gateway.call('POST', `/api/v1${path}`, { token, json })
  assert.equal(status, 200, text)
  return JSON.parse(text).data.id
}

test('incidents are listed, taken and closed, by number or by id', async () => {
  const tell = [await idOf('/people', { name: 'Ada', phoneNumber: '+14155550123' })]
  const policyId = await idOf('/policies', { name: 'Night', steps: slowSteps(tell) })
  assert.equal(JSON.parse((await roost('incident', 'list', '--json')).stdout).incidents.length, 0)
  const id = await idOf(`/policies/${policyId}/rehearse`, {})
  const row = (state: string) => new RegExp(`^WHEN .*\n.* 2 +${state} +Night: rehearsal +1 +${id}\n$`)
  assert.match((await roost('incident', 'list')).stdout, row('open'))
  const taken = await roost('incident', 'take', '2', '--minutes', '30')
  assert.deepEqual([taken.code, taken.stderr], [0, `Took ${id}: Night: rehearsal\n`])
  assert.match((await roost('incident', 'list', '--state', 'taken')).stdout, row('taken'))
  const closed = await roost('incident', 'close', id, '--json')
  assert.equal(JSON.parse(closed.stdout).closedBy, 'owner')
  assert.match((await roost('incident', 'close', id)).stderr, /this incident is closed/)
  assert.match((await roost('incident', 'close', '2')).stderr, /no such incident/)
  assert.equal((await roost('incident', 'take', id, '--minutes', '0')).code, 2)
})

test('with several accounts, an incident is found by its id, or by a number that only one has', async () => {
  const other = await gateway.account('other@example.org')
  await PairedPhone.pair(gateway, other.accountId)
  const policyOf = async ({ token }: TestAccount, phoneNumber: string) => {
    const tell = [await idOf('/people', { name: 'Bob', phoneNumber }, token)]
    return idOf('/policies', { name: 'Day', steps: slowSteps(tell) }, token)
  }
  const open = async ({ token }: TestAccount, policyId: string) => {
    const id = await idOf(`/policies/${policyId}/rehearse`, {}, token)
    const { json } = await gateway.call('GET', `/api/v1/incidents/${id}`, { token })
    return { id, number: String(json?.data['number']) }
  }
  const ours = await open(owner, await policyOf(owner, '+14155550125'))
  assert.equal((await roost('incident', 'take', ours.number)).stderr, `Took ${ours.id}: Day: rehearsal\n`)
  const theirs = await policyOf(other, '+14155550124')
  let same = await open(other, theirs)
  while (same.number !== ours.number) {
    await roost('incident', 'close', same.id)
    same = await open(other, theirs)
  }
  const unclear = await roost('incident', 'close', same.number)
  assert.deepEqual([unclear.code, /several accounts.*--account/.test(unclear.stderr)], [1, true])
  const named = await roost('incident', 'close', same.number, '--account', other.email)
  assert.equal(named.stderr, `Closed ${same.id}: Day: rehearsal\n`)
  assert.equal((await roost('incident', 'close', ours.id)).stderr, `Closed ${ours.id}: Day: rehearsal\n`)
  assert.match((await roost('incident', 'take', same.id)).stderr, /this incident is closed/)
})
