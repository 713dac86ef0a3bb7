import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { VERSION } from '#contracts/version.ts'
import { DEVICE_ID, FakeGateway, messageIdOf, offerOf, PAIRING_CODE } from '#test/kit/fake-gateway.ts'
import { askHttps } from '#test/kit/https-client.ts'
import { startHttpsGateway } from '#test/kit/https-gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const options = { timeout: HANGS_AFTER_MS }
const top = new URL('../../', import.meta.url)

/** The agent as users download it: one file, in a folder with nothing else. */
async function bundledAgent(t: TestContext) {
  const folder = temporaryDirectory(t)
  const file = join(folder, 'agent.mjs')
  const built = spawn(process.execPath, ['scripts/bundle-agent.mjs', file], { cwd: top, stdio: 'inherit' })
  assert.deepEqual(await once(built, 'exit'), [0, null])
  function run(...args: string[]) {
    const child = spawn(process.execPath, [file, ...args], { cwd: folder })
    t.after(() => child.kill('SIGKILL'))
    const output = { out: '', err: '' }
    child.stdout.on('data', chunk => {
      output.out += chunk
    })
    child.stderr.on('data', chunk => {
      output.err += chunk
    })
    const until = async (stream: 'out' | 'err', pattern: RegExp) => {
      const source = stream === 'out' ? child.stdout : child.stderr
      while (!pattern.test(output[stream])) {
        if (source.readableEnded) throw new Error(`the agent ended: ${output.err}`)
        await Promise.race([once(source, 'data'), once(source, 'end')])
      }
    }
    const ended = once(child, 'close').then(([exitCode]) => ({ exitCode, ...output }))
    return {
      ended,
      says: (pattern: RegExp) => until('err', pattern),
      prints: (pattern: RegExp) => until('out', pattern),
      stop: () => child.kill('SIGTERM'),
      hangUp: () => child.kill('SIGHUP'),
      /** Closes the reading ends of its standard output and error. */
      deafen() {
        child.stdout.destroy()
        child.stderr.destroy()
      },
    }
  }
  return { folder, run }
}

test('the bundled agent pairs, sends, stops, and runs again with its saved state', options, async t => {
  const gateway = await FakeGateway.start()
  t.after(() => gateway.stop())
  const { folder, run } = await bundledAgent(t)
  const agent = run(
    '--server',
    `${gateway.url}/`,
    '--code',
    PAIRING_CODE,
    '--name',
    'kitchen',
    '--driver',
    'log',
  )
  const phone = await gateway.nextPhone()
  assert.deepEqual(await phone.handshake(), [])
  assert.deepEqual(gateway.pairings, [
    {
      path: '/device/v1/pair',
      code: PAIRING_CODE,
      name: 'kitchen',
      platform: `node-${process.platform}`,
      appVersion: VERSION,
    },
  ])
  assert.equal(statSync(join(folder, 'roost-agent.json')).mode & 0o777, 0o600)
  phone.sendFrame(offerOf(1))
  await phone.next('begin')
  phone.go(1)
  assert.equal((await phone.ackReport()).state, 'sent')
  agent.stop()
  const { exitCode, out, err } = await agent.ended
  assert.equal(exitCode, 0)
  assert.equal(JSON.parse(out).messageId, messageIdOf(1))
  assert.ok(!err.includes('text 1') && !err.includes('5550100') && !err.includes('device-token'), err)
  const again = run('--driver', 'log')
  await (await gateway.nextPhone()).handshake()
  again.stop()
  assert.equal((await again.ended).exitCode, 0)
  const twice = run('--server', gateway.url, '--code', PAIRING_CODE, '--driver', 'log')
  await (await gateway.nextPhone()).handshake()
  twice.stop()
  const { err: said } = await twice.ended
  assert.match(
    said,
    new RegExp(`paired already, as ${DEVICE_ID}, so --code is ignored: to pair a new device`),
  )
  assert.equal(gateway.pairings.length, 1)
})

test('the bundled agent runs on when its log is not read, and SIGHUP stops it cleanly', options, async t => {
  const gateway = await FakeGateway.start()
  t.after(() => gateway.stop())
  const { run } = await bundledAgent(t)
  const agent = run('--server', gateway.url, '--code', PAIRING_CODE, '--driver', 'log')
  const ended = agent.ended.then(({ exitCode }) => exitCode)
  const phone = await gateway.nextPhone()
  await phone.handshake()
  agent.deafen()
  for (const n of [1, 2]) {
    phone.sendFrame(offerOf(n))
    assert.equal(await Promise.race([phone.next('begin').then(({ type }) => type), ended]), 'begin')
    phone.go(n)
    assert.equal(await Promise.race([phone.ackReport().then(({ state }) => state), ended]), 'sent')
  }
  agent.hangUp()
  assert.equal(await ended, 0)
})

test('the bundled agent pairs over HTTPS with the address from a pairing, and sends', options, async t => {
  const gateway = await startHttpsGateway(t)
  const { accountId, liveKey } = await gateway.owner()
  const { pairUrl } = await gateway.ask('device.create-pairing', { accountId, name: null })
  const { folder, run } = await bundledAgent(t)
  const agent = run('--server', pairUrl, '--driver', 'log')
  await agent.says(/^Connected/m)
  const { authority } = JSON.parse(readFileSync(join(folder, 'roost-agent.json'), 'utf8'))
  assert.equal(authority, gateway.authority())
  const { status, body } = await askHttps(`${gateway.httpsUrl}/api/v1/sms/send`, {
    method: 'POST',
    headers: { 'X-API-Key': liveKey },
    json: { phoneNumber: '+4915112345678', message: 'by the one file' },
    ca: gateway.authority(),
  })
  assert.equal(status, 200, body)
  await agent.prints(/by the one file/)
  agent.stop()
  assert.equal((await agent.ended).exitCode, 0)
})

test('the bundled agent reports wrong usage in clear sentences', options, async t => {
  const gateway = await FakeGateway.start()
  t.after(() => gateway.stop())
  const { run } = await bundledAgent(t)
  const log = ['--driver', 'log']
  for (const [args, exitCode, words] of [
    [['--help'], 0, /--driver termux/],
    [['--version'], 0, /^\d+\.\d+\.\d+/],
    [['--colour'], 2, /--colour/],
    [['--driver', 'exec'], 2, /--exec COMMAND/],
    [[], 2, /Pair this device first/],
    [['--server', gateway.url, '--code', PAIRING_CODE], 2, /--driver is missing/],
    [['--state', 'nowhere/state.json', ...log], 1, /The lock nowhere.* cannot be written/],
    [['--server', gateway.url, '--code', '87654321', ...log], 1, /refused the pairing: Unknown pairing code/],
    [['--server', 'http://127.0.0.1:1', '--code', PAIRING_CODE, ...log], 1, /cannot be reached/],
  ] satisfies [string[], number, RegExp][]) {
    const end = await run(...args).ended
    assert.match(end.out + end.err, words)
    assert.equal(end.exitCode, exitCode, args.join(' '))
  }
})

test('the agent has the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('package.json', top), 'utf8')) as { version: string }
  assert.equal(VERSION, version)
})
