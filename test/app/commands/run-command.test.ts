import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { pairingSteps } from '#app/commands/pairing-steps.ts'
import { serveControl } from '#app/control/control-socket.ts'
import { dataDirectory, lockDataDirectory, makeDataDirectory } from '#storage/data-directory.ts'
import { BatchWriter } from '#test/kit/batch-writer.ts'
import { bundled } from '#test/kit/bundle.ts'
import { runHere, runRoost } from '#test/kit/run-roost.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const MAIN = bundled('main')

const COMMANDS = [
  'serve',
  'account create',
  'account set-plan',
  'account set-password',
  'account list',
  'key create',
  'key list',
  'key revoke',
  'token',
  'device pair',
  'device list',
  'device rename',
  'device pause',
  'device resume',
  'device remove',
  'agent',
  'send',
  'message list',
  'message show',
  'message cancel',
  'received list',
  'webhook create',
  'webhook update',
  'webhook list',
  'webhook rotate',
  'webhook remove',
  'webhook triggers',
  'webhook settle',
  'webhook readings',
  'webhook forget',
  'person add',
  'person list',
  'person remove',
  'oncall',
  'status',
  'setup-link',
  'check-config',
  'version',
  'completion',
  'help',
]

const ABOUT = {
  version: '1.2.3',
  pid: 4711,
  startedAt: '2026-01-31T12:00:00.000Z',
  url: 'http://localhost:8080',
  publicUrl: 'http://gateway.test',
}

function command(line: string, { cwd = '/nowhere', isTTY = false } = {}) {
  return runHere(line.split(' ').filter(Boolean), { cwd, isTTY })
}

/** A data directory that a gateway holds: the lock, and a writer behind the control socket. */
async function running(t: TestContext) {
  const cwd = temporaryDirectory(t)
  const directory = dataDirectory(`${cwd}/data`)
  makeDataDirectory(directory)
  const lock = lockDataDirectory(directory)
  const writer = new BatchWriter()
  const control = await serveControl(directory.controlSocket, {
    writer,
    about: () => ABOUT,
    keeper: { check: async () => null },
  })
  t.after(async () => {
    await control.close()
    lock?.release()
  })
  writer.world.ask('account.create', { email: 'a@x', plan: 'pro', passwordHash: null })
  return { cwd, writer }
}

for (const name of COMMANDS)
  test(`${name} has --help, and takes --json, --config and --data`, async () => {
    const { code, stdout, stderr } = await command(`${name} --help`)
    assert.deepEqual([code, stderr], [0, ''])
    for (const option of ['--help', '--json', '--config <file>', '--data <dir>'])
      assert.ok(stdout.includes(option), option)
  })

const WRONG = [
  '',
  'account',
  'nothing',
  'key lst',
  'help devices',
  'serve --port 65536',
  'key create --account nobody',
  'key create --account a@b --colour red',
  'key revoke',
  'key revoke one two',
  'account create a@b --plan',
  'token --account a@b --ttl 0s',
  'token --account a@b --ttl 367d',
  'device pair --account a@b --name',
  'version twice',
  'agent',
  'agent --driver log',
]

for (const line of WRONG)
  test(`wrong usage exits with 2 and changes nothing: roost ${line}`, async () => {
    const result = await command(line)
    assert.deepEqual([result.code, result.stdout], [2, ''])
    assert.notEqual(result.stderr, '')
    const { code, stdout } = await command(`${line} --json`)
    assert.equal(code, 2)
    const { success, error } = JSON.parse(stdout)
    assert.deepEqual([success, error.code], [false, 'INVALID_REQUEST'])
    assert.doesNotMatch(error.message, /^error: /)
  })

test('several commands at once are answered by the writer of the running gateway', async t => {
  const { cwd, writer } = await running(t)
  const [key, pairing, accounts] = await Promise.all([
    runRoost(['key', 'create', '--account', 'a@x'], { cwd }),
    runRoost(['device', 'pair', '--account', 'a@x', '--json'], { cwd }),
    runRoost(['account', 'list', '--json'], { cwd }),
  ])
  assert.match(key.stdout, /^sk_live_\w{38}\n$/)
  assert.equal(writer.world.ask('key.list', { email: 'a@x' })[0]?.hint, key.stdout.trimEnd().slice(-4))
  assert.match(JSON.parse(pairing.stdout).pairUrl, /^http:\/\/gateway\.test\/device\/v1\/pair\?code=\d{8}$/)
  assert.equal(JSON.parse(accounts.stdout).accounts.length, 1)
  assert.deepEqual([key.code, pairing.code, accounts.code], [0, 0, 0])
})

test('key create --clean-text makes a key that key list shows as such', async t => {
  const { cwd } = await running(t)
  const { stdout } = await command('key create --account a@x --name kuma --clean-text --json', { cwd })
  assert.equal(JSON.parse(stdout).cleanText, true)
  await command('key create --account a@x --name script', { cwd })
  const { stdout: listed } = await command('key list', { cwd })
  assert.match(listed, /^kuma +live +cleaned /m)
  assert.match(listed, /^script +live +as sent /m)
})

test('cluster recover asks nothing where there is no cluster', async t => {
  const { cwd } = await running(t)
  assert.deepEqual(await command('cluster recover', { cwd }), {
    code: 1,
    stdout: '',
    stderr: 'error: this gateway is in no cluster: set cluster.etcd in the configuration\n',
  })
})

test('a refusal of the running gateway is printed like a refusal of the command itself', async t => {
  const { cwd } = await running(t)
  assert.deepEqual(await command('account create a@x', { cwd }), {
    code: 1,
    stdout: '',
    stderr: 'error: a login with the e-mail address a@x already exists\n',
  })
  const { code, stderr } = await command('account set-plan a@x gold', { cwd })
  assert.deepEqual([code, stderr], [2, 'error: plan: must be one of free, standard, pro\n'])
})

test('an agent that cannot continue prints its error like every other command', async t => {
  const state = `${temporaryDirectory(t)}/nobody.json`
  const result = await command(`agent --state ${state} --driver log`)
  assert.deepEqual([result.code, result.stdout], [1, ''])
  assert.match(result.stderr, /^error: .*nobody\.json does not exist: pair this device with .*\n$/)
  const { code, stdout } = await command(`agent --state ${state} --driver log --json`)
  const { success, error } = JSON.parse(stdout)
  assert.deepEqual([code, success, error.code], [1, false, 'CONFLICT'])
  assert.match(error.message, /nobody\.json does not exist/)
})

test('device pair draws a QR code and says what to do next, also without a terminal', async t => {
  const { cwd } = await running(t)
  const pair = (isTTY: boolean, env = {}) =>
    runHere(['device', 'pair', '--account', 'a@x'], { cwd, isTTY, env })
  for (const isTTY of [true, false]) {
    const { stdout, stderr } = await pair(isTTY)
    assert.ok(stderr.startsWith('\u001b[97;40m█████'), stderr)
    const [, code] = /^(\d{8})\nhttp\S+\n$/.exec(stdout) ?? []
    const agent = `\n\n    roost agent --server http://gateway.test --code ${code} --name "Pretend phone"`
    assert.ok(stderr.includes(agent), stderr)
    assert.match(stderr, /\nThe code works once, within ten minutes\.\n\nDo one of these:\n/)
    for (const line of stderr.split('\n')) assert.ok(line.length <= 80 || line.startsWith('    '), line)
  }
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
    assert.match((await pair(true, env)).stderr, /^[█▀▄ \n]+\n\nThe code works once/)
  const asJson = await command('device pair --account a@x --json', { cwd, isTTY: true })
  assert.deepEqual(Object.keys(JSON.parse(asJson.stdout)), ['code', 'expiresAt', 'pairUrl', 'authority'])
  assert.equal(asJson.stderr, '')
})

test('the steps of a pairing match the address, and begin with starting the gateway', () => {
  const fingerprint = 'f'.repeat(64)
  const pairing = {
    code: '12345678',
    expiresAt: '2026-01-31T12:00:00.000Z',
    pairUrl: `https://g:8443/sms/device/v1/pair?code=12345678&authority=${fingerprint}`,
    authority: { fingerprint, port: 8443 },
  }
  const steps = pairingSteps(pairing, { isRunning: false })
  assert.match(steps, /The gateway is not running\. Start it first:\n\n {2}roost serve\n\nThen do one of/)
  assert.match(steps, /\n\n {4}https:\/\/g:8443\/sms\/smsgate\/v1\n\n/)
  const plain = { ...pairing, pairUrl: 'http://g:8080/sms/device/v1/pair?code=12345678' }
  // Plain HTTP has the HTTPS port of the gateway's own certificate beside it.
  assert.match(pairingSteps(plain, { isRunning: true }), /\n {4}https:\/\/g:8443\/smsgate\/v1\n/)
  const withoutTls = pairingSteps({ ...plain, authority: null }, { isRunning: true })
  assert.match(withoutTls, /elsewhere: the app needs an HTTPS address\n/)
  for (const line of `${steps}\n${withoutTls}`.split('\n'))
    assert.ok(line.length <= 80 || line.startsWith('    '), line)
  const agent = 'roost agent --server https://g:8443/sms --code 12345678'
  assert.ok(steps.includes(`\n\n    ${agent} --authority ${fingerprint} --name "Pretend`), steps)
})

test('a closed pipe on standard output is not an error', async () => {
  const child = spawn(process.execPath, [MAIN, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')])
  assert.deepEqual([child.exitCode, stderr], [0, ''])
})

test('a failed write to standard output is an error', {
  skip: existsSync('/dev/full') ? false : 'there is no /dev/full: run the tests on Linux',
}, async () => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [MAIN, 'version'], { stdio: ['ignore', full, 'ignore'] })
  await once(child, 'close')
  closeSync(full)
  assert.equal(child.exitCode, 1)
})
