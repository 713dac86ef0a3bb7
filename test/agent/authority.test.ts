import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { fingerprintOf, readFingerprint } from '#agent/authority.ts'
import { loadIdentity } from '#agent/identity.ts'
import { readAgentOptions } from '#agent/options.ts'
import { runAgent } from '#agent/run-agent.ts'
import { makeCertificate } from '#app/certificate/make-certificate.ts'
import { readAuthority } from '#app/certificate/own-certificate.ts'
import { fingerprintFor, termuxCommands } from '#contracts/pairing-address.ts'
import { dataDirectory, makeDataDirectory } from '#storage/data-directory.ts'
import { startHttpsGateway } from '#test/kit/https-gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { NO_CURL } from '#test/kit/program.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const options = { timeout: HANGS_AFTER_MS }

/** Starts an agent with these flags, as its command line does. */
function startAgent(t: TestContext, flags: Parameters<typeof readAgentOptions>[0]) {
  const read = readAgentOptions({ driver: 'log', ...flags })
  if (read.kind === 'wrong') throw new Error(read.message)
  const stop = new AbortController()
  const lines: string[] = []
  const news = new EventEmitter()
  const log = (line: string) => {
    lines.push(line)
    news.emit('line')
  }
  const io = { log, print: () => {}, askPassword: async () => '', signal: stop.signal, env: {}, program: [] }
  const exit = runAgent(read.options, { ...io, random: () => 0 })
  const end = () => {
    stop.abort()
    return exit
  }
  t.after(end)
  return {
    exit,
    lines,
    stop: end,
    async until(pattern: RegExp): Promise<void> {
      while (!lines.some(line => pattern.test(line)))
        await Promise.race([once(news, 'line'), exit.then(() => assert.fail(lines.join('\n')))])
    },
  }
}

/** A server of an attacker on the network, with a certificate authority of its own. */
async function stranger(t: TestContext, answer: (ca: string) => RequestListener, name = '127.0.0.1') {
  const directory = dataDirectory(temporaryDirectory(t))
  makeDataDirectory(directory)
  await makeCertificate(directory, { names: [name], nowMs: Date.now() })
  const pem = readFileSync(directory.certificate)
  const asked: string[] = []
  const heed = answer(readAuthority(directory)?.pem ?? '')
  const server = createServer({ key: pem, cert: pem }, (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    heed(request, response)
  })
  server.on('tlsClientError', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    asked,
    authority: fingerprintOf(readAuthority(directory)?.pem ?? ''),
  }
}

test(
  'a device that pairs by an address with an authority trusts only this authority from then on',
  options,
  async t => {
    const gateway = await startHttpsGateway(t)
    const { accountId } = await gateway.owner()
    const pairing = () => gateway.ask('device.create-pairing', { accountId, name: null })
    const state = join(temporaryDirectory(t), 'state.json')
    const { pairUrl, code, authority } = await pairing()
    const first = fingerprintOf(gateway.authority())
    assert.deepEqual(authority, { fingerprint: first, port: gateway.tlsPort })
    assert.equal(pairUrl, `${gateway.httpsUrl}/device/v1/pair?code=${code}&authority=${first}`)

    const paired = startAgent(t, { server: pairUrl, state })
    await paired.until(/^Connected/)
    assert.equal(loadIdentity(state)?.authority, gateway.authority())
    assert.equal(await paired.stop(), 0)

    await gateway.renew()
    const renewed = startAgent(t, { state })
    await renewed.until(/^Connected/)
    await renewed.stop()

    await gateway.renew({ newAuthority: true })
    const second = fingerprintOf(gateway.authority())
    assert.notEqual(second, first)
    assert.equal((await pairing()).authority?.fingerprint, second)
    const shutOut = startAgent(t, { state })
    await shutOut.until(
      /not from the authority that this device was paired with: .* start once with --authority/,
    )
    assert.ok(shutOut.lines.every(line => !line.startsWith('Connected')))
    await shutOut.stop()

    const wrong = startAgent(t, { state, authority: first.replaceAll(/./g, '0') })
    assert.equal(await wrong.exit, 1)
    const colons = second.toUpperCase().replace(/..(?=.)/g, '$&:')
    for (const flags of [{ state, authority: colons }, { state }]) {
      const again = startAgent(t, flags)
      await again.until(/^Connected/)
      await again.stop()
    }
    assert.equal(loadIdentity(state)?.authority, gateway.authority())
  },
)

test('a man in the middle gets neither the code nor the token', options, async t => {
  const gateway = await startHttpsGateway(t)
  const truth = gateway.authority()
  const pair = (server: string) => {
    const state = join(temporaryDirectory(t), 'state.json')
    return startAgent(t, { server, code: '12345678', authority: fingerprintOf(truth), state })
  }
  // The attacker serves its own authority.
  const ownAuthority = await stranger(t, ca => (_, response) => response.end(ca))
  const refused = pair(ownAuthority.url)
  assert.equal(await refused.exit, 1)
  assert.match(refused.lines.join('\n'), /is not the one of --authority, .*`roost certificate show`/)
  // The attacker serves the authority of the gateway, which is public.
  const gatewayAuthority = await stranger(t, () => (_, response) => response.end(truth))
  const cutOff = pair(gatewayAuthority.url)
  assert.equal(await cutOff.exit, 1)
  assert.match(cutOff.lines.join('\n'), /its certificate is not from the authority/)
  // The attacker appends its own authority to that of the gateway. The agent trusts only the first.
  const bothAuthorities = await stranger(t, ca => (_, response) => response.end(`${truth}\n${ca}`))
  assert.equal(await pair(bothAuthorities.url).exit, 1)
  for (const { asked } of [ownAuthority, gatewayAuthority, bothAuthorities])
    assert.deepEqual(asked, ['GET /ca.pem'])
})

test(
  'a gateway without an authority, or with another name in its certificate, is reported with a fix',
  options,
  async t => {
    const none = await stranger(t, () => (_, response) => response.writeHead(404).end('{}'))
    const state = () => join(temporaryDirectory(t), 'state.json')
    const flags = { code: '12345678', authority: '0'.repeat(64) }
    const without = startAgent(t, { server: none.url, ...flags, state: state() })
    assert.equal(await without.exit, 1)
    assert.match(
      without.lines.join('\n'),
      /has no authority at .* leave out --authority .* roost certificate create/,
    )

    const elsewhere = await stranger(t, ca => (_, response) => response.end(ca), 'other.lan')
    const otherName = startAgent(t, {
      server: elsewhere.url,
      ...flags,
      authority: elsewhere.authority,
      state: state(),
    })
    assert.equal(await otherName.exit, 1)
    assert.match(
      otherName.lines.join('\n'),
      /does not name 127\.0\.0\.1: run `roost certificate create --name 127/,
    )
  },
)

test('the lines for Termux continue only if the gateway has the authority that they name', {
  ...options,
  skip: NO_CURL,
}, async t => {
  const gateway = await startHttpsGateway(t)
  const cwd = temporaryDirectory(t)
  /** Without the last two, which download and start the agent. */
  const run = (fingerprint: string) => {
    const lines = termuxCommands({ server: gateway.httpsUrl, code: '12345678', fingerprint })
    const checks = lines.split(' && \\\n').slice(0, -2)
    const trusted = `curl -fsS --cacert ca.pem ${gateway.httpsUrl}/healthz`
    return promisify(execFile)('sh', ['-c', [...checks, trusted].join(' && ')], { cwd })
  }
  assert.match((await run(fingerprintOf(gateway.authority()))).stdout, /ok/)
  await assert.rejects(run('0'.repeat(64)), /another authority/)
  const plain = { code: '12345678', fingerprint: null }
  assert.doesNotMatch(termuxCommands({ server: 'http://g:8080', ...plain }), /authority|ca\.pem/)
})

test('only an address of the gateway itself needs its authority, not that of a proxy', () => {
  const authority = { fingerprint: 'ab'.repeat(32), port: 8443 }
  assert.equal(fingerprintFor('https://g:8443/sms', authority), authority.fingerprint)
  for (const url of ['http://g:8443', 'https://g', 'https://g:9443'])
    assert.equal(fingerprintFor(url, authority), null)
  assert.equal(fingerprintFor('https://g/', { ...authority, port: 443 }), authority.fingerprint)
  assert.equal(fingerprintFor('https://g:8443', null), null)
})

test('a fingerprint may contain colons, blanks and capitals; any other text is refused', () => {
  const digits = 'ab'.repeat(32)
  assert.equal(readFingerprint(`${'AB:'.repeat(31)}AB`), digits)
  assert.equal(readFingerprint(` ${digits}\n`), digits)
  for (const wrong of ['', 'ab', `${digits}0`, 'zz'.repeat(32)]) assert.equal(readFingerprint(wrong), null)
  const read = (flags: object) => {
    const said = readAgentOptions({ driver: 'log', ...flags })
    return said.kind === 'wrong' ? said.message : said.options
  }
  const [code, authority] = ['12345678', digits]
  assert.match(String(read({ server: 'https://g', code, authority: 'x' })), /64 hexadecimal digits/)
  assert.match(String(read({ server: 'http://g', code, authority })), /must begin with https/)
  const given = read({ server: `https://g:8443/sms/device/v1/pair?code=${code}&authority=${authority}` })
  assert.deepEqual({ ...(given as object), server: 'https://g:8443/sms' }, given)
  assert.deepEqual({ ...(given as object), code, authority }, given)
})
