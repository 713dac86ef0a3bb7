/** `roost person`, `roost oncall` and the policy of a webhook, beside a running gateway. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { runHere } from '#test/kit/run-roost.ts'

let gateway: TestGateway
let owner: TestAccount

before(async () => {
  gateway = await startGateway()
  owner = await gateway.owner()
})
after(() => gateway.stop())

const roost = (...args: string[]) => runHere([...args, '--data', gateway.dataDir], { cwd: '/nowhere' })

async function idOf(path: string, json: object): Promise<string> {
  const { text } = await gateway.call('POST', `/api/v1${path}`, { token: owner.token, json })
  return JSON.parse(text).data.id
}

test('a person is added, listed, on call, and removed when nothing names them', async () => {
  const added = await roost('person', 'add', 'Ada', '+14155550123')
  assert.deepEqual([added.code, added.stderr], [0, 'Added Ada.\n'])
  const id = added.stdout.trim()
  assert.match(id, /^per_\w{26}$/)
  const twice = await roost('person', 'add', 'Bob', '0014155550123')
  assert.deepEqual([twice.code, twice.stdout], [1, ''])
  assert.match(twice.stderr, /Ada has this phone number/)
  const { stdout } = await roost('person', 'list')
  assert.match(
    stdout,
    new RegExp(`^NAME +NUMBER .*\nAda +\\+14155550123 +\\S+ +- +owner@localhost +${id}\n$`),
  )

  const rota = { name: 'Nights', people: [id], days: 7, handover: 'mon 09:00', timeZone: 'UTC' }
  const rotaId = await idOf('/rotas', rota)
  const { stdout: turns } = await roost('oncall')
  assert.match(turns, /^ROTA +ON CALL +UNTIL .*\nNights +Ada +\d{4}-\d\d-\d\dT09:00:00\.000Z /)
  assert.match((await roost('person', 'remove', 'Ada')).stderr, /named by the rota Nights/)
  await gateway.call('DELETE', `/api/v1/rotas/${rotaId}`, { token: owner.token })
  const removed = await roost('person', 'remove', 'Ada')
  assert.deepEqual([removed.code, removed.stderr], [0, `Removed Ada (${id}).\n`])
  assert.match((await roost('person', 'remove', 'Ada')).stderr, /no such person/)
})

test('a group of people is made by names, told by a webhook, and removed when nothing names it', async () => {
  for (const [name, number] of [
    ['Cy', '+14155550131'],
    ['Di', '+14155550132'],
  ] as const)
    await roost('person', 'add', name, number)
  assert.equal((await roost('group', 'create', 'Kitchen')).code, 2)
  assert.match((await roost('group', 'create', 'Kitchen', '--person', 'Nobody')).stderr, /no such person/)
  const made = await roost('group', 'create', 'Kitchen', '--person', 'Cy', 'Di')
  assert.deepEqual([made.code, made.stderr], [0, 'Made the group Kitchen.\n'])
  const id = made.stdout.trim()
  assert.match(
    (await roost('group', 'list')).stdout,
    new RegExp(`^NAME .*\nKitchen +Cy, Di +owner@localhost +${id}\n$`),
  )
  const webhook = JSON.parse(
    (await roost('webhook', 'create', 'oven', '--person', 'Kitchen', '--json')).stdout,
  )
  assert.deepEqual([webhook.recipients, webhook.people], [[], [id]])
  assert.match((await roost('group', 'remove', 'Kitchen')).stderr, /named by the webhook oven/)
  await roost('webhook', 'remove', 'oven')
  const removed = await roost('group', 'remove', 'Kitchen')
  assert.deepEqual([removed.code, removed.stderr], [0, `Removed Kitchen (${id}).\n`])
})

test('a webhook gets a policy by its name, and loses it', async () => {
  const { stdout } = await roost('person', 'add', 'Eve', '+14155550124')
  const steps = [{ afterMinutes: 0, tell: [stdout.trim()] }]
  const policyId = await idOf('/policies', { name: 'Doors', steps })
  const make = (...args: string[]) => roost('webhook', 'create', ...args, '--json')
  assert.equal((await make('bell')).code, 2)
  assert.match((await make('bell', '--policy', 'Windows')).stderr, /no such policy/)
  const made = JSON.parse((await make('bell', '--policy', 'Doors')).stdout)
  assert.deepEqual([made.policyId, made.recipients], [policyId, []])
  assert.equal((await roost('webhook', 'update', 'bell', '--no-policy')).code, 2)
  const other = JSON.parse((await make('door', '--recipient', '+14155550123')).stdout)
  assert.equal(other.policyId, null)
  const changed = await roost('webhook', 'update', 'door', '--policy', policyId, '--json')
  assert.equal(JSON.parse(changed.stdout).policyId, policyId)
  const cleared = await roost('webhook', 'update', 'door', '--no-policy', '--json')
  assert.equal(JSON.parse(cleared.stdout).policyId, null)
  assert.equal((await roost('webhook', 'update', 'door')).code, 2)
})

test('a number that cannot be read is refused, and a name that two people have', async () => {
  const strange = await roost('person', 'add', 'Bob', '555')
  assert.equal(strange.code, 2)
  assert.match(strange.stderr, /555: must begin with \+/)
  await roost('person', 'add', 'Twin', '+14155550125')
  const second = (await roost('person', 'add', 'Twin', '+14155550126')).stdout.trim()
  const both = await roost('person', 'remove', 'Twin')
  assert.equal(both.code, 1)
  assert.match(both.stderr, /several people are called Twin: give the id/)
  assert.equal((await roost('person', 'remove', second)).code, 0)
  assert.equal((await roost('person', 'remove', 'Twin')).code, 0)
})

test('oncall follows an override, and names the person of each rota', async () => {
  const [cem = '', dee = ''] = await Promise.all([
    idOf('/people', { name: 'Cem', phoneNumber: '+14155550127' }),
    idOf('/people', { name: 'Dee', phoneNumber: '+14155550128' }),
  ])
  const id = await idOf('/rotas', { name: 'Days', people: [cem, dee], days: 1, handover: 'mon 09:00' })
  assert.match((await roost('oncall')).stdout, /^Days +Cem +/m)
  const [from, until] = [new Date(Date.now() - 60_000), new Date(Date.now() + 3_600_000)]
  await idOf(`/rotas/${id}/overrides`, { personId: dee, from, until })
  const { rotas } = JSON.parse((await roost('oncall', '--json')).stdout)
  const found = rotas.find((rota: { readonly id: string }) => rota.id === id)
  assert.deepEqual([found.person, found.onCall], ['Dee', dee])
})

test('update without a flag, or with an unknown policy, leaves the policy as it is', async () => {
  const eve = await idOf('/people', { name: 'Eva', phoneNumber: '+14155550129' })
  const policyId = await idOf('/policies', { name: 'Keys', steps: [{ afterMinutes: 0, tell: [eve] }] })
  const made = await roost('webhook', 'create', 'lock', '--policy', 'Keys')
  assert.match(made.stderr, /people get texts as its policy says/)
  assert.match(
    (await roost('webhook', 'update', 'lock')).stderr,
    /--policy: name a policy, or use --no-policy/,
  )
  assert.equal((await roost('webhook', 'update', 'lock', '--policy', 'Windows')).code, 1)
  const { webhooks } = JSON.parse((await roost('webhook', 'list', '--json')).stdout)
  const lock = webhooks.find((one: { readonly name: string }) => one.name === 'lock')
  assert.equal(lock.policyId, policyId)
  // The column of the recipients is not empty.
  assert.match((await roost('webhook', 'list')).stdout, /^lock +- /m)
})
