import assert from 'node:assert/strict'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { verifyAccountToken } from '#app/auth/account-token.ts'
import { openWriterForCommand } from '#app/commands/open-writer-for-command.ts'
import type { CommandInput, CommandName } from '#contracts/commands.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { VERSION } from '#contracts/version.ts'
import { dataDirectory, lockDataDirectory, makeDataDirectory } from '#storage/data-directory.ts'
import { loadSecret } from '#storage/secret-file.ts'
import { isWellFormedSecret } from '#storage/source.ts'
import { type RoostRun, type RunOptions, runHere, runRoost } from '#test/kit/run-roost.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const EMAIL = 'owner@example.org'

/**
 * The command line in a directory of its own: as the real program, and in this process where that is enough.
 */
function roost(t: { after(done: () => void): void }) {
  const cwd = temporaryDirectory(t)
  const config = { ...CONFIG_DEFAULTS, data_dir: join(cwd, 'data') }
  const program = (line: string, options: Omit<RunOptions, 'cwd'> = {}): Promise<RoostRun> =>
    runRoost(line.split(' '), { cwd, ...options })
  const run = (line: string, options: Omit<RunOptions, 'cwd'> = {}): Promise<RoostRun> =>
    runHere(line.split(' '), { cwd, ...options })
  const json = async (line: string) => {
    const { code, stdout, stderr } = await run(`${line} --json`)
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }
  const ask = async <N extends CommandName>(name: N, input: CommandInput<N>) => {
    const writer = await openWriterForCommand({ config, tell: assert.fail })
    return writer.ask(name, input).finally(() => writer.close())
  }
  const account = (email = EMAIL) => ask('account.create', { email, plan: 'free', passwordHash: null })
  return { cwd, program, run, json, ask, account }
}

describe('the command line on a stopped data directory', { concurrency: 2 }, () => {
  test('account create prints nothing but the new password on standard output', async t => {
    const { program, json, cwd } = roost(t)
    const made = await program('account create Owner@Example.org --plan pro')
    assert.equal(made.code, 0, made.stderr)
    assert.match(made.stdout, /^[1-9A-Za-z]{22}\n$/)
    assert.doesNotMatch(made.stderr, /Warning/)
    const { accounts } = await json('account list')
    assert.deepEqual(Object.keys(accounts[0]), ['accountId', 'email', 'plan', 'createdAt'])
    assert.equal(accounts[0].email, EMAIL)
    const modes = ['data', 'data/roost.db', 'data/lock'].map(file => statSync(join(cwd, file)).mode & 0o777)
    assert.deepEqual(modes, [0o700, 0o600, 0o600])
    const files = ['commit-mark', 'database-checked', 'lock', 'roost.db', 'secrets', 'spare-room']
    assert.deepEqual(readdirSync(join(cwd, 'data')).sort(), files)
  })

  test('plan and password of an account can be changed, and invalid values are refused', async t => {
    const { run, json, cwd } = roost(t)
    const [created, ...changed] = [
      await json(`account create ${EMAIL}`),
      await json(`account set-plan ${EMAIL} pro`),
      await json(`account set-password ${EMAIL}`),
    ]
    assert.equal(created.plan, 'standard')
    assert.deepEqual(
      changed.map(({ accountId, plan }) => [accountId, plan]),
      [
        [created.accountId, 'pro'],
        [created.accountId, 'pro'],
      ],
    )
    assert.match(changed[1]?.password, /^\w{22}$/)
    const given = await run(`account set-password ${EMAIL} --password-stdin`, { input: 'ten letters\n' })
    assert.deepEqual([given.code, given.stdout], [0, ''])
    const short = await run(`account set-password ${EMAIL} --password-stdin`, { input: 'short\n' })
    assert.deepEqual([short.code, short.stderr], [2, 'error: password: must have at least 10 characters\n'])
    const plan = await run(`account set-plan ${EMAIL} gold`)
    assert.deepEqual([plan.code, plan.stderr], [2, 'error: plan: must be one of free, standard, pro\n'])
    assert.equal((await run(`account create ${EMAIL}`)).code, 1)
    assert.equal((await run('account set-plan nobody@example.org pro')).code, 1)
    writeFileSync(join(cwd, 'config.toml'), '[accounts]\ndefault_plan = "free"')
    assert.equal((await json('account create second@example.org')).plan, 'free')
  })

  test('a key is made, listed by its hint and revoked once', async t => {
    const { program, run, json, account } = roost(t)
    await account()
    const { stdout } = await program(`key create --account ${EMAIL}`)
    assert.ok(stdout.startsWith('sk_live_') && isWellFormedSecret(stdout.trimEnd()))
    const made = await json(`key create --account ${EMAIL} --test --name door`)
    assert.match(made.key, /^sk_test_/)
    const { keys } = await json(`key list --account ${EMAIL}`)
    assert.equal(keys.length, 2)
    const { key, ...record } = made
    assert.deepEqual(
      keys.find(({ id }: { id: string }) => id === made.id),
      record,
    )
    assert.equal(record.hint, key.slice(-4))
    assert.deepEqual(await json(`key revoke ${made.id}`), { id: made.id })
    assert.equal((await run(`key revoke ${made.id}`)).code, 1)
    const listed = await run('key list')
    assert.match(listed.stdout, /^NAME +KIND .*\ncommand line +live .*\ndoor +test .* just now .* key_\w+\n$/)
    assert.ok(!listed.stdout.includes(key.slice(0, -6)))
  })

  test('a token authorises its account for the requested time', async t => {
    const { json, run, cwd, account } = roost(t)
    const { accountId } = await account()
    const { token, expiresAt } = await json(`token --account ${EMAIL} --ttl 2h`)
    const key = loadSecret(dataDirectory(join(cwd, 'data')).jwtKey)
    const claims = verifyAccountToken(token, key)
    assert.equal(claims?.accountId, accountId)
    assert.equal(new Date(claims?.expiresAt ?? 0).toISOString(), expiresAt)
    const leftMs = Date.parse(expiresAt) - Date.now()
    assert.ok(leftMs > 7_000_000 && leftMs <= 7_200_000)
    assert.equal((await run(`token --account ${EMAIL} --ttl 2`)).code, 2)
  })

  test('a phone is paired with the printed code, listed with its account and removed', async t => {
    const { json, run, ask, account } = roost(t)
    await account()
    await account('other@example.org')
    const printed = await run(`device pair --account ${EMAIL} --name Kitchen`)
    const [, code = '', url] = /^(\d{8})\n(\S+)\n$/.exec(printed.stdout) ?? []
    assert.match(url ?? '', new RegExp(`^http://.*:8080/device/v1/pair\\?code=${code}$`))
    const phone = { code, name: null, platform: null, appVersion: null }
    const { deviceId } = await ask('device.pair', phone)
    const { devices } = await json('device list')
    assert.deepEqual(
      devices.map((device: Record<string, unknown>) => [
        device['deviceId'],
        device['name'],
        device['account'],
      ]),
      [[deviceId, 'Kitchen', EMAIL]],
    )
    assert.deepEqual(await json('device list --account other@example.org'), { devices: [] })
    assert.deepEqual(await json(`device remove ${deviceId}`), { deviceId })
    const again = await run(`device remove ${deviceId} --json`)
    assert.equal(again.code, 1)
    assert.deepEqual(JSON.parse(again.stdout), {
      success: false,
      error: { code: 'NOT_FOUND', message: 'there is no such device' },
    })
  })

  test('commands that come at the same time wait for one another', async t => {
    const { program, json } = roost(t)
    const names = ['a@x', 'b@x', 'c@x']
    const runs = await Promise.all(names.map(name => program(`account create ${name}`)))
    assert.deepEqual(
      runs.map(({ code }) => code),
      [0, 0, 0],
    )
    assert.equal((await json('account list')).accounts.length, 3)
  })

  test('if the process that holds the directory does not answer, a command exits with 75', async t => {
    const { program, cwd } = roost(t)
    const directory = dataDirectory(join(cwd, 'data'))
    makeDataDirectory(directory)
    const lock = lockDataDirectory(directory)
    const { code, stdout, stderr } = await program('key list --json')
    lock?.release()
    assert.equal(code, 75)
    assert.match(stderr, /^error: another instance of Roost holds .*\n$/)
    assert.equal(JSON.parse(stdout).error.code, 'SERVICE_UNAVAILABLE')
    assert.deepEqual(readdirSync(directory.path), ['lock'])
  })

  test('faults of the configuration stop every command and are reported at once', async t => {
    const { program, run, cwd } = roost(t)
    writeFileSync(join(cwd, 'bad.toml'), 'colour = 1\nhttp.port = "no"\n')
    const env = { ROOST_HTTP__LISTENERS: '0' }
    const refused = await program('check-config --config bad.toml', { env })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^error: the configuration has 3 faults \(.*bad\.toml\)\n {2}colour: /)
    assert.match(refused.stderr, /\n {2}http\.listeners: must be at least 1 \(from ROOST_HTTP__LISTENERS\)\n/)
    assert.ok(
      refused.stderr.endsWith(`\nCorrect them, then run: roost check-config --config ${cwd}/bad.toml\n`),
    )
    for (const command of ['serve', 'key list']) {
      const { code, stdout } = await run(`${command} --config bad.toml --json`)
      assert.equal(code, 1)
      assert.equal(JSON.parse(stdout).error.details.issues.length, 2)
    }
    assert.deepEqual(readdirSync(cwd), ['bad.toml'])
  })

  test('check-config prints the resulting configuration, with the environment over the file', async t => {
    const { cwd, json, program } = roost(t)
    writeFileSync(join(cwd, 'config.toml'), 'http.port = 1\nhttp.host = "::1"\n')
    const env = { ROOST_HTTP__PORT: '2', ROOST_COLOUR: 'red' }
    const { stdout, stderr } = await program('check-config --json --data /x', { env })
    assert.match(stderr, /^Ignored environment variables that match no configuration key: ROOST_COLOUR\.\n/)
    const { ok, file, config } = JSON.parse(stdout)
    assert.deepEqual([ok, file], [true, join(cwd, 'config.toml')])
    assert.deepEqual([config.http.port, config.http.host, config.data_dir], [2, '::1', '/x'])
    assert.equal((await json('version')).version, VERSION)
  })
})
