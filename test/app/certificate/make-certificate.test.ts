import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { CERTIFICATE_DAYS } from '#app/certificate/issue-certificate.ts'
import { certificateName, machineNames } from '#app/certificate/machine-names.ts'
import { CERTIFICATE_NAMES_MAX, makeCertificate } from '#app/certificate/make-certificate.ts'
import { DAY_MS } from '#domain/time.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const NOW = Date.parse('2026-01-31T12:00:00.000Z')

async function make(t: TestContext, names: readonly string[]) {
  const directory = dataDirectory(temporaryDirectory(t))
  await makeCertificate(directory, { names, nowMs: NOW })
  const read = (file: string) => new X509Certificate(readFileSync(file))
  return { directory, authority: read(directory.authority), leaf: read(directory.certificate) }
}

test('the authority issues a certificate that browsers and phones accept', async t => {
  const names = ['roost.lan', '192.168.1.5', 'fd00::5']
  const { directory, authority, leaf } = await make(t, names)
  assert.ok(authority.ca && !leaf.ca)
  assert.ok(leaf.checkIssued(authority) && leaf.verify(authority.publicKey))
  assert.equal(leaf.checkHost('roost.lan'), 'roost.lan')
  assert.equal(leaf.checkIP('192.168.1.5'), '192.168.1.5')
  assert.equal(leaf.checkIP('fd00::5'), 'fd00::5')
  const lifeMs = Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)
  assert.ok(lifeMs <= CERTIFICATE_DAYS * DAY_MS && lifeMs > (CERTIFICATE_DAYS - 1) * DAY_MS)
  assert.deepEqual(leaf.keyUsage, ['1.3.6.1.5.5.7.3.1'])
  const root = join(directory.path, 'root.pem')
  writeFileSync(root, authority.toString())
  const time = String(NOW / 1000)
  const verify = ['verify', '-x509_strict', '-purpose', 'sslserver', '-attime', time, '-CAfile', root]
  assert.match(execFileSync('openssl', [...verify, directory.certificate], { encoding: 'utf8' }), /: OK/)
})

test('the files of a certificate are readable only by their owner', async t => {
  const { directory } = await make(t, ['roost.lan'])
  for (const file of [directory.authority, directory.certificate])
    assert.equal(statSync(file).mode & 0o777, 0o600, file)
})

test('a second certificate comes from the same authority and has another key', async t => {
  const { directory, authority, leaf } = await make(t, ['roost.lan'])
  await makeCertificate(directory, { names: ['other.lan'], nowMs: NOW })
  const second = new X509Certificate(readFileSync(directory.certificate))
  assert.equal(second.subjectAltName, 'DNS:other.lan')
  assert.ok(second.verify(authority.publicKey))
  assert.notEqual(second.serialNumber, leaf.serialNumber)
  assert.ok(!second.publicKey.equals(leaf.publicKey))
})

test('an expired authority issues no certificate, and the error says what to do', async t => {
  const { directory } = await make(t, ['roost.lan'])
  const nowMs = NOW + 3651 * DAY_MS
  await assert.rejects(
    makeCertificate(directory, { names: ['a.lan'], nowMs }),
    /expired at 2036-.*remove the file/,
  )
})

test('a certificate lasts no longer than its authority, and holds as many names as fit', async t => {
  const { directory, authority } = await make(t, ['roost.lan'])
  const names = Array.from({ length: CERTIFICATE_NAMES_MAX + 5 }, (_, i) => `n${i}.lan`)
  const made = await makeCertificate(directory, { names, nowMs: NOW + 3500 * DAY_MS })
  assert.equal(made.notAfter, Date.parse(authority.validTo))
  assert.deepEqual(made.names, names.slice(0, CERTIFICATE_NAMES_MAX))
})

test('a certificate name is a host name or an IP address, normalized to one spelling', () => {
  assert.equal(certificateName('Roost.LAN.'), 'roost.lan')
  assert.equal(certificateName('bücher.example'), 'xn--bcher-kva.example')
  assert.equal(certificateName('[FD00:0::1]'), 'fd00::1')
  assert.equal(certificateName('*.home.arpa'), '*.home.arpa')
  for (const wrong of ['', 'two words', 'http://roost.lan', 'a..b', 'under_score', 'a/b', 'x'.repeat(64)])
    assert.equal(certificateName(wrong), null, wrong)
})

test("a machine's names for the certificate are its host names, then its addresses, bridges last", () => {
  const card = (address: string, family: 'IPv4' | 'IPv6', internal = false) =>
    ({ address, family, internal, netmask: '', mac: '', cidr: null }) as never
  const interfaces = () => ({
    lo: [card('127.0.0.1', 'IPv4', true)],
    docker0: [card('172.17.0.1', 'IPv4')],
    eth0: [card('fe80::1', 'IPv6'), card('fd00::7', 'IPv6'), card('192.168.1.7', 'IPv4')],
  })
  const names = machineNames('http://roost.home.arpa:8080', interfaces)
  assert.equal(names[0], 'roost.home.arpa')
  const addresses = names.slice(names.indexOf('localhost'))
  assert.deepEqual(addresses, ['localhost', '192.168.1.7', '172.17.0.1', 'fd00::7', '127.0.0.1', '::1'])
})
