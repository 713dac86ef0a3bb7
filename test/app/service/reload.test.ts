import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { bundled } from '#test/kit/bundle.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { askHttps, shownCertificate } from '#test/kit/https-client.ts'
import { Lines } from '#test/kit/lines.ts'
import { runHere } from '#test/kit/run-roost.ts'
import { selfSigned } from '#test/kit/self-signed.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const TLS = 'tls_cert_file = "cert.pem"\ntls_key_file = "key.pem"\n'
const RELOADED = /config\.reloaded/

/** `roost serve` as systemd starts it: with a descriptor for messages and a watchdog time. */
function serveAsService(t: TestContext, cwd: string, env: NodeJS.ProcessEnv = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(ROOST_|NODE_TEST)/.test(name))
  const command = 'LISTEN_PID=$$ exec "$0" "$@"'
  const child = spawn('sh', ['-c', command, process.execPath, bundled('main'), 'serve'], {
    cwd,
    env: {
      ...Object.fromEntries(inherited),
      LISTEN_FDS: '1',
      LISTEN_FDNAMES: 'notify',
      INVOCATION_ID: 'a service',
      WATCHDOG_USEC: '60000000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  return {
    child,
    stdout: text(child.stdout as Readable),
    log: new Lines(child.stderr as Readable),
    messages: new SystemdMessages(child.stdio[3] as Readable),
  }
}

/** The messages of a service to systemd, which do not end with a line feed. */
class SystemdMessages {
  #text = ''
  readonly #stream: Readable
  readonly all: Promise<string>

  constructor(stream: Readable) {
    this.#stream = stream.setEncoding('utf8')
    stream.on('data', (more: string) => {
      this.#text += more
    })
    this.all = once(stream, 'close').then(() => this.#text)
  }

  async until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.#text)) await once(this.#stream, 'data')
  }
}

async function stop(child: ChildProcess): Promise<number | null> {
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await closed
  return child.exitCode
}

test('a service reports its status to systemd and keeps key and setup link out of the journal', async t => {
  const cwd = temporaryDirectory(t)
  writeFileSync(join(cwd, 'config.toml'), '[http]\nhost = "127.0.0.1"\nport = 0\n')
  const { child, log, messages, stdout } = serveAsService(t, cwd)
  await log.until(/"event":"listening"/)
  // The answer to this command comes after the first keep-alive.
  assert.equal((await runHere(['account', 'list'], { cwd })).code, 0)
  assert.equal(await stop(child), 0)
  const sent = await messages.all
  assert.match(sent, /^READY=1/)
  assert.match(sent, /STATUS=0 phones connected, 0 messages waiting/)
  assert.match(sent, /WATCHDOG=1/)
  assert.match(sent, /STOPPING=1\nSTATUS=Stopping$/)
  const journal = `${await stdout}${log.text}`
  assert.match(journal, /roost setup-link/)
  assert.doesNotMatch(journal, /sk_test_|stp_/)
})

test('a service that cannot start says why in its status', async t => {
  const cwd = temporaryDirectory(t)
  const port = await freePort()
  writeFileSync(join(cwd, 'config.toml'), `[http]\nhost = "127.0.0.1"\nport = ${port}\n`)
  const { createServer } = await import('node:net')
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const { child, messages } = serveAsService(t, cwd)
  await once(child, 'close')
  assert.equal(child.exitCode, 1)
  assert.match(await messages.all, new RegExp(`^STATUS=Failed: .*127\\.0\\.0\\.1.*${port}`))
})

test('a service with a faulty configuration says in its status what is wrong with it', async t => {
  const cwd = temporaryDirectory(t)
  writeFileSync(join(cwd, 'config.toml'), '[http]\nprot = 80\n')
  const { child, messages } = serveAsService(t, cwd)
  await once(child, 'close')
  assert.equal(child.exitCode, 1)
  assert.match(await messages.all, /^STATUS=Failed: the configuration has a fault .*: http\.prot: /)
})

test('SIGHUP reloads plans, log level and certificate, and drops no connection', async t => {
  const cwd = temporaryDirectory(t)
  const port = await freePort()
  const configure = (more: string, otherPort = port) =>
    writeFileSync(join(cwd, 'config.toml'), `[http]\nhost = "127.0.0.1"\nport = ${otherPort}\n${TLS}${more}`)
  const certify = (name: string) => {
    const { key, cert } = selfSigned(name)
    writeFileSync(join(cwd, 'key.pem'), key)
    writeFileSync(join(cwd, 'cert.pem'), cert)
  }
  certify('first.lan')
  configure('')
  const { child, log, messages } = serveAsService(t, cwd)
  await log.until(/"event":"listening"/)
  const { stdout } = await runHere(['key', 'create', '--json'], { cwd })
  const headers = { 'X-API-Key': JSON.parse(stdout).key }
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
  t.after(() => agent.destroy())
  let sockets = 0
  const url = `https://127.0.0.1:${port}/api/v1/account/usage`
  agent.on('free', () => {
    sockets = new Set([...Object.values(agent.freeSockets).flat()]).size
  })
  assert.equal((await askHttps(url, { agent, headers })).status, 200)
  const [kept] = Object.values(agent.freeSockets).flat()
  assert.equal((await shownCertificate(port)).subject, 'CN=first.lan')

  certify('second.lan')
  configure('[plans.pro]\nsms_per_day = 77\n[log]\nlevel = "debug"\n', port + 1)
  child.kill('SIGHUP')
  await log.until(RELOADED)
  assert.match(await log.until(/config\.restart_needed/), /"keys":"http.port"/)
  assert.equal((await shownCertificate(port)).subject, 'CN=second.lan')
  const after = await askHttps(url, { agent, headers })
  assert.equal(after.status, 200)
  assert.equal(sockets, 1)
  assert.equal(Object.values(agent.freeSockets).flat()[0], kept, 'the earlier connection is still in use')
  assert.match(after.body, /"smsPerDay":77/)
  await log.until(/"event":"request"/)
  await messages.until(/STATUS=[^=]*Restart for/)

  configure('[plans.pro]\napi_calls_per_minute = "many"\n[log]\nlevel = "loud"\n')
  child.kill('SIGHUP')
  const refused = await log.until(/config\.reload_failed/)
  assert.match(refused, /plans\.pro\.api_calls_per_minute: .*log\.level: /)
  assert.match((await askHttps(url, { agent, headers })).body, /"smsPerDay":77/)
  await messages.until(/STATUS=[^=]*was not reloaded/)
  assert.equal(await stop(child), 0)
  const sent = await messages.all
  assert.match(sent, /RELOADING=1\nMONOTONIC_USEC=\d+READY=1/)
  assert.match(sent, /STATUS=[^=]*Restart for: http\.port/)
  assert.match(sent, /STATUS=[^=]*was not reloaded/)
})
