import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MEMBER_TABLES } from '#storage/membership.ts'
import { MIGRATIONS, migrate } from '#storage/migrate.ts'
import { DatabaseSync } from '#storage/sqlite.ts'

test('a session records every table: each has a primary key that cannot be NULL', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const tables = database
    .prepare("SELECT name, strict, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    .all()
    .filter(({ name }) => !String(name).startsWith('sqlite_'))
  assert.ok(tables.length > 30)
  for (const { name, strict } of tables) {
    const columns = database.prepare('SELECT pk, hidden FROM pragma_table_xinfo(?)').all(String(name))
    assert.ok(
      columns.some(({ pk }) => Number(pk) > 0),
      `${name} has no primary key, so its rows would not reach the other members of a cluster`,
    )
    // STRICT makes each column of a primary key NOT NULL.
    assert.equal(strict, 1, `${name} is not STRICT`)
    assert.ok(
      columns.every(({ hidden }) => hidden === 0),
      `${name} has a generated column`,
    )
  }
  for (const table of MEMBER_TABLES) assert.ok(tables.some(({ name }) => name === table))
  assert.equal(
    database.prepare("SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')").get()?.[
      'count(*)'
    ],
    0,
  )
})

test('the tables that get a primary key keep their rows', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database, { migrations: MIGRATIONS.slice(0, 36) })
  database.exec(`
    INSERT INTO webhook_trigger VALUES ('whk_1', 5, x'01', '[]', 'inc_1', 1);
    INSERT INTO alarm_text VALUES (7);
    INSERT INTO commit_loss VALUES (8, 2, 1)`)
  migrate(database)
  const rows = (table: string) =>
    database
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map(row => Object.values(row))
  assert.deepEqual(rows('webhook_trigger'), [[1, 'whk_1', 5, new Uint8Array([1]), '[]', 'inc_1', 1, null]])
  assert.deepEqual([rows('alarm_text'), rows('commit_loss')], [[[1, 7]], [[1, 8, 2, 1]]])
})
