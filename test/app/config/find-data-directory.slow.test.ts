import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { actAsOwner } from '#app/commands/act-as-owner.ts'
import { loadConfig } from '#app/config/config-file.ts'
import { findDataDirectory } from '#app/config/find-data-directory.ts'
import { nameUser } from '#app/name-user.ts'
import { runHere, runRoost } from '#test/kit/run-roost.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const isRoot = process.getuid?.() === 0

/** A working directory and a system directory. `data` and `system`: which of them holds a gateway. */
function places(t: TestContext, { data = false, system = false }) {
  const top = temporaryDirectory(t)
  const systemDir = join(top, 'system')
  for (const [path, isGateway] of [
    [join(top, 'data'), data],
    [systemDir, system],
  ] as const) {
    if (!isGateway) continue
    mkdirSync(path)
    writeFileSync(join(path, 'roost.db'), '')
  }
  const find = (options: { data?: string } = {}, more: { mayCreate?: boolean; env?: object } = {}) => {
    const { mayCreate = false, env = {} } = more
    const loaded = loadConfig({ options, env: { ...env }, cwd: top })
    return findDataDirectory({ loaded, cwd: top, mayCreate, systemDir })
  }
  return { top, systemDir, find }
}

test("./data is used before the system's directory if it holds a gateway", t => {
  const { top, find } = places(t, { data: true, system: true })
  assert.equal(find(), join(top, 'data'))
})

test('the gateway of the system is found from any folder', t => {
  const { systemDir, find } = places(t, { system: true })
  assert.equal(find(), systemDir)
})

test('a data directory named by option, environment or file is always used', t => {
  const { top, find } = places(t, { data: true, system: true })
  const missing = {
    code: 'NOT_FOUND',
    message: /there is no gateway in \/.*\/named: name its data directory/,
  }
  assert.throws(() => find({ data: 'named' }), missing)
  assert.throws(() => find({}, { env: { ROOST_DATA_DIR: 'named' } }), missing)
  writeFileSync(join(top, 'config.toml'), 'data_dir = "named"\n')
  assert.throws(() => find(), missing)
  assert.equal(find({ data: 'data' }), join(top, 'data'))
})

test('without a gateway only a command that may create one gets the configured directory', t => {
  const { top, find } = places(t, {})
  assert.throws(() => find(), /there is no gateway in .*\/data or .*\/system: .* roost serve$/)
  assert.equal(find({}, { mayCreate: true }), join(top, 'data'))
})

test('only serve and account create make a data directory', async t => {
  const cwd = temporaryDirectory(t)
  for (const line of ['account list', 'key list', 'device pair', 'token', 'device remove dev_1']) {
    const { code, stderr } = await runHere([...line.split(' '), '--data', 'gone'], { cwd })
    assert.equal(code, 1, line)
    assert.match(stderr, /^error: there is no gateway in \S*\/gone: /)
  }
  assert.equal((await runHere(['account', 'create', 'a@x'], { cwd })).code, 0)
  assert.equal((await runHere(['key', 'list'], { cwd })).code, 0)
})

test('root acts as the owner of the directory, or gets an error that says what to do', t => {
  const directory = temporaryDirectory(t)
  const became: object[] = []
  const user = (become: (user: object) => void) => ({ uid: 0, become })
  // As root this test has made a directory of root. Elsewhere the top of the tree is one.
  actAsOwner(
    isRoot ? directory : '/',
    user(who => became.push(who)),
  )
  actAsOwner(
    join(directory, 'not-there-yet'),
    user(() => assert.fail()),
  )
  actAsOwner(directory, { uid: process.getuid?.() ?? 1, become: () => assert.fail() })
  assert.deepEqual(became, [])
})

const skip = isRoot ? false : 'another user needs root: run the tests as root'

test('commands of root on a service user’s directory run as that user', { skip }, async t => {
  const cwd = temporaryDirectory(t)
  chmodSync(cwd, 0o755)
  const data = join(cwd, 'data')
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, 65_534, 65_534)
  for (const line of ['account create a@x', 'key create'])
    assert.equal((await runRoost(line.split(' '), { cwd })).code, 0)
  const owners = readdirSync(data, { recursive: true }).map(file => statSync(join(data, String(file))).uid)
  assert.deepEqual([...new Set(owners)], [65_534])
  const refused = () =>
    actAsOwner(data, {
      uid: 0,
      become() {
        throw new Error('EPERM')
      },
    })
  assert.throws(refused, /data belongs to the user nobody, .* for example: sudo -u nobody roost …$/)
})

test('a user is called by name, or by the id that the system has no name for', () => {
  assert.deepEqual([nameUser(0), nameUser(4_000_000_000)], ['root', '4000000000'])
})

test('with several accounts --account is required, and the error names them', async t => {
  const cwd = temporaryDirectory(t)
  const roost = (line: string) => runHere(line.split(' '), { cwd })
  await roost('account create a@x')
  const alone = await roost('key create')
  assert.match(alone.stdout, /^sk_live_/)
  await roost('account create b@x')
  const unnamed = await roost('device pair')
  assert.deepEqual([unnamed.code, unnamed.stderr], [2, 'error: --account: must name an account: a@x, b@x\n'])
  const strange = await roost('token --account c@x')
  assert.deepEqual(
    [strange.code, strange.stderr],
    [1, 'error: there is no account c@x; the accounts are a@x, b@x\n'],
  )
})

test('a misspelled command gets a suggestion', async () => {
  const { code, stderr } = await runHere(['devise', 'list'], { cwd: '/nowhere' })
  assert.equal(code, 2)
  assert.match(stderr, /Did you mean device\?/)
  const help = await runHere(['help', 'device', 'pair'], { cwd: '/nowhere' })
  assert.equal(help.code, 0)
  assert.match(help.stdout, /^Usage: roost device pair /)
})
