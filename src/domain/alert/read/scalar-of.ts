import type { Json } from '#domain/alert/read/json-value.ts'

/**
 * A placeholder that the sender did not fill: `*alertDuration*`, `{{ title }}`, `${NAME}`, `{HOST.NAME}`,
 * `%name%`.
 */
const PLACEHOLDER =
  /^(?:\*[\w.-]+\*|\{\{[^{}]*\}\}|\$\{?[\w.]+\}?|\{[A-Z][\w.:$<>]*\}|%[A-Za-z_]\w*%|\[[A-Z_]{4,}\])$/i
/** What programs print for a missing value. */
const NOTHING = /^(?:<no value>|n\/?a|null|undefined|none)$/i

/**
 * A text or number as text, and the first eight items of a list joined by commas. An item that is not a text
 * counts as an empty text. Empty for any other value, an unfilled placeholder, or a word such as `null`.
 */
export function scalarOf(value: Json | undefined): string {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value))
    return value
      .slice(0, 8)
      .map(item => (typeof item === 'string' ? item : ''))
      .join(', ')
  if (typeof value !== 'string') return ''
  const text = value.trim()
  return text.length < 80 && (PLACEHOLDER.test(text) || NOTHING.test(text)) ? '' : text
}
