import { JSON_DEPTH_MAX } from '#contracts/bounds.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * Replaces everything below `JSON_DEPTH_MAX` levels by `null`; a value that is not too deep is returned as it
 * is. Fields are only looked up by fixed names or with `Object.hasOwn`, so `__proto__` and `constructor` are
 * keys like any other.
 */
export function pruneJson(value: unknown): Json {
  return isTooDeep(value, 1) ? prune(value, 1) : (value as Json)
}

function isTooDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > JSON_DEPTH_MAX) return true
  if (Array.isArray(value)) return value.some(item => isTooDeep(item, depth + 1))
  for (const key in value) if (isTooDeep((value as JsonObject)[key], depth + 1)) return true
  return false
}

function prune(value: unknown, depth: number): Json {
  if (typeof value !== 'object' || value === null) return value as Json
  if (depth > JSON_DEPTH_MAX) return null
  if (Array.isArray(value)) return value.map(item => prune(item, depth + 1))
  return recordOf(Object.entries(value).map(([key, field]) => [key, prune(field, depth + 1)] as const))
}

/** How many fields of an object are read; a template reaches all. No alert has as many. */
const WIDTH_MAX = 512

/** The value with the first fields of each object only. The same value if no object has more. */
export function narrowJson(value: Json): Json {
  if (Array.isArray(value)) {
    const items = value.map(narrowJson)
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isObject(value)) return value
  const names = Object.keys(value)
  const fields = names.slice(0, WIDTH_MAX).map(name => [name, narrowJson(value[name] ?? null)] as const)
  const isSame = names.length <= WIDTH_MAX && fields.every(([name, field]) => field === (value[name] ?? null))
  return isSame ? value : recordOf(fields)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects in an array; empty if the value is not an array. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** A record without a prototype, in which `__proto__` is a normal field. */
export function recordOf(fields: Iterable<readonly [string, Json]>): JsonObject {
  const record: Record<string, Json> = Object.create(null)
  for (const [key, value] of fields) record[key] = value
  return record
}
