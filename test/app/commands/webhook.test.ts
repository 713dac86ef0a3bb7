/** `roost webhook`, beside a running gateway. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { type CommandOptions, runHere } from '#test/kit/run-roost.ts'

const NUMBER = '+14155550123'

let gateway: TestGateway
let owner: TestAccount

before(async () => {
  gateway = await startGateway()
  owner = await gateway.owner()
  await PairedPhone.pair(gateway, owner.accountId)
})
after(() => gateway.stop())

const roost = (args: readonly string[], options: Partial<CommandOptions> = {}) =>
  runHere([...args, '--data', gateway.dataDir], { cwd: '/nowhere', ...options })
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await roost([...args, '--json'])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

test('webhook create prints only the address on stdout, and a curl command on stderr', async () => {
  const of = ['--account', owner.email]
  const args = ['webhook', 'create', "the cat's door", '--recipient', NUMBER, ...of]
  const { code, stdout, stderr } = await roost(args)
  assert.equal(code, 0, stderr)
  const url = stdout.trim()
  assert.match(stderr, /curl -d 'Hello from the cat'\\''s door' http:\/\//)
  assert.ok(stderr.includes(url))
  assert.equal((await fetch(url, { method: 'POST', body: 'open' })).status, 200)
  const listed = await roost(['webhook', 'list'])
  assert.match(listed.stdout, /the cat's door +\+14155550123 +1 today +just now /)
  const rotated = (await roost(['webhook', 'rotate', "the cat's door"])).stdout.trim()
  assert.notEqual(rotated, url)
  assert.equal((await fetch(url, { method: 'POST', body: 'open' })).status, 404)
  assert.equal((await fetch(rotated, { method: 'POST', body: 'shut' })).status, 200)
  assert.equal((await roost(['webhook', 'remove', "the cat's door"])).code, 0)
  assert.equal((await fetch(rotated, { method: 'POST', body: 'shut' })).status, 404)
  assert.equal((await roost(['webhook', 'create', 'x', '--recipient', '12'])).code, 2)
})

test('webhook create and rotate say where mails go, if the gateway takes mails', async () => {
  const env = { ROOST_SMTP__PORT: '2525' }
  const create = ['webhook', 'create', 'printer', '--recipient', NUMBER, '--account', owner.email]
  const made = await roost(create, { env })
  const sentence = /A mail to ([0-9a-f]{40}@roost\.local) does the same \(server [\w.-]+, port 2525\)\./
  const [, address] = sentence.exec(made.stderr) ?? []
  assert.ok(address, made.stderr)
  const rotated = await roost(['webhook', 'rotate', 'printer'], { env })
  assert.match(rotated.stderr, /no longer works\. A mail to .* The new address:\n$/)
  assert.ok(!rotated.stderr.includes(address))
  const without = await roost(['webhook', 'rotate', 'printer'])
  assert.equal(without.stderr, 'The old address of printer no longer works. The new address:\n')
  assert.equal((await roost(['webhook', 'remove', 'printer'])).code, 0)
})

test('triggers are listed with guesses marked, and a reading is settled and forgotten', async () => {
  const { url } = await json('webhook', 'create', 'pump', '--recipient', NUMBER, '--account', owner.email)
  const post = (body: object) => fetch(String(url), { method: 'POST', body: JSON.stringify(body) })
  await post({ geraet: 'Pumpe 3', lage: 'kaputt', ort: 'Keller' })
  const listed = await roost(['webhook', 'triggers', 'pump'])
  const [, number = ''] = /^(\d+) +just now +127.0.0.1 +TRIGGERED +guess /m.exec(listed.stdout) ?? []
  const shown = await roost(['webhook', 'triggers', 'pump', number])
  assert.match(shown.stdout, /^geraet +\S+ +Pumpe 3$/m)
  const asRead = await json('webhook', 'settle', 'pump', number)
  assert.deepEqual(asRead.match, ['geraet', 'lage', 'ort'])
  const tooMany = await roost(['webhook', 'settle', 'pump', number, '--over', ...Array(21).fill('ok')])
  assert.match(tooMany.stderr, /over must have at most 20 values/)
  const wrong = await roost(['webhook', 'settle', 'pump', number, '--thing', 'nowhere'])
  assert.match(wrong.stderr, /thing: is not a field of this shape/)
  const settled = await json(
    'webhook',
    'settle',
    'pump',
    number,
    '--thing',
    'ort',
    '--state',
    'lage',
    '--over',
    'gut',
    '0',
  )
  assert.deepEqual([settled.thing, settled.state, settled.reason], ['ort', 'lage', null])
  assert.deepEqual(settled.over, ['gut', '0'])
  await post({ geraet: 'Pumpe 4', lage: 'kaputt', ort: 'Dach' })
  assert.match((await roost(['webhook', 'triggers', 'pump'])).stdout, /TRIGGERED +- +KAPUTT Dach/)
  assert.match(
    (await roost(['webhook', 'readings', 'pump'])).stdout,
    /^\w{16} +ort +lage +- +gut, 0 +just now/m,
  )
  assert.equal((await roost(['webhook', 'forget', 'pump', String(settled.shape)])).code, 0)
  assert.deepEqual((await json('webhook', 'readings', 'pump')).readings, [])
})

test('webhook create gathers alerts unless it is told not to, and can watch silence', async () => {
  const create = (...more: string[]) =>
    json('webhook', 'create', 'storms', '--recipient', NUMBER, '--account', owner.email, ...more)
  const settings = ({ gather, silentAfterMinutes }: Record<string, unknown>) => [gather, silentAfterMinutes]
  assert.deepEqual(settings(await create()), [true, null])
  assert.deepEqual(settings(await create('--no-gather', '--silent-after', '1440')), [false, 1440])
  for (const minutes of ['0', '44641', '1.5', 'x']) {
    const args = ['webhook', 'create', 'x', '--recipient', NUMBER, '--silent-after', minutes]
    const { code, stderr } = await roost(args)
    assert.equal(code, 2)
    assert.match(stderr, /--silent-after.*whole number of minutes from 1 to 44640/)
  }
})
