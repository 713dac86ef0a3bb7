import { ALERT_LENGTH_MAX, ALERT_VALUE_LENGTH_MAX } from '#contracts/bounds.ts'
import { isObject, type Json } from '#domain/alert/read/json-value.ts'
import { joinedLine } from '#domain/alert/text/cut-text.ts'
import { stripMarkup } from '#domain/alert/text/strip-markup.ts'

/** A placeholder contains no braces, which keeps the search linear for any template. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/**
 * Replaces each `{{path}}` by the value at that path. A path is made of names, `.0` and `[0]`, and reaches
 * own properties only. A missing value and `null` give nothing, an object gives compact JSON. Placeholders
 * inside a value are not replaced. Markup in a text is left out.
 *
 * @param others values of paths that the body itself does not have
 */
export function fillTemplate(template: string, value: Json, others: ReadonlyMap<string, string>): string {
  const seen = new Map<string, string>()
  return joinedLine(
    template.replace(PLACEHOLDER, (_, spelling: string) => {
      // A path can be spelled in several ways: its value is printed once for all of them.
      const keys = keysOf(spelling)
      const path = keys.join('.')
      const known = seen.get(path)
      if (known !== undefined) return known
      // Cut first, because `oneLine` reads its whole input.
      const found = valueAt(value, keys)
      const printed = print(found === undefined ? others.get(spelling.trim()) : found)
        .trimStart()
        .slice(0, ALERT_VALUE_LENGTH_MAX)
      const text = joinedLine(printed).slice(0, ALERT_LENGTH_MAX + 1)
      seen.set(path, text)
      return text
    }),
  )
}

/** `alerts[0].name` and ` alerts.0.name ` are the same keys. */
function keysOf(spelling: string): readonly string[] {
  return spelling
    .trim()
    .replace(/\[(\d+)\]/g, '.$1')
    .split('.')
}

function valueAt(root: Json, keys: readonly string[]): Json | undefined {
  let value: Json | undefined = root
  for (const key of keys) {
    if (Array.isArray(value)) value = /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key]
    else return undefined
  }
  return value
}

function print(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return stripMarkup(value.slice(0, ALERT_VALUE_LENGTH_MAX))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
