/** `roost doctor` with a running gateway, without one, and with broken parts. */
import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { CERTIFICATE_DAYS } from '#app/certificate/issue-certificate.ts'
import { makeCertificate } from '#app/certificate/make-certificate.ts'
import { DAY_MS } from '#domain/time.ts'
import { dataDirectory, journalOf, lockDataDirectory } from '#storage/data-directory.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { nextLook } from '#test/kit/next-turn.ts'
import { runHere } from '#test/kit/run-roost.ts'
import { selfSigned } from '#test/kit/self-signed.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { FIELDS } from '#test/kit/webhook-world.ts'

interface Finding {
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly fix: string | null
  readonly since: string | null
}

const folder = temporaryDirectory({ after })
const dataDir = join(folder, 'data')
mkdirSync(dataDir)
// A file where the folder of backups should be: every backup fails.
const backups = join(folder, 'backups')
writeFileSync(backups, '')
const gateway = await startGateway({ dataDir, config: { backup: { dir: backups } } })
after(() => gateway.stop())
const { port } = new URL(gateway.url)
const HERE = { ROOST_HTTP__HOST: '127.0.0.1', ROOST_HTTP__PORT: port }

async function doctor(env: Readonly<Record<string, string>> = HERE, data = dataDir) {
  const { code, stdout, stderr } = await runHere(['doctor', '--json', '--data', data], { cwd: folder, env })
  const report = JSON.parse(stdout) as { ok: boolean; running: boolean; findings: Finding[] }
  const of = (name: string) => report.findings.filter(finding => finding.code === name)
  return { code, ...report, of, stderr }
}

/** Names and modes of all files in the data directory, to detect changes. */
function trace(): string[] {
  const all = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
  return all.map(name => `${name} ${statSync(join(dataDir, name)).mode.toString(8)}`).sort()
}

test("beside a running gateway the doctor reports its problems and the machine's findings", async () => {
  const { accountId } = await gateway.owner()
  // The writer learns of the failed backup later than the thread in which it failed.
  while ((await gateway.ask('health.list', { accountId })).length === 0) await nextLook()
  const report = await doctor()
  assert.equal(report.running, true)
  assert.match(report.of('GATEWAY')[0]?.message ?? '', /^Roost .* runs \(process \d+\)$/)
  assert.deepEqual(report.of('PORT')[0]?.message, `The gateway listens on port ${port}`)
  assert.equal(report.of('PERMISSIONS')[0]?.severity, 'ok')
  assert.match(report.of('DISK_SPEED')[0]?.message ?? '', /^A synced write \(fsync\) takes [\d.]+ ms/)
  const [problem] = report.of('BACKUP_FAILED')
  assert.equal(problem?.severity, 'warning')
  assert.equal(typeof problem?.since, 'string')
  assert.deepEqual([report.ok, report.code], [true, 0])
  assert.equal(report.stderr, '')
})

test('the doctor names stored numbers that would be valid without their zero', async () => {
  const { accountId } = await gateway.owner()
  const recipients = [{ phoneNumber: '+3903331234567', country: 'IT' }]
  await gateway.ask('webhook.create', { accountId, fields: { ...FIELDS, recipients } })
  const [finding, ...others] = (await doctor()).of('NUMBER')
  assert.match(
    finding?.message ?? '',
    /^The webhook .* has the number \+3903331234567, which does not exist$/,
  )
  assert.equal(finding?.fix, 'If +393331234567 is meant, put in that number.')
  assert.deepEqual(others, [])
})

test('the doctor reports wrong file modes and changes nothing', async () => {
  const secret = dataDirectory(dataDir).jwtKey
  chmodSync(secret, 0o644)
  const before = trace()
  const [finding] = (await doctor()).of('PERMISSIONS')
  assert.equal(finding?.severity, 'warning')
  assert.match(finding?.message ?? '', /jwt-key is open to other users \(mode 644\)$/)
  assert.equal(finding?.fix, `Run: sudo chmod go= '${secret}'`)
  assert.deepEqual(trace(), before)
  chmodSync(secret, 0o600)
})

test('a faulty configuration is reported together with all other findings', async () => {
  const { of, code } = await doctor({ ...HERE, ROOST_HTTP__LISTENERS: 'many', ROOST_HTTP__PROT: '1' })
  const found = of('CONFIGURATION').map(({ severity, message }) => `${severity} ${message}`)
  assert.match(
    found.join('\n'),
    /^critical http\.listeners: must be a number \(from ROOST_HTTP__LISTENERS\)/m,
  )
  assert.match(found.join('\n'), /ROOST_HTTP__PROT/)
  assert.match(of('GATEWAY')[0]?.message ?? '', /runs/)
  assert.equal(code, 1)
})

test('the status is that of the gateway beside a faulty configuration, which it names', async () => {
  const status = (env: typeof HERE & Record<string, string>) =>
    runHere(['status', '--data', dataDir], { cwd: folder, env })
  const right = await status(HERE)
  const beside = await status({ ...HERE, ROOST_HTTP__LISTENERS: 'many' })
  assert.match(beside.stdout, /^Roost \S+ runs, /)
  assert.equal(beside.code, right.code)
  assert.match(
    beside.stderr,
    /^warning: the configuration has a fault\n {2}http\.listeners: must be a number/,
  )
})

test('without --json the doctor prints a line and a fix for each finding, and a summary', async () => {
  const { stdout, stderr, code } = await runHere(['doctor', '--data', dataDir], { cwd: folder, env: HERE })
  assert.match(stdout, /^Warning {2}BACKUP_FAILED: .*\.\n {9}Mount .*\n/)
  assert.match(stdout, /\nok {7}PORT: The gateway listens on port \d+\.\n/)
  assert.match(stdout, /\n\nCritical: 0\. Warnings: \d+\. Unknown: \d+\. OK: \d+\.\n$/)
  assert.deepEqual([stderr, code], ['', 0])
})

test('the doctor reports a configured port on which the gateway does not listen', async () => {
  const free = createServer()
  await new Promise<void>(listening => free.listen(0, '127.0.0.1', listening))
  const address = free.address() as { port: number }
  const taken = await doctor({ ...HERE, ROOST_HTTP__PORT: String(address.port) })
  assert.equal(taken.of('PORT')[0]?.message, `Another program uses port ${address.port}`)
  await new Promise<void>(closed => free.close(() => closed()))
  const changed = await doctor({ ...HERE, ROOST_HTTP__PORT: String(address.port) })
  assert.match(
    changed.of('PORT')[0]?.message ?? '',
    /^The configuration says port \d+, but the gateway listens on/,
  )
})

test('a report beside a running gateway has its problems', async () => {
  const { code, stdout } = await runHere(['report', '--json', '--data', dataDir], { cwd: folder, env: HERE })
  const { gateway: seen, problems } = JSON.parse(stdout)
  assert.deepEqual([code, seen.isSameVersion], [0, true])
  assert.ok(problems.some((problem: { code: string }) => problem.code === 'BACKUP_FAILED'))
})

test('without a running gateway the doctor still checks the machine', async () => {
  await gateway.stop()
  const { of, code, running } = await doctor()
  assert.deepEqual([running, code], [false, 1])
  assert.equal(of('GATEWAY')[0]?.message, 'The gateway is not running')
  assert.equal(of('PORT')[0]?.message, `Port ${port} is free`)
  assert.equal(of('BACKUP')[0]?.message, 'No backups are made')
  assert.deepEqual(of('BACKUP_FAILED'), [])
})

test('the doctor names a process that holds the data directory and does not answer', async () => {
  const lock = lockDataDirectory(dataDirectory(dataDir))
  assert.ok(lock)
  const [finding] = (await doctor()).of('GATEWAY')
  lock.release()
  assert.equal(
    finding?.message,
    `The process ${process.pid} has locked the data directory and does not answer`,
  )
})

test('HTTPS without a certificate is reported', async () => {
  const { of } = await doctor({ ...HERE, ROOST_HTTP__TLS_PORT: '8443' })
  assert.match(of('CERTIFICATE')[0]?.message ?? '', /^The HTTPS certificate cannot be read: ENOENT/)
  assert.equal(of('CERTIFICATE')[0]?.severity, 'critical')
})

test('the doctor reports a certificate that clients refuse, and says why', async () => {
  const directory = dataDirectory(dataDir)
  const env = { ...HERE, ROOST_HTTP__TLS_PORT: '8443', ROOST_PUBLIC_URL: 'https://sms.lan:8443' }
  const make = (name: string, nowMs = Date.now()) => makeCertificate(directory, { names: [name], nowMs })
  const critical = async (changed: Record<string, string> = {}) => {
    const found = (await doctor({ ...env, ...changed })).of('CERTIFICATE')
    return found.flatMap(({ severity, message, fix }) =>
      severity === 'critical' ? `${message}. ${fix}` : [],
    )
  }
  await make('sms.lan')
  assert.deepEqual(await critical(), [])
  assert.match(
    (await critical({ ROOST_PUBLIC_URL: 'https://10.0.0.9:8443' })).join(),
    /not name 10\.0\.0\.9,/,
  )
  assert.deepEqual(await critical({ ROOST_PUBLIC_URL: 'https://proxy.example' }), [])
  const [first, given] = [readFileSync(directory.authority), readFileSync(directory.certificate)]
  rmSync(directory.authority)
  await make('sms.lan')
  writeFileSync(directory.certificate, given)
  assert.match(
    (await critical()).join(),
    /^The certificate is not from Roost’s own authority: .* certificate renew/,
  )
  writeFileSync(directory.authority, first)
  await make('sms.lan', Date.now() - 2 * CERTIFICATE_DAYS * DAY_MS)
  assert.match((await critical()).join(), /^The certificate expired on .* Run: roost certificate renew\.$/)

  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(cert, selfSigned('sms.lan').cert)
  writeFileSync(key, selfSigned('sms.lan').key)
  const named = { ROOST_HTTP__TLS_CERT_FILE: cert, ROOST_HTTP__TLS_KEY_FILE: key }
  assert.match((await critical(named)).join(), /cannot be served: the key in .*key\.pem belongs to/)
})

test('a folder without a gateway is reported, with what to do', async () => {
  const { of, code } = await doctor(HERE, join(folder, 'nowhere'))
  assert.match(of('GATEWAY')[0]?.message ?? '', /^There is no gateway in .*nowhere$/)
  assert.match(of('GATEWAY')[0]?.fix ?? '', /^Name its data directory with --data DIR/)
  assert.equal(of('DISK_SPEED')[0]?.severity, 'unknown')
  assert.equal(code, 1)
  assert.equal(readdirSync(folder).includes('nowhere'), false)
})

test('without a gateway the doctor finds a damaged database, and a write that was interrupted', async t => {
  const place = temporaryDirectory(t)
  const other = await startGateway({ dataDir: join(place, 'data') })
  await other.stop()
  const { database } = dataDirectory(join(place, 'data'))
  const codeOf = async (name: string) => (await doctor(HERE, join(place, 'data'))).of(name)[0]
  assert.equal((await codeOf('DATABASE'))?.severity, 'ok')
  writeFileSync(journalOf(database), 'of an interrupted write')
  assert.match((await codeOf('DATABASE'))?.message ?? '', /^A power cut or a crash interrupted a write to /)
  rmSync(journalOf(database))
  const bytes = readFileSync(database)
  // All pages but the schema.
  bytes.fill(0, 16 * 4096)
  writeFileSync(database, bytes)
  const damage = await codeOf('DATABASE_DAMAGED')
  assert.equal(damage?.severity, 'critical')
  assert.match(damage?.message ?? '', /^A check found that the database is damaged \(/)
})

test('a gateway that starts on a damaged database says so', async t => {
  const place = temporaryDirectory(t)
  const dataDir = join(place, 'data')
  await (await startGateway({ dataDir })).stop()
  const { database, databaseChecked } = dataDirectory(dataDir)
  const old = new DatabaseSync(database)
  const root = Number(
    old.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'message_call_name'").get()?.['rootpage'],
  )
  old.close()
  const bytes = readFileSync(database)
  bytes.fill(0, (root - 1) * 4096, root * 4096)
  writeFileSync(database, bytes)
  utimesSync(databaseChecked, 1, 1)
  const damaged = await startGateway({ dataDir })
  t.after(() => damaged.stop())
  while (!damaged.log.some(({ event }) => event === 'database.damaged')) await nextLook()
  const problems = () => damaged.ask('health.list', { accountId: null })
  while (!(await problems()).some(({ code }) => code === 'DATABASE_DAMAGED')) await nextLook()
})
