import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { firstUserId } from '#domain/account/user.ts'
import { openCredentialReader } from '#storage/credential-store.ts'
import { openWritable } from '#storage/database.ts'
import { MIGRATIONS, type MigrationProgress, migrate } from '#storage/migrate.ts'
import { initial } from '#storage/migrations/001-initial.ts'
import { readings } from '#storage/migrations/031-readings.ts'
import { users } from '#storage/migrations/039-users.ts'
import { openPrincipalReader } from '#storage/principal-reader.ts'
import { openSessionReader } from '#storage/session-store.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { openUsageReader } from '#storage/usage-reader.ts'
import { CodeWorld } from '#test/kit/code-world.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const OPEN = 'msg_01KF0H2A00AAAAAAAAAAAAAAAA'

function databaseFile(t: TestContext): string {
  const folder = temporaryDirectory(t)
  return join(folder, 'roost.db')
}

/** Makes a database of the first schema version, with an owner and a waiting message. */
function makeFirstVersion(file: string): void {
  const database = openWritable(file)
  migrate(database, { migrations: [initial] })
  database.exec(`
    INSERT INTO account VALUES ('acc_1', 'owner@localhost', 'pro', NULL, 1);
    INSERT INTO usage_day VALUES ('acc_1', 20468, 3, 1);
    INSERT INTO message VALUES ('${OPEN}', 'acc_1', 0, 'sms', '+14155550123', 'US', 'from before', 1, 'GSM-7',
      'normal', NULL, 0, 1768478400000, 1768564800000, NULL, NULL, 'queued', NULL, 0, 0, NULL, NULL, NULL,
      '[["queued",1768478400000]]')`)
  database.close()
}

function versionOf(database: DatabaseSync): unknown {
  return database.prepare('PRAGMA user_version').get()?.['user_version']
}

test('each file of storage/migrations is one step', () => {
  const folder = join(import.meta.dirname, '../../src/storage/migrations')
  const steps = readdirSync(folder).filter(name => name.endsWith('.ts'))
  assert.equal(MIGRATIONS.length, steps.length)
})

test('a database of the first version is opened, and its waiting messages are sent', t => {
  const file = databaseFile(t)
  makeFirstVersion(file)
  const world = new CodeWorld(file)
  t.after(() => world.database.close())
  assert.equal(versionOf(world.database), MIGRATIONS.length)
  assert.equal(world.accountId, 'acc_1')
  world.connectPhone()
  assert.deepEqual(
    world.offers().map(({ messageId, message }) => [messageId, message]),
    [[OPEN, 'from before']],
  )
  world.issue()
  assert.ok(world.verify('4711').verified)
  assert.deepEqual(openUsageReader(world.database).ofDay('acc_1', 20468), { sms: 3, twoFactor: 1 })
})

test('a migrated database has the schema of a new one', t => {
  const file = databaseFile(t)
  makeFirstVersion(file)
  const migrated = new CodeWorld(file)
  t.after(() => migrated.database.close())
  const schema = (world: CodeWorld) =>
    world.database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
  assert.deepEqual(schema(migrated), schema(new CodeWorld()))
})

test('opening a migrated database again changes nothing', t => {
  const file = databaseFile(t)
  makeFirstVersion(file)
  for (let i = 0; i < 2; i++) {
    const database = openWritable(file)
    migrate(database)
    assert.equal(versionOf(database), MIGRATIONS.length)
    database.close()
  }
})

test('a database of a newer version is refused with a remedy, and not changed', t => {
  const database = openWritable(databaseFile(t))
  t.after(() => database.close())
  migrate(database)
  database.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`)
  const known = MIGRATIONS.length
  assert.throws(() => migrate(database), {
    message:
      `a newer version of Roost made the database (schema ${known + 1}, this version knows ${known}): ` +
      'start the newer version',
  })
  assert.equal(versionOf(database), MIGRATIONS.length + 1)
})

test('a migration that fails halfway leaves the version before it intact', t => {
  const file = databaseFile(t)
  makeFirstVersion(file)
  const database = openWritable(file)
  t.after(() => database.close())
  const halfway =
    "CREATE TABLE half (done INTEGER); UPDATE message SET text = 'gone'; INSERT INTO nowhere VALUES (1)"
  assert.throws(() => migrate(database, { migrations: [initial, halfway] }), /nowhere/)
  assert.equal(versionOf(database), 1)
  assert.ok(!database.isTransaction)
  assert.equal(database.prepare('SELECT text FROM message').get()?.['text'], 'from before')
  assert.equal(database.prepare("SELECT name FROM sqlite_schema WHERE name = 'half'").get(), undefined)
  migrate(database)
  assert.equal(versionOf(database), MIGRATIONS.length)
})

test('migrations of an existing database are reported before they run', () => {
  const database = new DatabaseSync(':memory:')
  const told: string[] = []
  const progress = ({ step, steps, percent }: MigrationProgress) =>
    told.push(`${step} of ${steps}, ${percent} %`)
  const starting = () => told.push('starting')
  migrate(database, { migrations: MIGRATIONS.slice(0, -2), starting, progress })
  assert.deepEqual(told, [])
  migrate(database, { starting, progress })
  assert.deepEqual(told, ['1 of 2, 0 %', 'starting', '2 of 2, 0 %'])
})

test('the last body of a webhook moves to the trigger whose time is nearest', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database, { migrations: MIGRATIONS.slice(0, MIGRATIONS.indexOf(readings)) })
  const seen = database.prepare(`
    INSERT INTO webhook_seen (webhook_id, at, address, outcome) VALUES (?, ?, '::1', 'TRIGGERED')`)
  for (const [webhook, at] of [
    ['a', 1],
    ['a', 50],
    ['b', 49],
    ['a', 90],
  ] as const)
    seen.run(webhook, at)
  database.exec("INSERT INTO webhook_body VALUES ('a', 52, 'text/plain', 'of a'), ('c', 1, NULL, 'of c')")
  migrate(database)
  const rows = database.prepare('SELECT at, body, content_type, headers, fields FROM webhook_seen').all()
  assert.deepEqual(
    rows.map(row => Object.values(row)),
    [
      [1, null, null, null, null],
      [50, 'of a', 'text/plain', '{}', '[]'],
      [49, null, null, null, null],
      [90, null, null, null, null],
    ],
  )
})

test('the login, the token and the sessions of an account become those of its first user', () => {
  const database = new DatabaseSync(':memory:')
  const before = MIGRATIONS.indexOf(users)
  migrate(database, { migrations: MIGRATIONS.slice(0, before) })
  const sha = 'x'.repeat(32)
  database.exec(`
    INSERT INTO account (id, email, plan, created_at, password_hash, token_version)
      VALUES ('acc_1', 'ada@example.org', 'pro', 5, 'hash', 3);
    INSERT INTO session
      VALUES ('ses_1', 'acc_1', CAST('${sha}' AS BLOB), CAST('half' AS BLOB), 1, 2, 'a', 'b')`)
  migrate(database)
  const login = { userId: 'usr_1', accountId: 'acc_1', passwordHash: 'hash', tokenVersion: 3 }
  assert.deepEqual(openCredentialReader(database).findLogin('ada@example.org'), login)
  const session = openSessionReader(database).byCookie(Buffer.from(sha))
  assert.deepEqual([session?.accountId, session?.userId, session?.role], ['acc_1', 'usr_1', 'owner'])
  const token = { accountId: 'acc_1', userId: firstUserId('acc_1'), jti: 'j', version: 3, expiresAt: 9 }
  const principals = openPrincipalReader(database)
  assert.deepEqual(principals.byToken(token)?.user, { id: 'usr_1', role: 'owner' })
  assert.equal(principals.byToken({ ...token, version: 2 }), undefined)
  assert.equal(principals.byToken({ ...token, userId: 'usr_2' }), undefined)
})
