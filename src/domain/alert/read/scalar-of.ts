import type { Json } from '#domain/alert/read/json-value.ts'

/**
 * A variable that the sender did not replace: `*alertDuration*`, `{{ title }}`, `${NAME}`, `{HOST.NAME}`,
 * `%name%`.
 */
const PLACEHOLDER =
  /^(?:\*[\w.-]+\*|\{\{[^{}]*\}\}|\$\{?[\w.]+\}?|\{[A-Z][\w.:$<>]*\}|%[A-Za-z_]\w*%|\[[A-Z_]{4,}\])$/i
/** Words of programs for nothing. */
const NOTHING = /^(?:<no value>|n\/?a|null|undefined|none)$/i

/** A scalar as it came, or empty for what says nothing. */
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
