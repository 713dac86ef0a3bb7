import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { DatabaseSync } from '#storage/sqlite.ts'
import { bundled } from '#test/kit/bundle.ts'
import { roost } from '#test/kit/program.ts'
import { runHere, runRoost } from '#test/kit/run-roost.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const MAIN = bundled('main')

function directory(t: TestContext): string {
  const cwd = temporaryDirectory(t)
  writeFileSync(join(cwd, 'config.toml'), '[http]\nhost = "127.0.0.1"\nport = 0\n')
  return cwd
}

/** Starts the gateway. Returns the object that it prints once it listens, and its standard error. */
async function serve(t: TestContext, cwd: string) {
  const child = spawn(process.execPath, [MAIN, 'serve', '--json'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  const talk = text(child.stderr)
  const [line] = await once(createInterface(child.stdout), 'line')
  const ready: { url: string; sandboxKey: string | null; setupUrl: string | null } = JSON.parse(line)
  return { child, talk, ...ready }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const closed = once(child, 'close')
  child.kill(signal)
  await closed
  return child.exitCode
}

test('serve prints its address, answers commands, locks its directory and stops on SIGTERM', async t => {
  const cwd = directory(t)
  const { child, url } = await serve(t, cwd)
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
  const accounts = await runHere(['account', 'list', '--json'], { cwd })
  assert.equal(JSON.parse(accounts.stdout).accounts.length, 1)
  const email = JSON.parse(accounts.stdout).accounts[0].email
  const pairing = await runHere(['device', 'pair', '--account', email, '--json'], { cwd })
  assert.ok(JSON.parse(pairing.stdout).pairUrl.startsWith(`${url}/device/v1/pair?`))
  const second = await runRoost(['serve'], { cwd })
  assert.deepEqual([second.code, second.stdout], [75, ''])
  const third = await runRoost(['serve', '--json'], { cwd })
  assert.deepEqual([third.code, JSON.parse(third.stdout).error.code], [75, 'SERVICE_UNAVAILABLE'])
  assert.equal(await end(child, 'SIGTERM'), 0)
  assert.equal(existsSync(join(cwd, 'data', 'control.sock')), false)
})

test('the first serve --json prints key and setup link, and only its log on stderr', async t => {
  const cwd = directory(t)
  const first = await serve(t, cwd)
  const headers = { 'X-API-Key': first.sandboxKey ?? '' }
  assert.equal((await fetch(`${first.url}/api/v1/account/usage`, { headers })).status, 200)
  assert.match(first.setupUrl ?? '', /^http:\S+\/#\/setup\//)
  assert.equal(await end(first.child, 'SIGTERM'), 0)
  for (const line of (await first.talk).trim().split('\n')) assert.ok(JSON.parse(line).event)
  const second = await serve(t, cwd)
  assert.equal(second.sandboxKey, null)
  assert.match(second.setupUrl ?? '', /^http:\S+\/#\/setup\//)
  assert.equal(await end(second.child, 'SIGTERM'), 0)
})

test('a gateway that was killed leaves a directory that commands and the next one can use', async t => {
  const cwd = directory(t)
  const { child } = await serve(t, cwd)
  await end(child, 'SIGKILL')
  assert.equal(existsSync(join(cwd, 'data', 'control.sock')), true)
  assert.equal((await runHere(['account', 'create', 'a@x', '--json'], { cwd })).code, 0)
  const next = await serve(t, cwd)
  const { stdout } = await runHere(['account', 'list', '--json'], { cwd })
  assert.equal(JSON.parse(stdout).accounts.length, 2)
  assert.equal(await end(next.child, 'SIGTERM'), 0)
})

test('a signal that arrives twice, as Ctrl-C under npm does, causes one clean stop', async t => {
  const { child } = await serve(t, directory(t))
  const closed = once(child, 'close')
  // Two signals of one kind could be merged into one.
  child.kill('SIGINT')
  child.kill('SIGTERM')
  await closed
  assert.deepEqual([child.exitCode, child.signalCode], [0, null])
})

test('closing the terminal also causes a clean stop', async t => {
  const { child, talk } = await serve(t, directory(t))
  assert.equal(await end(child, 'SIGHUP'), 0)
  assert.match(await talk, /"event":"stopped"/)
})

test('a gateway whose log is no longer read still answers and still stops', async t => {
  const cwd = directory(t)
  appendFileSync(join(cwd, 'config.toml'), '[log]\nlevel = "debug"\n')
  const child = spawn(process.execPath, [MAIN, 'serve', '--json'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const [line] = await once(createInterface(child.stdout), 'line')
  const { url }: { url: string } = JSON.parse(line)
  // Each request logs a line. Together they exceed the buffers of the pipe and of this reader.
  const headers = { 'X-Request-Id': 'x'.repeat(64) }
  for (let asked = 0; asked < 1000; asked += 50)
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const answer = await fetch(`${url}/healthz`, { headers })
        assert.equal(answer.status, 200)
        await answer.arrayBuffer()
      }),
    )
  assert.equal(child.stderr.readableFlowing, null)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})

/** Runs the gateway until it listens. Returns what it printed for people. */
async function printed(t: TestContext, cwd: string, env: Record<string, string> = {}): Promise<string> {
  const program = roost(['serve'], { cwd, env: { INVOCATION_ID: '', NOTIFY_SOCKET: '', ...env } })
  t.after(() => program.child.kill('SIGKILL'))
  await program.stderr.until(/"event":"listening"/)
  program.child.kill('SIGTERM')
  await program.ended
  return program.stdout.text
}

test("every start prints the gateway's addresses on this machine and on the network", async t => {
  const cwd = directory(t)
  const env = { ROOST_PUBLIC_URL: 'http://gateway.lan' }
  const [first, second] = [await printed(t, cwd, env), await printed(t, cwd, env)]
  for (const text of [first, second])
    assert.match(
      text,
      /^\nRoost is running at http:\/\/127\S+\nAddress for other machines .*: http:\/\/gateway\.lan\n/,
    )
  assert.match(first, /sk_test_/)
  assert.doesNotMatch(second, /sk_test_/)
})

test('under systemd neither key nor link is printed, but the commands that print them', async t => {
  for (const name of ['INVOCATION_ID', 'NOTIFY_SOCKET']) {
    const text = await printed(t, directory(t), { [name]: 'x' })
    assert.doesNotMatch(text, /sk_test_|stp_|setup\?/)
    assert.equal(text.match(/roost setup-link/g)?.length, 1)
  }
})

test('a gateway whose log cannot be written stops in order, with exit code 0', async t => {
  const cwd = directory(t)
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [MAIN, 'serve', '--json'], { cwd, stdio: ['ignore', 'pipe', full] })
  t.after(() => child.kill('SIGKILL'))
  closeSync(full)
  await once(createInterface(child.stdout as NodeJS.ReadableStream), 'line')
  assert.equal(await end(child, 'SIGTERM'), 0)
})

test('a gateway beside which another process writes to the database ends with 75', async t => {
  const cwd = directory(t)
  const { child, talk, url, sandboxKey } = await serve(t, cwd)
  const closed = once(child, 'close')
  const other = new DatabaseSync(join(cwd, 'data', 'roost.db'), { timeout: 5000 })
  other.exec('UPDATE commit_count SET count = count + 1')
  const headers = { 'X-API-Key': String(sandboxKey), 'Content-Type': 'application/json' }
  const body = JSON.stringify({ phoneNumber: '+14155550123', message: 'lost' })
  const { status } = await fetch(`${url}/api/v1/sms/send`, { method: 'POST', headers, body })
  assert.equal(status, 503)
  await closed
  assert.equal(child.exitCode, 75)
  assert.match(await talk, /another process writes to the database/)
  assert.equal(other.prepare('SELECT count(*) AS n FROM message').get()?.['n'], 0)
  other.close()
})
