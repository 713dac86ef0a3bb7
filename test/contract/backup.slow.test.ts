/** Backup, restore and copies of the data directory, with a real gateway and waiting messages. */
import assert from 'node:assert/strict'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { dataDirectory } from '#storage/data-directory.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { runHere } from '#test/kit/run-roost.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const TEXT = { phoneNumber: '+14155550123', message: 'waits', queueIfOffline: true }

let common: TestGateway
before(async () => {
  common = await startGateway()
})
after(() => common.stop())

/** A folder, a gateway that other tests use, too, and an account of it with one message that waits. */
async function commonWithMessage(t: TestContext) {
  const owner = await common.newAccount()
  return { folder: temporaryDirectory(t), gateway: common, owner, messageId: await waiting(common, owner) }
}

/** Pairs a phone, which stays away, and sends a message. @returns its id */
async function waiting(gateway: TestGateway, owner: TestAccount): Promise<string> {
  const { code } = await gateway.ask('device.create-pairing', { accountId: owner.accountId, name: 'phone' })
  await gateway.ask('device.pair', { code, name: null, platform: null, appVersion: null })
  return send(gateway, owner.liveKey)
}

async function send(gateway: TestGateway, key: string): Promise<string> {
  const sent = await gateway.call('POST', '/api/v1/sms/send', { key, json: TEXT })
  assert.equal(sent.status, 200, sent.text)
  return String(sent.json?.data['messageId'])
}

/** Starts a gateway on the directory and stops it. @returns how the message ended there */
async function endOf(dataDir: string, { key, messageId }: { key: string; messageId: string }) {
  const gateway = await startGateway({ dataDir })
  try {
    const { json, text } = await gateway.call('GET', `/api/v1/sms/${messageId}`, { key })
    assert.ok(json, text)
    const failure = json.data['failure'] as { readonly code: string } | null
    return { status: json.data['status'], code: failure?.code ?? null, log: gateway.log }
  } finally {
    await gateway.stop()
  }
}

const UNKNOWN = ['failed', 'OUTCOME_UNKNOWN']

test('a backup made during sends is complete and private, and sends nothing again when restored', async t => {
  const { folder, gateway, owner, messageId } = await commonWithMessage(t)
  const file = join(folder, 'roost.backup')
  const isOver = new AbortController()
  const sending = (async () => {
    const answers: string[] = []
    while (!isOver.signal.aborted) answers.push(await send(gateway, owner.liveKey))
    return answers
  })()
  const made = await runHere(['backup', file, '--data', gateway.dataDir, '--json'], { cwd: folder })
  isOver.abort()
  assert.ok((await sending).length > 0)
  assert.equal(made.code, 0, made.stderr)
  assert.deepEqual(JSON.parse(made.stdout), { file, bytes: statSync(file).size })
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(folder), ['roost.backup'])

  const restored = join(folder, 'restored')
  const done = await runHere(['restore', file, '--data', restored], { cwd: folder })
  assert.deepEqual([done.code, done.stdout], [0, `${restored}\n`], done.stderr)
  assert.match(done.stderr, /The database is a copy\. \d+ open messages? ended as OUTCOME_UNKNOWN/)
  const [from, to] = [dataDirectory(gateway.dataDir), dataDirectory(restored)]
  for (const secret of ['jwtKey', 'codeKey'] as const) {
    assert.deepEqual(readFileSync(to[secret]), readFileSync(from[secret]))
    assert.equal(statSync(to[secret]).mode & 0o777, 0o600)
  }
  const database = new DatabaseSync(to.database, { readOnly: true })
  assert.equal(database.prepare('PRAGMA integrity_check').get()?.['integrity_check'], 'ok')
  const open = database
    .prepare("SELECT count(*) AS n FROM message WHERE status IN ('queued', 'sending')")
    .get()
  assert.equal(open?.['n'], 0)
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'backup_secret'").get()
  assert.equal(table, undefined, 'secrets are only in their files')
  database.close()
  const end = await endOf(restored, { key: owner.liveKey, messageId })
  assert.deepEqual([end.status, end.code], UNKNOWN)
  assert.equal(
    (await gateway.call('GET', `/api/v1/sms/${messageId}`, { key: owner.liveKey })).json?.data['status'],
    'queued',
  )
})

test('a backup that is copied into place by hand is treated as a restored one', async t => {
  const { folder, gateway, owner, messageId } = await commonWithMessage(t)
  const place = join(folder, 'by-hand')
  mkdirSync(place)
  const { code, stderr } = await runHere(['backup', join(place, 'roost.db'), '--data', gateway.dataDir], {
    cwd: folder,
  })
  assert.equal(code, 0, stderr)
  const end = await endOf(place, { key: owner.liveKey, messageId })
  assert.deepEqual([end.status, end.code], UNKNOWN)
  assert.ok(end.log.some(({ event }) => event === 'database.copied'))
  assert.deepEqual(
    readFileSync(dataDirectory(place).jwtKey),
    readFileSync(dataDirectory(gateway.dataDir).jwtKey),
  )
})

test('a data directory that was copied sends nothing again; a renamed one continues', async t => {
  const folder = temporaryDirectory(t)
  const gateway = await startGateway({ dataDir: join(folder, 'data') })
  const owner = await gateway.owner()
  const messageId = await waiting(gateway, owner)
  await gateway.stop()
  const [copy, renamed] = [join(folder, 'copy'), join(folder, 'renamed')]
  cpSync(gateway.dataDir, copy, { recursive: true, preserveTimestamps: true })
  const ofCopy = await endOf(copy, { key: owner.liveKey, messageId })
  assert.deepEqual([ofCopy.status, ofCopy.code], UNKNOWN)
  renameSync(gateway.dataDir, renamed)
  const ofRenamed = await endOf(renamed, { key: owner.liveKey, messageId })
  assert.deepEqual([ofRenamed.status, ofRenamed.code], ['queued', null])
})

test('restore accepts only a complete backup, and only into an empty directory', async t => {
  const { folder, gateway } = await commonWithMessage(t)
  const run = (...args: string[]) => runHere(args, { cwd: folder })
  const file = join(folder, 'roost.backup')
  assert.equal((await run('backup', file, '--data', gateway.dataDir)).code, 0)
  const full = await run('restore', file, '--data', gateway.dataDir)
  assert.match(full.stderr, /roost-test-\w+ is not empty/)
  assert.equal(full.code, 1)
  const target = join(folder, 'target')
  const bytes = readFileSync(file)
  writeFileSync(join(folder, 'text'), 'no backup')
  writeFileSync(join(folder, 'cut'), bytes.subarray(0, bytes.length - 8192))
  for (const [name, sentence] of [
    ['text', /is not a backup of Roost/],
    ['cut', /is (damaged|not a backup)/],
  ] as const) {
    const refused = await run('restore', name, '--data', target)
    assert.deepEqual([refused.code, existsSync(dataDirectory(target).database)], [2, false])
    assert.match(refused.stderr, sentence)
  }
  const nowhere = await run('restore', 'nowhere.backup', '--data', target)
  assert.match(nowhere.stderr, /there is no file .*nowhere\.backup: name one that roost backup has made/)
  const unplaced = await run('backup', 'nowhere/x.backup', '--data', gateway.dataDir)
  assert.match(unplaced.stderr, /there is no directory .*nowhere: make it, or name another file/)
  assert.deepEqual([nowhere.code, unplaced.code], [1, 1])
  const over = await run('backup', 'text', '--data', gateway.dataDir)
  assert.match(over.stderr, /is not a backup of Roost: name another file/)
  assert.equal((await run('backup', file, '--data', gateway.dataDir)).code, 0, 'an older backup is replaced')
  assert.equal((await run('restore', file, '--data', target)).code, 0)
})

test('restore refuses a backup in which another program made a trigger', async t => {
  const { folder, gateway } = await commonWithMessage(t)
  const run = (...args: string[]) => runHere(args, { cwd: folder })
  const file = join(folder, 'roost.backup')
  assert.equal((await run('backup', file, '--data', gateway.dataDir)).code, 0)
  for (const [name, sql] of [
    ['trigger planted', 'CREATE TRIGGER planted BEFORE INSERT ON received BEGIN SELECT 1; END'],
    [
      'trigger sqlite_planted',
      'PRAGMA writable_schema = ON;' +
        "INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_planted', 'received', 0, " +
        "'CREATE TRIGGER sqlite_planted BEFORE INSERT ON received BEGIN SELECT 1; END')",
    ],
    ['view planted', 'CREATE VIEW planted AS SELECT 1'],
    ['index message_open', 'DROP INDEX message_open'],
  ] as const) {
    const changed = join(folder, 'changed.backup')
    copyFileSync(file, changed)
    const database = new DatabaseSync(changed)
    database.exec(sql)
    database.close()
    const target = join(folder, 'target')
    const { code, stderr } = await run('restore', changed, '--data', target)
    assert.deepEqual([code, existsSync(dataDirectory(target).database)], [2, false])
    assert.match(stderr, new RegExp(`was changed by another program \\(${name} in its schema\\)`))
  }
})

test('a backup leaves out links and says so, and does not write to planted files', async t => {
  const { folder, gateway } = await commonWithMessage(t)
  const { secrets, jwtKey } = dataDirectory(gateway.dataDir)
  writeFileSync(join(folder, 'private'), 'private content')
  symlinkSync(join(folder, 'private'), join(secrets, 'evil'))
  t.after(() => rmSync(join(secrets, 'evil')))
  const file = join(folder, 'roost.backup')
  const made = await runHere(['backup', file, '--data', gateway.dataDir], { cwd: folder })
  assert.equal(made.code, 0, made.stderr)
  assert.match(made.stderr, /^Left out, because they are not files of the owner: evil in /m)
  const bytes = readFileSync(file)
  assert.ok(!bytes.includes('private content'))
  assert.ok(bytes.includes(readFileSync(jwtKey)))
})
