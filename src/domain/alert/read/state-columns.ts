import { isObject, type Json, type JsonObject } from '#domain/alert/read/json-value.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** Items of a list, and fields of an object, that are looked at. */
export const TABLE_SIZE_MAX = 64

/** Whether an object has nothing but the states of several things: `{"db":"ok","redis":"fail"}`. */
export function isTableOfStates(object: JsonObject): boolean {
  const values = Object.values(object)
  return values.length > 1 && values.every(isStateWord)
}

/** The fields that have a state in each of several objects. */
export function stateColumns(items: readonly Json[]): readonly string[] {
  const [first, second] = items
  if (!isObject(first) || !isObject(second)) return []
  const objects = items.slice(0, TABLE_SIZE_MAX).filter(isObject)
  const names = Object.keys(first).slice(0, TABLE_SIZE_MAX)
  return names.filter(name => objects.every(object => isStateWord(object[name] ?? null)))
}

/** How many values of a list `stateColumns` may look at. */
export function cellsOf(items: readonly Json[]): number {
  const [first] = items
  const names = isObject(first) ? Math.min(TABLE_SIZE_MAX, Object.keys(first).length) : 0
  return names * Math.min(TABLE_SIZE_MAX, items.length)
}

function isStateWord(value: Json): boolean {
  const kind = typeof value === 'string' && /^[a-z-]{2,14}$/i.test(value) ? readState(value)?.kind : null
  return kind === 'good' || kind === 'bad'
}
