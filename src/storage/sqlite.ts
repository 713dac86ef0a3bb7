/**
 * Loads `node:sqlite` without its ExperimentalWarning. A static import would print the warning before any
 * code could suppress it, so the module is loaded at run time. Only this file may load it.
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
export const { DatabaseSync, backup, constants } = sqlite
