/**
 * Opens the database of a data directory, which migrates it, and kills itself with SIGKILL before the n-th
 * statement or the n-th commit. Exits with 0 if the migration ends earlier.
 */
import { dataDirectory } from '#storage/data-directory.ts'
import { openStorage } from '#storage/open-storage.ts'
import { systemSource } from '#storage/source.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { testSettings } from '#test/kit/world.ts'

const [path = '', before, count] = process.argv.slice(2)
let left = Number(count)

function dieBefore(sql: string): void {
  if (before === 'commit' && !sql.includes('COMMIT')) return
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
}

const { exec, prepare } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (sql) {
  dieBefore(sql)
  exec.call(this, sql)
}
DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql)
  const { run } = statement
  statement.run = (...values: readonly unknown[]) => {
    dieBefore(sql)
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
