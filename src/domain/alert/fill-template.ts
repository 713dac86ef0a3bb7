import { ALERT_LENGTH_MAX } from '#contracts/bounds.ts'
import { isObject, type Json } from '#domain/alert/read/json-value.ts'
import { oneLine } from '#domain/alert/text/cut-text.ts'

/** No braces inside a placeholder, so that a pass over any template is linear. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/**
 * Replaces each `{{path}}` by the value there: dots, `.0` and `[0]`, own properties only, missing or `null`
 * as nothing, objects as compact JSON. Values are not looked at for further placeholders.
 */
export function fillTemplate(template: string, value: Json): string {
  const seen = new Map<string, string>()
  return oneLine(
    template.replace(PLACEHOLDER, (_, path: string) => {
      const known = seen.get(path)
      if (known !== undefined) return known
      const text = oneLine(print(valueAt(value, path.trim()))).slice(0, ALERT_LENGTH_MAX + 1)
      seen.set(path, text)
      return text
    }),
  )
}

function valueAt(root: Json, path: string): Json | undefined {
  const keys = path.replace(/\[(\d+)\]/g, '.$1').split('.')
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
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
