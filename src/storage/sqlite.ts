/**
 * Loads `node:sqlite` without its ExperimentalWarning. A static import would print the warning before any
 * code could suppress it, so the module is loaded at run time. Only this file may load it.
 *
 * All tables are STRICT and have no REAL column, so SQLite refuses a fraction. Clocks, divisions and clients
 * make fractions, and a refusal within due work ends the process. So every number is rounded here, where it
 * is bound.
 */
import type { StatementSync } from 'node:sqlite'

const { emitWarning } = process
process.emitWarning = (...args: unknown[]) => {
  if (!String(args[0]).startsWith('SQLite is an experimental feature'))
    Reflect.apply(emitWarning, process, args)
}
const sqlite = process.getBuiltinModule('node:sqlite')
process.emitWarning = emitWarning

export const { backup, constants } = sqlite

export class DatabaseSync extends sqlite.DatabaseSync {
  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql)
    for (const name of ['get', 'run', 'all', 'iterate'] as const) {
      const method = statement[name] as (...values: unknown[]) => unknown
      const bind = (...values: unknown[]) => Reflect.apply(method, statement, values.map(whole))
      Object.defineProperty(statement, name, { value: bind })
    }
    return statement
  }
}

/** A value, or values by name, without fractions. */
function whole(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Math.round(value)
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, whole(one)]))
}
