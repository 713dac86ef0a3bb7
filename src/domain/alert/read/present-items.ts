import { isObject, type Json } from '#domain/alert/read/json-value.ts'
import { tokensOf } from '#domain/alert/vocabulary/states.ts'

const STORY = /^(?:updates|timeline)$/
const DATE_NAME = /^(?:created|updated|published|display)?_?(?:at|on|time|timestamp|date)$/i

/**
 * The items of a list that say how it is now: none of a history. Of the story of an incident, in which each
 * item has a date, only the latest does.
 */
export function presentItems(name: string, items: readonly Json[]): readonly Json[] {
  if (/^history$/i.test(name)) return []
  const [first] = items
  const last = items.at(-1)
  if (first === undefined || last === undefined || !STORY.test(tokensOf(name.slice(-64)).at(-1) ?? ''))
    return items
  const [begins, ends] = [dateOf(first), dateOf(last)]
  if (begins === '' || ends === '') return items
  return [ends > begins ? last : first]
}

/** An ISO date, which sorts as a text. Empty: there is none. */
function dateOf(item: Json): string {
  if (!isObject(item)) return ''
  const found = Object.entries(item).find(
    ([name, value]) => DATE_NAME.test(name) && typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value),
  )
  return String(found?.[1] ?? '')
}
