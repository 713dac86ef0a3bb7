import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMigrated } from '#test/kit/open-migrated.ts'

interface Column {
  readonly name: string
  readonly type: string
}

/** A value that a clock or a division may make. */
const FRACTION = 1_760_000_000_000.375

test('a fraction for an INTEGER column is rounded, in every table', () => {
  const database = openMigrated()
  database.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON')
  const names = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'",
  )
  const tables = names.all().map(row => String(row['name']))
  assert.ok(tables.length > 30)
  for (const table of tables) {
    const columns = database.prepare(`PRAGMA table_info("${table}")`).all() as unknown as Column[]
    database.exec(`DELETE FROM "${table}"`)
    const values = { INTEGER: FRACTION, TEXT: '{}', BLOB: new Uint8Array(1) }
    const bound = columns.map(({ type }) => values[type as keyof typeof values])
    database.prepare(`INSERT INTO "${table}" VALUES (${bound.map(() => '?').join(', ')})`).run(...bound)
    const row = database.prepare(`SELECT * FROM "${table}"`).get()
    for (const { name, type } of columns)
      assert.equal(row?.[name] === Math.round(FRACTION), type === 'INTEGER', `${table}.${name}`)
  }
})

test('so is one that is bound by name', () => {
  const database = openMigrated()
  database.prepare('UPDATE clock SET seen_at = $at, held_ms = $ms').run({ $at: 1.5, $ms: 0.4 })
  assert.deepEqual(
    { ...database.prepare('SELECT seen_at, held_ms FROM clock').get() },
    { seen_at: 2, held_ms: 0 },
  )
})
