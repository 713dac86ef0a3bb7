/** Known failures as the owner sees them: one sentence with the remedy, no stack trace. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { dataDirectory, lockDataDirectory } from '#storage/data-directory.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { type ProgramOptions, runToEnd } from '#test/kit/program.ts'
import { runHere } from '#test/kit/run-roost.ts'
import { selfSigned } from '#test/kit/self-signed.ts'
import { smallDisk, smallDiskMissing } from '#test/kit/small-disk.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const timeout = HANGS_AFTER_MS
const NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--']
const READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"'

/** Makes a data directory with an account. */
async function dataDir(t: TestContext): Promise<string> {
  const cwd = temporaryDirectory(t)
  const path = join(cwd, 'data')
  const { code, stderr } = await runHere(['account', 'create', 'a@example.org', '--data', path], { cwd })
  assert.equal(code, 0, stderr)
  return path
}

/** Asserts that the gateway exits at once and prints this sentence once, without a stack trace. */
async function startFails(
  data: string,
  expected: { readonly code?: number; readonly sentence: RegExp; readonly under?: ProgramOptions['under'] },
) {
  const { code = 1, sentence, under = [] } = expected
  const args = ['serve', '--data', data, '--host', '127.0.0.1', '--port', '0']
  const ran = await runToEnd(args, { cwd: '/', under })
  const failures = ran.stderr.split('\n').filter(line => line.includes('"level":"error"'))
  assert.equal(failures.length, 1, ran.stderr)
  const [line = '{}'] = failures
  assert.match(String(JSON.parse(line).cause), sentence)
  assert.doesNotMatch(ran.stderr, /\\n {4}at |^ {4}at /m)
  assert.equal(ran.code, code)
}

function canNobodyRead(): boolean {
  const [command = '', ...args] = NOBODY
  return spawnSync(command, [...args, 'test', '-r', import.meta.filename]).status === 0
}

suite('a failure that the owner can fix is one sentence with its remedy', () => {
  const isRoot = process.getuid?.() === 0
  const noRoot = isRoot ? false : 'another user and mounts need root: run the tests as root'
  const noDisk = smallDiskMissing()
  const noNobody = noRoot || (canNobodyRead() ? false : 'the user nobody cannot read this checkout')

  test('no permission for the data directory', { timeout, skip: noNobody }, async t => {
    const sentence =
      /^no permission for \/.* as the user nobody: run this as the owner of the file or as root /
    await startFails(await dataDir(t), { sentence, under: NOBODY })
  })

  test('a read-only file system', { timeout, skip: noRoot || noDisk }, async t => {
    const data = await dataDir(t)
    const under = ['unshare', '-m', 'sh', '-c', READ_ONLY, 'sh', data]
    await startFails(data, {
      sentence: /read-only: make it writable, or name another with --data DIR$/,
      under,
    })
  })

  test('a full disk', { timeout, skip: noDisk }, async t => {
    const disk = await smallDisk(t, '4m')
    disk.fill()
    const sentence = /^the disk is full: make room on the disk of the data directory, then try again$/
    await startFails(disk.path, { sentence, under: disk.under })
  })

  test('a damaged database', { timeout }, async t => {
    const data = await dataDir(t)
    writeFileSync(dataDirectory(data).database, 'no longer a database '.repeat(4096))
    const sentence =
      /^the database is damaged .*: keep .* restore a backup .*: roost restore FILE --data DIR$/
    await startFails(data, { sentence })
  })

  test('a database of a newer version', { timeout }, async t => {
    const data = await dataDir(t)
    const database = new DatabaseSync(dataDirectory(data).database)
    database.exec('PRAGMA user_version = 9999')
    database.close()
    await startFails(data, { sentence: /start the newer version$/ })
  })

  test('another instance', { timeout }, async t => {
    const data = await dataDir(t)
    const lock = lockDataDirectory(dataDirectory(data))
    t.after(() => lock?.release())
    await startFails(data, { sentence: /another/, code: 75 })
  })

  test('a certificate that the agent does not trust', { timeout }, async t => {
    const server = createServer(selfSigned('localhost'))
    t.after(() => server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const gateway = ['--server', `https://localhost:${port}`, '--code', '12345678']
    const state = join(temporaryDirectory(t), 'state.json')
    const ran = await runToEnd(['agent', ...gateway, '--state', state, '--driver', 'log'], { cwd: '/' })
    assert.match(ran.stderr, /certificate.*NODE_EXTRA_CA_CERTS=/)
    assert.doesNotMatch(ran.stderr, /^ {4}at /m)
    assert.deepEqual([ran.code, ran.stderr.trimEnd().split('\n').length], [1, 1])
  })
})
