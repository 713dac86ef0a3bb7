/** A table of the configuration before the schema has checked it. */
export type Table = Record<string, unknown>

export function isTable(value: unknown): value is Table {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

export function keysOf(table: object): string {
  return Object.keys(table).join(', ')
}

/**
 * The keys of both tables. Where both have a key, inner tables are merged, and other values come from `over`.
 */
export function mergeTables(base: Table, over: Table): Table {
  const merged: Table = Object.fromEntries(Object.entries(base))
  for (const [key, value] of Object.entries(over)) {
    const under = Object.hasOwn(base, key) ? base[key] : undefined
    const both = isTable(under) && isTable(value) ? mergeTables(under, value) : value
    Object.defineProperty(merged, key, { value: both, enumerable: true, writable: true, configurable: true })
  }
  return merged
}
