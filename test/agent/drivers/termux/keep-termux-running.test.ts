import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { systemClock } from '#agent/clock.ts'
import { keepTermuxRunning } from '#agent/drivers/termux/keep-termux-running.ts'
import { runAgent } from '#agent/run-agent.ts'
import { FakeGateway, PAIRING_CODE } from '#test/kit/fake-gateway.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

/** Termux's home with a wake-lock command. Its path contains `'`, to test the quoting in shell scripts. */
function termux(t: TestContext, lock = 'echo held >> "$0.calls"') {
  const home = join(temporaryDirectory(t), "it's home")
  const bin = join(home, 'bin')
  mkdirSync(join(home, '.termux'), { recursive: true })
  mkdirSync(bin)
  const script = (name: string, body: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  script('termux-wake-lock', lock)
  script('node', 'printf "%s\\n" "$@"')
  const env = { HOME: home, PATH: `${bin}${delimiter}${process.env['PATH']}` }
  const stateFile = join(home, 'roost-agent.json')
  const start = { program: [join(bin, 'node'), '/agent.mjs'], stateFile, env }
  return {
    home,
    env,
    script,
    stateFile,
    boot: join(home, '.termux/boot/roost-agent'),
    locks: () => readFileSync(join(bin, 'termux-wake-lock.calls'), 'utf8'),
    keep: () => keepTermuxRunning(systemClock, start),
  }
}

test('the agent holds a wake lock and writes the script for Termux:Boot, and says that once', async t => {
  const phone = termux(t)
  const [report, ...others] = await phone.keep()
  assert.match(report ?? '', /^Wrote .*\/\.termux\/boot\/roost-agent: install Termux:Boot and open it once/)
  assert.deepEqual(others, [])
  assert.equal(statSync(phone.boot).mode & 0o777, 0o700)
  assert.deepEqual(await phone.keep(), [])
  assert.equal(phone.locks(), 'held\nheld\n')
})

test('the script starts the same agent, with a wake lock of its own', async t => {
  const phone = termux(t)
  await phone.keep()
  execFileSync('/bin/sh', [phone.boot], { env: phone.env })
  assert.equal(phone.locks(), 'held\nheld\n')
  const words = readFileSync(`${phone.stateFile}.log`, 'utf8').trimEnd().split('\n')
  assert.deepEqual(words, ['/agent.mjs', '--driver', 'termux', '--state', phone.stateFile])
})

test('the script starts an agent again that failed, and none that was stopped', async t => {
  const phone = termux(t)
  await phone.keep()
  phone.script('sleep', 'echo "slept $1"')
  phone.script('node', 'test -e "$0.failed" && exit 0; touch "$0.failed"; echo failed; exit 1')
  execFileSync('/bin/sh', [phone.boot], { env: phone.env })
  assert.equal(readFileSync(`${phone.stateFile}.log`, 'utf8'), 'failed\nslept 60\n')
})

test('the agent replaces its own older script, but not a script that a person wrote or emptied', async t => {
  const phone = termux(t)
  await phone.keep()
  const script = readFileSync(phone.boot, 'utf8')
  for (const own of ['', '#!/bin/sh\necho mine\n']) {
    writeFileSync(phone.boot, own)
    assert.deepEqual(await phone.keep(), [])
    assert.equal(readFileSync(phone.boot, 'utf8'), own)
  }
  writeFileSync(phone.boot, script.replace('--driver', '--older'))
  assert.equal((await phone.keep()).length, 1)
  assert.equal(readFileSync(phone.boot, 'utf8'), script)
})

test('without Termux settings no script is written, and a failed wake lock is reported', async t => {
  const phone = termux(t, 'exit 1')
  rmSync(join(phone.home, '.termux'), { recursive: true })
  assert.deepEqual(await phone.keep(), [
    'Cannot keep the phone awake: termux-wake-lock failed. Update Termux: pkg upgrade',
  ])
  assert.ok(!existsSync(join(phone.home, '.termux')))
})

test('an agent with the driver termux takes the lock and writes the script after it is paired', async t => {
  const phone = termux(t)
  const gateway = await FakeGateway.start()
  t.after(() => gateway.stop())
  const stop = new AbortController()
  const lines: string[] = []
  const paired = {
    server: gateway.url,
    code: PAIRING_CODE,
    authority: null,
    stateFile: phone.stateFile,
    name: 'phone',
  }
  const ended = runAgent(
    { ...paired, driver: { name: 'termux' } },
    {
      log: line => lines.push(line),
      print: () => {},
      askPassword: () => Promise.resolve(''),
      signal: stop.signal,
      env: phone.env,
      program: ['/agent'],
      // Nothing is sent here. The test of the driver covers what sending needs.
      driver: { send: async () => ({ state: 'sent' }) },
    },
  )
  await (await gateway.nextPhone()).handshake()
  stop.abort()
  assert.equal(await ended, 0)
  assert.ok(existsSync(phone.boot))
  assert.equal(lines.filter(line => line.startsWith('Wrote ')).length, 1)
  assert.equal(phone.locks(), 'held\n')
})
