/** `roost incident`, beside a running gateway. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { runHere } from '#test/kit/run-roost.ts'

let gateway: TestGateway
let owner: TestAccount

before(async () => {
  gateway = await startGateway()
  owner = await gateway.owner()
  await PairedPhone.pair(gateway, owner.accountId)
})
after(() => gateway.stop())

const roost = (...args: string[]) => runHere([...args, '--data', gateway.dataDir], { cwd: '/nowhere' })

async function idOf(path: string, json: object): Promise<string> {
  const { text } = await gateway.call('POST', `/api/v1${path}`, { token: owner.token, json })
  return JSON.parse(text).data.id
}

test('incidents are listed, taken and closed, by number or by id', async () => {
  const tell = [await idOf('/people', { name: 'Ada', phoneNumber: '+14155550123' })]
  const policyId = await idOf('/policies', { name: 'Night', steps: [{ afterMinutes: 0, tell }] })
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
