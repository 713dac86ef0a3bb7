import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { withOwnCertificate } from '#app/certificate/own-certificate.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { askHttps, shownCertificate } from '#test/kit/https-client.ts'
import { runHere, runRoost } from '#test/kit/run-roost.ts'
import { selfSigned } from '#test/kit/self-signed.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const CERTIFICATE = ['certificate'] as const
/** The certificate without its key, as a client stores it. */
const publicPart = (file: string) => new X509Certificate(readFileSync(file)).toString()

test('after certificate create, clients that trust only the authority can connect', async t => {
  const cwd = temporaryDirectory(t)
  const create = ['certificate', 'create', '--name', 'roost.lan', '10.1.2.3', '--data', 'data']
  const created = await runRoost([...create, '--json'], { cwd })
  assert.equal(created.code, 0, created.stderr)
  assert.match(created.stderr, /Set http\.tls_port/)
  const json = JSON.parse(created.stdout)
  assert.deepEqual(json.names.slice(0, 2), ['roost.lan', '10.1.2.3'])
  assert.match(json.authority.fingerprint, /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/)
  assert.equal(created.stdout.includes('PRIVATE'), false)
  const directory = dataDirectory(join(cwd, 'data'))
  assert.equal(statSync(directory.certificate).mode & 0o777, 0o600)

  const tls_port = await freePort()
  const http = { ...CONFIG_DEFAULTS.http, host: '127.0.0.1', port: 0, tls_port }
  const config = withOwnCertificate({ ...CONFIG_DEFAULTS, data_dir: directory.path, http })
  const gateway = await startGateway({ dataDir: directory.path, config })
  t.after(() => gateway.stop())
  const ca = publicPart(directory.authority)
  assert.equal((await askHttps(`https://localhost:${tls_port}/healthz`, { ca })).status, 200)
  assert.equal((await askHttps(`https://127.0.0.1:${tls_port}/healthz`, { ca })).status, 200)
  const stranger = selfSigned('localhost').cert
  await assert.rejects(
    askHttps(`https://localhost:${tls_port}/healthz`, { ca: stranger }),
    /self-signed|issuer|verify/,
  )

  // The authority's certificate, but not its key, is served to clients that do not trust it yet.
  for (const path of ['/ca', '/ca.crt', '/ca.pem']) {
    const handed = await askHttps(`https://localhost:${tls_port}${path}`)
    assert.equal(handed.status, 200)
    assert.doesNotMatch(handed.body, /PRIVATE KEY/)
    if (path === '/ca') assert.ok(handed.body.includes(json.authority.fingerprint))
    if (path === '/ca.pem') assert.equal(handed.body, ca)
  }

  writeFileSync(join(cwd, 'config.toml'), `data_dir = "data"\n[http]\ntls_port = ${tls_port}\n`)
  const before = await shownCertificate(tls_port)
  const renewed = await runHere([...CERTIFICATE, 'renew'], { cwd })
  assert.equal(renewed.code, 0, renewed.stderr)
  assert.match(renewed.stderr, /The gateway uses the certificate now\./)
  const after = await shownCertificate(tls_port)
  assert.notEqual(after.fingerprint256, before.fingerprint256)
  assert.equal(after.checkHost('roost.lan'), 'roost.lan')
  assert.equal(publicPart(directory.authority), ca)
  const shown = await runHere([...CERTIFICATE, 'show'], { cwd })
  assert.match(shown.stdout, /^Certificate .*\nNames +.*roost\.lan/)
  assert.ok(shown.stdout.includes(json.authority.fingerprint))
})

test('certificate show describes the certificate files named in the configuration', async t => {
  const cwd = temporaryDirectory(t)
  const { cert, key } = selfSigned('foreign.lan')
  writeFileSync(join(cwd, 'cert.pem'), cert)
  writeFileSync(join(cwd, 'key.pem'), key)
  const env = { ROOST_HTTP__TLS_CERT_FILE: 'cert.pem', ROOST_HTTP__TLS_KEY_FILE: 'key.pem' }
  assert.equal((await runHere([...CERTIFICATE, 'create'], { cwd, env })).code, 0)
  const shown = await runHere([...CERTIFICATE, 'show', '--json', '--data', 'data'], { cwd, env })
  const { names, madeByRoost, authority } = JSON.parse(shown.stdout)
  assert.deepEqual([names, madeByRoost, authority], [['foreign.lan'], false, null])
})

test('each error says what is wrong and how to fix it', async t => {
  const cwd = temporaryDirectory(t)
  const wrong = await runHere([...CERTIFICATE, 'create', '--name', 'two words'], { cwd })
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /--name: "two words" is neither a host name nor an address/)
  await runHere([...CERTIFICATE, 'create'], { cwd })
  const directory = dataDirectory(join(cwd, 'data'))
  rmSync(directory.certificate)
  for (const command of ['show', 'renew']) {
    const { code, stderr } = await runHere([...CERTIFICATE, command], { cwd })
    assert.equal(code, 1)
    assert.match(stderr, /there is no certificate yet: make one with `roost certificate create`/)
  }
  const http = {
    tls_port: await freePort(),
    tls_cert_file: directory.certificate,
  }
  const gateway = startGateway({ dataDir: directory.path, config: { http } })
  await assert.rejects(
    gateway,
    /HTTPS \(http\.tls_port\) needs a certificate: make one with `roost certificate create`/,
  )
})
