import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { backUp } from '#storage/backup.ts'
import { checkDatabase } from '#storage/check-database.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { openWritable } from '#storage/database.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { DatabaseDamaged } from '#storage/sqlite-fault.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const ROWS = 500

/** A database of a few megabytes, as a gateway has it open. */
function filled(t: TestContext) {
  const folder = temporaryDirectory(t)
  const directory = dataDirectory(folder)
  const database = openWritable(directory.database)
  database.exec('CREATE TABLE text (id INTEGER PRIMARY KEY, version INTEGER, text TEXT)')
  const insert = database.prepare('INSERT INTO text VALUES (?, 0, ?)')
  database.exec('BEGIN')
  for (let id = 0; id < ROWS; id++) insert.run(id, 'x'.repeat(8000))
  database.exec('COMMIT')
  t.after(() => database.close())
  return { folder, directory, database, file: join(folder, 'roost.backup') }
}

test('a backup in steps is one snapshot, although the gateway commits after each step', async t => {
  const { directory, database, file } = filled(t)
  const update = database.prepare('UPDATE text SET version = version + 1')
  let steps = 0
  await backUp(directory, file, () => {
    steps += 1
    update.run()
  })
  assert.ok(steps >= 3, `${steps} steps`)
  const copy = new DatabaseSync(file, { readOnly: true })
  t.after(() => copy.close())
  const found = copy
    .prepare('SELECT count(*) AS n, min(version) AS low, max(version) AS high FROM text')
    .get()
  assert.deepEqual({ ...found }, { n: ROWS, low: 0, high: 0 })
  assert.equal(copy.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'delete')
})

test('a backup that fails in the middle leaves no file', async t => {
  const { folder, directory, file } = filled(t)
  const before = readdirSync(folder).sort()
  const ended = new Error('ended')
  await assert.rejects(
    backUp(directory, file, () => {
      throw ended
    }),
    ended,
  )
  assert.deepEqual(readdirSync(folder).sort(), before)
})

test('a damaged database is found by a check, and refused by a backup', async t => {
  const { folder, directory, database, file } = filled(t)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  checkDatabase(directory.database)
  const bytes = readFileSync(directory.database)
  // The root of the table. Content of a text can change without a trace, because SQLite has no checksums.
  bytes.fill(0, 4096, 2 * 4096)
  writeFileSync(join(folder, 'damaged.db'), bytes)
  const damaged = { ...directory, database: join(folder, 'damaged.db') }
  assert.throws(() => checkDatabase(damaged.database), DatabaseDamaged)
  await assert.rejects(
    backUp(damaged, file, () => undefined),
    DatabaseDamaged,
  )
})
