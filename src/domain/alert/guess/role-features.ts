import { isIdentifier } from '#domain/alert/read/find-fields.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { readState, tokensOf } from '#domain/alert/vocabulary/states.ts'

/** Names of fields that hold a former value, and of objects that hold former values. */
const PAST = /^(?:old|prev|previous|last|former|from|before|was|original|desired)$/
/** Longest value that is looked at. */
const VALUE_LENGTH_MAX = 400

/**
 * What is known of a field without knowing its sender, as short names: `n:` the last word of its name, `k:`
 * its whole name, `u:` the last word of the object above, `d:` its depth, `v:` the look of its value.
 */
export function featuresOf({ keys, value, isLine }: ListedField): readonly string[] {
  const names = keys.filter(key => !/^\d+$/.test(key))
  const name = names.at(-1) ?? ''
  const tokens = tokensOf(name.slice(0, 64))
  const above = tokensOf((names.at(-2) ?? '').slice(0, 64))
  const isPast = [...tokens, ...above].some(token => PAST.test(token))
  return [
    `n:${tokens.at(-1) ?? ''}`,
    `k:${tokens.join('')}`,
    `u:${above.at(-1) ?? ''}`,
    `d:${Math.min(names.length, 4)}`,
    ...looksOf(value.slice(0, VALUE_LENGTH_MAX)).map(look => `v:${look}`),
    ...(isPast ? ['past'] : []),
    ...(isLine ? ['line'] : []),
    ...(keys.some(key => /^[1-9]\d*$/.test(key)) ? ['later'] : []),
  ]
}

const DATE = new RegExp(
  '^\\w{0,9},? ?(?:\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}|\\d{1,2} \\w{3,9} \\d{4})|' +
    '^\\d{1,2}:\\d\\d|^\\d{10}(?:\\d{3})?$',
)

export function isDate(text: string): boolean {
  return DATE.test(text.slice(0, VALUE_LENGTH_MAX))
}

/** How a value looks. A value may have several looks. */
function looksOf(text: string): readonly string[] {
  if (text.trim() === '') return ['empty']
  if (/^(?:true|false)$/i.test(text)) return ['flag']
  if (DATE.test(text)) return ['date']
  if (/^-?[\d.,]+$/.test(text)) return ['number']
  if (/^-?[\d.,]+ ?[^\s\d]{1,6}$/.test(text)) return ['measure']
  if (/^[a-z]{2,12}:\/\/\S+$/i.test(text)) return ['link']
  if (/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(text)) return ['mail']
  if (isIdentifier(text) || /^(?=.*\d)[\w-]{20,}$/.test(text)) return ['id']
  const looks = readState(text) === null ? [] : ['state']
  if (/^(?:\d{1,3}\.){3}\d{1,3}|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,8}(?::\d+)?$/i.test(text))
    return [...looks, 'address']
  const count = text.trim().split(/\s+/).length
  return [...looks, count === 1 ? 'word' : count < 4 ? 'words' : count < 30 ? 'sentence' : 'long']
}
