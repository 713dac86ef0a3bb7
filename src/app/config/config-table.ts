import { closestMatch } from 'leven'

/** A table of the configuration before the schema has checked it. */
export type Table = Record<string, unknown>

export function isTable(value: unknown): value is Table {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** Ends a sentence about an unknown name: the most similar name, if one is similar, and all names. */
export function suggestName(name: string, known: readonly string[]): string {
  const similar = closestMatch(name, known, { maxDistance: Math.ceil(name.length / 3) })
  const meant = similar === undefined ? '' : `did you mean ${similar}? `
  return `${meant}known are: ${known.join(', ')}`
}

/**
 * The keys of both tables. Where both have a key, inner tables are merged, and other values come from `over`.
 * `defineProperty` also sets a key named `__proto__`; an assignment would change the prototype instead.
 */
export function mergeTables(base: Table, over: Table): Table {
  const merged: Table = Object.fromEntries(Object.entries(base))
  for (const [key, value] of Object.entries(over)) {
    const under = Object.hasOwn(base, key) ? base[key] : undefined
    const result = isTable(under) && isTable(value) ? mergeTables(under, value) : value
    Object.defineProperty(merged, key, {
      value: result,
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
  return merged
}
