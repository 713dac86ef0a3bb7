/** Which versions of Node and SQLite the program needs. */
export const NODE_VERSION_MIN = '22.22.3'
/** Older versions can corrupt a WAL database that several connections use (https://sqlite.org/wal.html). */
export const SQLITE_VERSION_MIN = '3.51.3'

const REMEDY = 'start Roost with `npm start`, which has its own Node, or install a newer Node'

/** A sentence that says what is wrong with the runtime and how to fix it; null: it is suitable. */
export function runtimeFault(versions: { readonly node: string; readonly sqlite?: string }): string | null {
  const { node, sqlite } = versions
  if (isOlder(node, NODE_VERSION_MIN))
    return `Roost needs Node ${NODE_VERSION_MIN} or newer, and this is Node ${node}: ${REMEDY}.`
  if (sqlite === undefined || isOlder(sqlite, SQLITE_VERSION_MIN))
    return `Roost needs SQLite ${SQLITE_VERSION_MIN} or newer; this Node has ${sqlite ?? 'none'}: ${REMEDY}.`
  return null
}

function isOlder(version: string, than: string): boolean {
  const [a = 0, b = 0, c = 0] = version.split('.').map(Number)
  const [x = 0, y = 0, z = 0] = than.split('.').map(Number)
  if (a !== x) return a < x
  if (b !== y) return b < y
  return c < z
}
