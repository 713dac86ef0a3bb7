import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { makeCertificate } from '#app/certificate/make-certificate.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { startGateway } from '#test/kit/gateway.ts'

test('the authority’s certificate and fingerprint are served over plain HTTP, never its key', async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
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
