/**
 * The only file that loads `node:sqlite`. Node prints an ExperimentalWarning when it does, and a static
 * import loads it before any code could prevent that; so it is fetched at run time, with that one warning
 * held back.
 */
import type * as sqliteTypes from 'node:sqlite'

const { emitWarning } = process
process.emitWarning = (...args: unknown[]) => {
  if (!String(args[0]).startsWith('SQLite is an experimental feature'))
    Reflect.apply(emitWarning, process, args)
}
const sqlite = process.getBuiltinModule('node:sqlite')
process.emitWarning = emitWarning

export type DatabaseSync = sqliteTypes.DatabaseSync
export const DatabaseSync = sqlite.DatabaseSync
