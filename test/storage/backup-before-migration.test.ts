import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'
import { openWritable } from '#storage/database.ts'
import { MIGRATIONS, migrate } from '#storage/migrate.ts'
import { openStorage } from '#storage/open-storage.ts'
import { systemSource } from '#storage/source.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { testSettings } from '#test/kit/world.ts'

/** Makes a data directory whose database is one schema version behind. */
function oldDirectory(t: TestContext): DataDirectory {
  const directory = dataDirectory(temporaryDirectory(t))
  const database = openWritable(directory.database)
  migrate(database, { migrations: MIGRATIONS.slice(0, -1) })
  database.exec(
    "INSERT INTO account (id, email, plan, created_at) VALUES ('acc_1', 'a@example.org', 'pro', 1)",
  )
  database.close()
  return directory
}

function open(directory: DataDirectory): void {
  const storage = openStorage(directory, {
    settings: testSettings(),
    source: systemSource(new Uint8Array(32)),
    now: () => ({ wallMs: Date.UTC(2026, 0, 16), monoMs: 1_000_000 }),
    faulted: error => assert.fail(String(error)),
  })
  storage.close()
}

function lookInto(file: string) {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const version = database.prepare('PRAGMA user_version').get()?.['user_version']
    return { version, accounts: database.prepare('SELECT id FROM account').all().length }
  } finally {
    database.close()
  }
}

test('an old database is backed up before its migration, and only the newest such backup is kept', t => {
  const directory = oldDirectory(t)
  const folder = join(directory.path, 'backups')
  mkdirSync(folder)
  writeFileSync(join(folder, 'before-schema-2.backup'), 'of an earlier update')
  open(directory)
  const name = `before-schema-${MIGRATIONS.length}.backup`
  assert.deepEqual(readdirSync(folder), [name])
  assert.deepEqual(lookInto(join(folder, name)), { version: MIGRATIONS.length - 1, accounts: 1 })
  assert.deepEqual(lookInto(directory.database), { version: MIGRATIONS.length, accounts: 1 })
})

test('an update that was interrupted during its backup goes on at the next start', t => {
  const directory = oldDirectory(t)
  const folder = join(directory.path, 'backups')
  const name = `before-schema-${MIGRATIONS.length}.backup`
  mkdirSync(folder)
  // No process has this id, so the draft is abandoned.
  writeFileSync(join(folder, `${name}.4194305.roost-0123456789abcdef.partial`), 'half')
  open(directory)
  assert.deepEqual(readdirSync(folder), [name])
  assert.equal(lookInto(directory.database).version, MIGRATIONS.length)
})

test('without room for the backup nothing is migrated', t => {
  const directory = oldDirectory(t)
  // A directory at the path of the backup makes the backup fail.
  mkdirSync(join(directory.path, 'backups', `before-schema-${MIGRATIONS.length}.backup`), { recursive: true })
  assert.throws(() => open(directory), /nothing was changed: make room/)
  assert.equal(lookInto(directory.database).version, MIGRATIONS.length - 1)
})

test('a new database needs no backup', t => {
  const directory = dataDirectory(temporaryDirectory(t))
  open(directory)
  assert.ok(!readdirSync(directory.path).includes('backups'))
})
