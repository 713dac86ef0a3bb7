import { createHash } from 'node:crypto'
import type { DatabaseSync } from '#storage/sqlite.ts'

/**
 * A digest of every row of every table: equal databases have equal digests. The table `place`, which names
 * the database file, is left out, because it is written at each opening and not in a counted commit.
 */
export function digestRows(database: DatabaseSync): string {
  const hash = createHash('sha256')
  const tables = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'place' ORDER BY name`)
    .all()
  for (const { name } of tables) {
    hash.update(`${name}\n`)
    for (const row of database.prepare(`SELECT * FROM "${name}"`).all()) hash.update(JSON.stringify(row))
  }
  return hash.digest('base64')
}

export function countOf(database: DatabaseSync): number {
  return Number(database.prepare('SELECT count FROM commit_count').get()?.['count'])
}
