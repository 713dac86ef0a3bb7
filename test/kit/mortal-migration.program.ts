/**
 * Opens the database of a data directory, and so brings it up to date, until it kills itself as kill -9 does:
 * before that many statements, or before that many commits. Ends with 0 when it came to the end.
 */
import { dataDirectory } from '#storage/data-directory.ts'
import { openStorage } from '#storage/open-storage.ts'
import { systemSource } from '#storage/source.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { testSettings } from '#test/kit/world.ts'

const [path = '', before, count] = process.argv.slice(2)
let left = Number(count)

function passing(sql: string): void {
  if (before === 'commit' && !sql.includes('COMMIT')) return
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
}

const { exec, prepare } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (sql) {
  passing(sql)
  exec.call(this, sql)
}
DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql)
  const { run } = statement
  statement.run = (...values: readonly unknown[]) => {
    passing(sql)
    return Reflect.apply(run, statement, values)
  }
  return statement
}

openStorage(dataDirectory(path), {
  settings: testSettings(),
  source: systemSource(new Uint8Array(32)),
  now: () => ({ wallMs: Date.UTC(2026, 0, 16), monoMs: 1_000_000 }),
  faulted: error => {
    throw error
  },
}).close()
