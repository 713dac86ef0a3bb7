import { JSON_DEPTH_MAX } from '#contracts/limits.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * Copies a parsed value down to `JSON_DEPTH_MAX` levels; what lies deeper becomes `null`.
 * Objects of the copy have no prototype: `copy['constructor']` is `undefined`, `__proto__` a key like any other.
 */
export function pruneJson(value: unknown, depth = 1): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || depth > JSON_DEPTH_MAX) return null
  if (Array.isArray(value)) return value.map(item => pruneJson(item, depth + 1))
  const copy: Record<string, Json> = Object.create(null)
  for (const key of Object.keys(value)) {
    copy[key] = pruneJson((value as Record<string, unknown>)[key], depth + 1)
  }
  return copy
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of an array, or none: for lists whose entries may be anything. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** A record of plain fields that is as harmless as a pruned one. */
export function recordOf(fields: Iterable<readonly [string, Json]>): JsonObject {
  const record: Record<string, Json> = Object.create(null)
  for (const [key, value] of fields) record[key] = value
  return record
}
