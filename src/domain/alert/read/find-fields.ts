import { isObject, type Json, type JsonObject } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { stateInSentence } from '#domain/alert/text/headline.ts'
import { LABELS, STATE_WORD_FIELDS, WRAPPERS } from '#domain/alert/vocabulary/field-names.ts'
import { inEnglish } from '#domain/alert/vocabulary/other-languages.ts'
import { readFieldState, readState, type State, tokensOf } from '#domain/alert/vocabulary/states.ts'

/** Objects of a payload that are searched for the fields of an alert. */
const ALERT_SCOPES_MAX = 16

/**
 * The objects of a payload in which an alert's fields are looked up, outermost first. Names are normalized to
 * lower-case letters and digits: `check_name`, `checkName` and `CHECKNAME` are one field.
 */
export type Scopes = readonly ReadonlyMap<string, Json>[]

/** The normalized name of a field. */
export function fieldKey(name: string): string {
  return inEnglish(name.toLowerCase()).replace(/[^a-z0-9]+/g, '')
}

/** Collects the objects of a payload, from the outside in. Of a list, only the first object is used. */
export function openScopes(value: Json): Scopes {
  const scopes: ReadonlyMap<string, Json>[] = []
  const queue: Json[] = [value]
  for (const next of queue) {
    if (scopes.length >= ALERT_SCOPES_MAX) break
    const object = Array.isArray(next) ? next.find(isObject) : next
    if (!isObject(object)) continue
    const scope = scopeOf(object)
    scopes.push(scope)
    for (const [key, child] of scope) {
      if ((WRAPPERS.has(key) || key.endsWith('eventdata')) && typeof child === 'object' && queue.length < 64)
        queue.push(child)
    }
  }
  return scopes
}

function scopeOf(object: JsonObject): Map<string, Json> {
  const scope = new Map<string, Json>()
  for (const name of Object.keys(object).slice(0, 512)) {
    const key = fieldKey(name)
    if (!scope.has(key)) scope.set(key, object[name] ?? null)
  }
  return scope
}

const LABELS_SHOWN = 3

/**
 * Turns a value into a name. A text is only cleaned. An object becomes the value of its name field, and a
 * list the names of its first items. Empty for a missing value and for an object that is a user.
 */
export function labelOf(value: Json | undefined): string {
  if (Array.isArray(value)) {
    const labels = value.slice(0, LABELS_SHOWN).map(item => (Array.isArray(item) ? '' : labelOf(item)))
    return labels.filter(label => label !== '').join(', ')
  }
  if (!isObject(value)) return cleanLine(scalarOf(value))
  const scope = scopeOf(value)
  if (/(?:^|_)user(?:_|$)/.test(scalarOf(scope.get('type')))) return ''
  for (const key of LABELS) {
    const label = cleanLine(scalarOf(scope.get(key)))
    if (label !== '') return label
  }
  const domain = cleanLine(scalarOf(scope.get('sorturl')) || scalarOf(scope.get('domain')))
  if (domain !== '') return domain
  const metadata = value['metadata']
  return isObject(metadata) ? cleanLine(scalarOf(metadata['name'])) : ''
}

/** Fields that do not hold the current value: a former value, a desired one, or the value of a part. */
const NOT_CURRENT = /^(?:old|prev|previous|last|former|desired|sub)/

/**
 * The first field whose name has this ending and whose value fits. Finds the fields of senders that put their
 * own word before a common name (`ProblemTitle`, `state_message`).
 */
export function findEnding(scopes: Scopes, ending: RegExp, fits: (text: string) => boolean): string {
  for (const scope of scopes) {
    for (const [key, value] of scope) {
      if (!ending.test(key) || NOT_CURRENT.test(key)) continue
      const text = scalarOf(value)
      if (fits(text) && !isIdentifier(text)) return text
    }
  }
  return ''
}

/** The first of these fields that is not empty, unchanged. Names are normalized, the best one first. */
export function findRaw(scopes: Scopes, names: readonly string[]): string {
  for (const name of names) {
    for (const scope of scopes) {
      const text = scalarOf(scope.get(name))
      if (text !== '' && /[\p{L}\p{N}\p{S}]/u.test(text)) return text
    }
  }
  return ''
}

/**
 * The first of these fields that says more than a number, a hash or a link, as a name (`labelOf`), and fits.
 */
export function findLabel(scopes: Scopes, names: readonly string[], fits = (_: string) => true): string {
  for (const name of names) {
    for (const scope of scopes) {
      const label = labelOf(scope.get(name))
      if (label !== '' && !isIdentifier(label) && fits(label)) return label
    }
  }
  return ''
}

/** The states in the fields with these names, in the order of the names. */
export function findStates(scopes: Scopes, names: readonly string[]): State[] {
  const states: State[] = []
  for (const name of names) {
    for (const scope of scopes) {
      const text = stateTextOf(scope.get(name))
      const state = text === null ? null : readFieldState(cleanLine(text))
      if (state !== null) states.push(state)
    }
  }
  return states
}

/** The text of a state field: the field itself, or a field of it if it is an object. Null: it has none. */
function stateTextOf(value: Json | undefined): string | null {
  if (!isObject(value)) return typeof value === 'string' ? value : null
  const fields = scopeOf(value)
  // A state object with `flags` says whether a machine is ready, not what the alert is about.
  if (fields.has('flags')) return null
  return STATE_WORD_FIELDS.map(key => fields.get(key)).find(field => typeof field === 'string') ?? null
}

/**
 * The states that are part of an event name, such as `certificateExpiresSoonNotification`. They are used only
 * if no field has a state of its own.
 */
export function findEventStates(scopes: Scopes, names: readonly string[]): State[] {
  return names.flatMap(name => {
    const value = findRaw(scopes, [name])
    if (value.length > 60 || !/^[\w.:/-]+$/.test(value)) return []
    const tokens = tokensOf(value).filter(
      (token, index, all) => index < all.length - 1 || token !== 'notification',
    )
    const state = readState(tokens.join(' ')) ?? stateInSentence(tokens.join(' '))
    return state === null ? [] : [state]
  })
}

const IDENTIFIER = /^(?:[\d.:-]+|(?:sha\d+:)?[\da-f]{16,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i

/** Whether a text is a number, a hash or a link, which does not help a reader. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text) || /^https?:\/\/\S+$/i.test(text)
}
