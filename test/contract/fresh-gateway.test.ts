/** What only a gateway shows on which nobody has done anything: no phone, no certificate, a quiet log. */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { after, before, test } from 'node:test'
import { makeCertificate } from '#app/certificate/make-certificate.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { openReadOnly } from '#storage/database.ts'
import { CloudApp } from '#test/kit/cloud-app.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { RawConnection } from '#test/kit/raw-http.ts'
import { upgradeRequest } from '#test/kit/raw-websocket.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startGateway()
})
after(() => gateway.stop())

test('a gateway without any phone asks a phone that it does not know to wait', async t => {
  const upgrade = async (token: string | null) => {
    const connection = await RawConnection.open(gateway.url)
    t.after(() => connection.close())
    connection.write(upgradeRequest(token))
    return connection.next()
  }
  const answer = await upgrade('dvt_of_another_gateway')
  assert.equal(answer?.status, 503)
  assert.equal(answer?.headers['retry-after']?.join(), '60')
  assert.match(answer?.body ?? '', /no phone was ever paired with this gateway/)
  for (const token of [null, 'no token of a phone']) assert.equal((await upgrade(token))?.status, 401)
  const app = new CloudApp(`${gateway.url}/smsgate/v1`)
  for (const path of ['/message', '/events']) {
    assert.equal((await app.call('GET', path, { authorization: 'Bearer dvt_x' })).status, 503, path)
    assert.equal((await app.call('GET', path, { authorization: '' })).status, 401, path)
  }
})

test('/readyz writes once a second, however often it is asked', async () => {
  const database = openReadOnly(dataDirectory(gateway.dataDir).database)
  const commits = () => Number(database.prepare('SELECT count FROM commit_count').get()?.['count'])
  const before = commits()
  const startedAt = performance.now()
  const asked = await Promise.all(Array.from({ length: 100 }, () => gateway.call('GET', '/readyz')))
  assert.ok(asked.every(({ status }) => status === 200))
  const seconds = Math.ceil((performance.now() - startedAt) / 1000)
  const writes = commits() - before
  database.close()
  assert.ok(writes >= 1 && writes <= seconds, `${writes} writes in ${seconds} s`)
})

test('the authority’s certificate and fingerprint are served over plain HTTP, never its key', async () => {
  const none = await gateway.call('GET', '/ca')
  assert.equal(none.status, 404)
  assert.match(none.text, /roost certificate create/)

  const directory = dataDirectory(gateway.dataDir)
  await makeCertificate(directory, { names: ['roost.lan'], nowMs: Date.now() })
  const pem = await gateway.call('GET', '/ca.pem')
  const authority = new X509Certificate(pem.text)
  assert.ok(authority.ca)
  const page = await gateway.call('GET', '/ca')
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.ok(page.text.includes(authority.fingerprint256))
  for (const system of ['Android', 'iPhone', 'Windows', 'macOS', 'Debian'])
    assert.ok(page.text.includes(system))
  const der = await fetch(`${gateway.url}/ca.crt`)
  assert.equal(der.headers.get('content-type'), 'application/x-x509-ca-cert')
  const bytes = Buffer.from(await der.arrayBuffer())
  assert.equal(new X509Certificate(bytes).fingerprint256, authority.fingerprint256)
  assert.deepEqual(bytes, authority.raw)
  for (const { text } of [pem, page]) assert.doesNotMatch(text, /PRIVATE/)
})

/** The last test, because it stops the gateway. */
test('the log has the start and stop of a gateway, and requests only at level debug', async () => {
  await gateway.call('GET', '/healthz')
  assert.equal(await gateway.stop(), 0)
  const events = gateway.log.map(({ event }) => event)
  assert.deepEqual(events, ['starting', 'listening', 'stopping', 'stopped'])
})
