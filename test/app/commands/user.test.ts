/** `roost user` beside a running gateway. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { runHere } from '#test/kit/run-roost.ts'

let gateway: TestGateway

before(async () => {
  gateway = await startGateway()
})
after(() => gateway.stop())

const roost = (...args: string[]) => runHere([...args, '--data', gateway.dataDir], { cwd: '/nowhere' })
const PASSWORD = 'correct horse battery'

test('a login is invited, listed, disabled, enabled and removed', async () => {
  const invited = await roost('user', 'invite', 'Ada@Example.org', '--role', 'operator')
  assert.equal(invited.code, 0)
  assert.match(invited.stderr, /^Give this link to ada@example\.org \(operator\)/)
  const [, token] = /^http:\S+\/#\/invite\/(inv_\w+)\n$/.exec(invited.stdout) ?? []
  assert.match((await roost('user', 'list')).stdout, /ada@example\.org +operator +invited until 20/)

  const json = { token, password: PASSWORD }
  assert.equal((await gateway.call('POST', '/api/v1/invitations', { json })).status, 200)
  const logIn = async () =>
    (
      await gateway.call('POST', '/api/v1/session', {
        json: { email: 'ada@example.org', password: PASSWORD },
      })
    ).status
  assert.equal(await logIn(), 200)

  assert.equal((await roost('user', 'disable', 'ada@example.org')).code, 0)
  assert.match((await roost('user', 'list')).stdout, /ada@example\.org +operator +disabled/)
  assert.equal(await logIn(), 401)
  assert.equal((await roost('user', 'enable', 'ada@example.org')).code, 0)
  assert.equal(await logIn(), 200)
  const removed = await roost('user', 'remove', 'ada@example.org')
  assert.match(removed.stderr, /^Removed the login ada@example\.org \(usr_\w{26}\)\.\n$/)
  assert.equal(await logIn(), 401)
})

test('a wrong role, an unknown login and the last owner are refused', async () => {
  const wrong = await roost('user', 'invite', 'bob@example.org', '--role', 'king')
  assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
  assert.match(wrong.stderr, /viewer, operator, owner/)
  assert.match((await roost('user', 'remove', 'nobody@example.org')).stderr, /no such login/)
  const last = await roost('user', 'disable', 'owner@localhost')
  assert.equal(last.code, 1)
  assert.match(last.stderr, /last owner/)
})

test('a new account has the plan of the configuration, standard by default', async () => {
  const made = await roost('account', 'create', 'new@example.org', '--json')
  assert.equal(JSON.parse(made.stdout).plan, 'standard')
  const { stdout } = await roost('account', 'list')
  assert.match(stdout, /owner@localhost +pro /)
})
