import { migrate } from '#storage/migrate.ts'
import { DatabaseSync } from '#storage/sqlite.ts'

let script: string | undefined

/**
 * A database in memory with the newest schema. The migrations run once in this process. Every further
 * database is a copy of the schema and rows that they made.
 */
export function openMigrated(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  script ??= scriptOfMigrated()
  database.exec(script)
  return database
}

/** The schema, the rows and the version that the migrations leave, as SQL. */
function scriptOfMigrated(): string {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const texts = (sql: string): string[] =>
    database
      .prepare(sql)
      .all()
      .flatMap(row => Object.values(row).map(String))
  const schemaOf = (types: string): string[] =>
    texts(
      `SELECT sql FROM sqlite_schema WHERE type IN (${types}) AND sql NOT NULL AND name NOT LIKE 'sqlite_%'`,
    )
  const tables = texts(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
  const rows = tables.flatMap(table => {
    const columns = texts(`SELECT name FROM pragma_table_info('${table}')`)
    const values = columns.map(column => `quote("${column}")`).join(` || ',' || `)
    return texts(`SELECT ${values} FROM "${table}"`).map(
      row => `INSERT INTO "${table}" ("${columns.join('", "')}") VALUES (${row})`,
    )
  })
  const version = texts('PRAGMA user_version').map(number => `PRAGMA user_version = ${number}`)
  const statements = [
    'BEGIN',
    ...schemaOf("'table'"),
    ...rows,
    ...schemaOf("'index', 'trigger', 'view'"),
    ...version,
    'COMMIT',
  ]
  database.close()
  return statements.join(';\n')
}
