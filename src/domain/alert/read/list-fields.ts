import { matchKeyLine } from '#domain/alert/guess/key-lines.ts'
import { isObject, type Json } from '#domain/alert/read/json-value.ts'
import { parseNestedJson } from '#domain/alert/read/parse-json-loosely.ts'
import { readPairs } from '#domain/alert/read/read-pairs.ts'

/** As many as a person can look through. The outermost fields come first. */
export const FIELDS_MAX = 200
/** Items of a list that are read. */
const ITEMS_MAX = 8
/** Longest text that is searched for JSON or `Name: value` lines. */
const TEXT_LENGTH_MAX = 8192
const LINES_MAX = 64
const DEPTH_MAX = 8

/** A value of a body, with the path by which a template reaches it: `alerts.0.labels.name`. */
export interface ListedField {
  readonly path: string
  readonly keys: readonly string[]
  readonly value: string
  /** Whether it is a line of the text above it in the list. */
  readonly isLine: boolean
}

/**
 * The scalar values of a body, level by level. The fields of JSON inside a string and the `Name: value` lines
 * or `name=value` pairs of a text follow the string. Lines of a bare text have no path above them.
 */
export function listFields(value: Json): readonly ListedField[] {
  const fields: ListedField[] = []
  let level: readonly (readonly [readonly string[], Json])[] = [[[], value]]
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0 && fields.length < FIELDS_MAX; depth += 1) {
    const next: (readonly [readonly string[], Json])[] = []
    for (const [keys, node] of level) {
      if (fields.length >= FIELDS_MAX) break
      if (Array.isArray(node)) {
        for (const [index, item] of node.slice(0, ITEMS_MAX).entries())
          next.push([[...keys, String(index)], item])
      } else if (isObject(node)) {
        for (const name of Object.keys(node).slice(0, FIELDS_MAX))
          next.push([[...keys, name], node[name] ?? null])
      } else {
        const inner = typeof node === 'string' ? jsonIn(node) : null
        if (inner === null) fields.push(...fieldsOfLeaf(keys, node === null ? '' : String(node)))
        else next.push([keys, inner])
      }
    }
    level = next
  }
  return fields.slice(0, FIELDS_MAX)
}

function jsonIn(text: string): Json | null {
  if (text.length > TEXT_LENGTH_MAX || !/^\s*[{[]/.test(text)) return null
  const parsed = parseNestedJson(text.trim())
  return typeof parsed === 'object' ? parsed : null
}

function fieldsOfLeaf(keys: readonly string[], leaf: string): readonly ListedField[] {
  const value = leaf.slice(0, TEXT_LENGTH_MAX)
  const own = { path: keys.join('.'), keys, value, isLine: false }
  const above = keys.length === 1 && keys[0] === 'message' ? [] : keys
  if (!value.includes('\n')) {
    const pairs = Object.entries(readPairs(value) ?? {}).map(([name, text]) => {
      const pairKeys = [...above, name]
      return { path: pairKeys.join('.'), keys: pairKeys, value: String(text), isLine: true }
    })
    return [own, ...pairs]
  }
  const lines = value.split(/[\r\n]+/, LINES_MAX).flatMap(line => {
    const [, name = '', text = ''] = matchKeyLine(line) ?? []
    const lineKeys = [...above, name]
    return name === '' ? [] : [{ path: lineKeys.join('.'), keys: lineKeys, value: text.trim(), isLine: true }]
  })
  return [own, ...lines]
}
