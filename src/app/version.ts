/**
 * The version of this program, the same as in package.json: the executable has no other file to read it from.
 */
export const VERSION = '0.1.0'

export const NODE_VERSION_MIN = '22.22.3'
/** Older ones can corrupt a database in WAL mode that two connections use. */
export const SQLITE_VERSION_MIN = '3.51.3'

const REMEDY = 'start it with `npm start`, which brings its own, or install a newer Node'

/** What is wrong with the runtime, with the fix, in one sentence; null when nothing is. */
export function runtimeFault(versions: { readonly node: string; readonly sqlite?: string }): string | null {
  const { node, sqlite } = versions
  if (isOlder(node, NODE_VERSION_MIN))
    return `Roost needs Node ${NODE_VERSION_MIN} or newer and this is ${node}: ${REMEDY}.`
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
