/**
 * The only file that loads `node:sqlite`. Node then prints an ExperimentalWarning, and a static import would
 * load it before any code could prevent that. So it is loaded at run time with that one warning suppressed.
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
