import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { CERTIFICATE_CHECK_EVERY_MS, CertificateKeeper } from '#app/certificate/keep-certificate.ts'
import { makeCertificate } from '#app/certificate/make-certificate.ts'
import { withOwnCertificate } from '#app/certificate/own-certificate.ts'
import { readCertificate } from '#app/certificate/read-certificate.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { DAY_MS } from '#domain/time.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { HandClock } from '#test/kit/hand-clock.ts'
import { selfSigned } from '#test/kit/self-signed.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

/** A certificate keeper on a manual clock. `fault`: the error with which the threads answer new files. */
async function keep(t: TestContext, http: Partial<typeof CONFIG_DEFAULTS.http> = {}) {
  const clock = new HandClock()
  const data_dir = temporaryDirectory(t)
  const directory = dataDirectory(data_dir)
  const config = withOwnCertificate({
    ...CONFIG_DEFAULTS,
    data_dir,
    http: { ...CONFIG_DEFAULTS.http, tls_port: 8443, ...http },
  })
  await makeCertificate(directory, { names: ['roost.lan', '192.168.1.5'], nowMs: clock.wallMs() })
  const rig = { fault: null as string | null, address: '192.168.1.5', served: 0, log: [] as string[] }
  const keeper = new CertificateKeeper({
    config,
    log: { entry: () => {}, write: (_, event) => void rig.log.push(event) },
    serve: async () => {
      rig.served += 1
      return rig.fault
    },
    wallMs: () => clock.wallMs(),
    after: (run, ms) => clock.after(ms, run),
    address: () => rig.address,
  })
  keeper.start()
  t.after(() => keeper.stop())
  const facts = () => readCertificate(readFileSync(config.http.tls_cert_file))
  /** Advances the clock and waits for the check that becomes due. */
  const pass = async (ms: number) => {
    clock.jumpWall(ms - CERTIFICATE_CHECK_EVERY_MS)
    clock.advance(CERTIFICATE_CHECK_EVERY_MS)
    await keeper.check()
  }
  return { rig, config, directory, keeper, facts, pass }
}

test('a certificate that the gateway made is renewed with a third of its time left, and served', async t => {
  const { rig, facts, pass } = await keep(t)
  const first = facts()
  await pass(242 * DAY_MS)
  assert.deepEqual([rig.served, rig.log, facts().fingerprint], [0, [], first.fingerprint])
  await pass(2 * DAY_MS)
  const second = facts()
  assert.deepEqual([rig.served, rig.log], [1, ['certificate.renewed', 'certificate.taken']])
  assert.ok(second.notAfter > first.notAfter + 240 * DAY_MS)
  assert.ok(second.names.includes('roost.lan') && second.names.includes('192.168.1.5'))
  await pass(DAY_MS)
  assert.equal(rig.served, 1)
})

test('a new address of the machine is added to the certificate', async t => {
  const { rig, facts, pass } = await keep(t)
  rig.address = '192.168.1.99'
  await pass(CERTIFICATE_CHECK_EVERY_MS)
  assert.ok(facts().names.includes('192.168.1.99'))
  assert.equal(rig.served, 1)
})

test('an address that is new at the start is in the certificate that the listeners load first', async t => {
  const { rig, facts, keeper } = await keep(t)
  await keeper.stop()
  rig.address = '192.168.1.99'
  await keeper.renewBeforeStart()
  assert.ok(facts().names.includes('192.168.1.99'))
  keeper.start()
  await keeper.check()
  assert.deepEqual([rig.served, rig.log], [0, ['certificate.renewed']])
})

test('files that cannot be used do not stop the gateway before its listeners report them', async t => {
  const { rig, config, keeper } = await keep(t)
  await keeper.stop()
  writeFileSync(config.http.tls_cert_file, 'junk')
  await keeper.renewBeforeStart()
  assert.deepEqual(rig.log, [])
})

test('a failed renewal is reported, and the old certificate stays in use', async t => {
  const { rig, facts, directory, pass } = await keep(t)
  const first = facts()
  writeFileSync(directory.authority, 'junk')
  await pass(300 * DAY_MS)
  assert.deepEqual([...new Set(rig.log)], ['certificate.not_renewed'])
  assert.equal(facts().fingerprint, first.fingerprint)
})

test('changed files are served within an hour; broken ones are reported once and tried again', async t => {
  const folder = temporaryDirectory(t)
  const files = { tls_cert_file: join(folder, 'cert.pem'), tls_key_file: join(folder, 'key.pem') }
  const write = ({ cert, key }: { cert: string; key: string }) => {
    writeFileSync(files.tls_cert_file, cert)
    writeFileSync(files.tls_key_file, key)
  }
  write(selfSigned('first.lan'))
  const { rig, pass } = await keep(t, files)
  await pass(CERTIFICATE_CHECK_EVERY_MS)
  assert.equal(rig.served, 0)
  rig.fault = 'the new certificate is not in use'
  write({ cert: 'junk', key: 'junk' })
  await pass(3 * CERTIFICATE_CHECK_EVERY_MS)
  assert.ok(rig.served > 1)
  assert.deepEqual(rig.log, ['certificate.not_taken'])
  rig.fault = null
  write(selfSigned('second.lan'))
  await pass(CERTIFICATE_CHECK_EVERY_MS)
  assert.deepEqual(rig.log, ['certificate.not_taken', 'certificate.taken'])
})
