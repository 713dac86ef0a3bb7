import { isIdentifier } from '#domain/alert/read/find-fields.ts'
import { isObject, type Json } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { isShort, joinedLine } from '#domain/alert/text/cut-text.ts'

/** Fields read for a digest: the text `name=value name=value` for an alert of an unknown sender. */
const DIGEST_FIELDS_MAX = 32

const SECRET = new RegExp(
  'token|passw|secret|api_?key|[a-z]_?key$|signature|authorization|cookie|credential|bearer|jwt|hmac|psk' +
    '|pass(?:phrase|word|wort|code|wd)?$|mot_?de_?passe|pwd' +
    '|(?:^|[_-])(?:pin|otp|cvv|ssn|salt|nonce|sig|auth|dsn|iban)$' +
    '|licen[sc]e(?:_?(?:key|code|id))?$|sha\\d|md5|conn\\w*string' +
    '|kennwort|contrase|senha|has[lł]o|passport|パスワード|密码',
  'i',
)
/** A value with a password in it, or one that is a key of a service. */
export const SECRET_VALUE = new RegExp(
  '\\w:\\/\\/[^\\/\\s]{0,80}:[^\\/\\s]{0,80}@|pass(?:word|wd|phrase)?[\'"]?[\\s=:]' +
    '|(?:^|\\s)-p\\S|\\b(?:Bearer|Basic) \\S' +
    '|\\b(?:gh[a-z]_|xox[a-z]-|npm_|sk_live|sk-|AKIA|eyJ)\\w',
  'i',
)
const TECHNICAL_NAME = /(?:^|[._-])(?:id|uuid|guid|url|link|href|timestamp|time|date|at)$|.version$|^key$/i
/** `deviceId`, `startedAt` */
const TECHNICAL_CAMEL_NAME = /[a-z](?:At|I[dD]|U[rR][lL]|Uuid|Key)$/
const TECHNICAL_VALUE = new RegExp(
  '^(?:https?:\\/\\/|uri:|urn:|data:)|^\\d{4}-\\d\\d-\\d\\d[T ]\\d|^\\d\\d?[./]\\d\\d?[./]\\d{4} \\d' +
    '|^\\d{9,13}(?:\\.\\d+)?$' +
    // The address of a network card.
    '|^[\\dA-Fa-f]{2}(?::[\\dA-Fa-f]{2}){5}$|^(?=.*\\d)[\\dA-F]{12,16}$',
)
/** An identifier with a word in it that a person chose: `freezer-2`, `binary_sensor.smoke`. */
export const READABLE = /^(?=.*[a-z]{4})(?!.*[\da-f]{10})[\w.:-]{4,40}$/i
/** With fewer useful fields than this, the next level of the payload is read too. */
const USEFUL_MIN = 3

/**
 * The scalar fields as `name=value`, outer ones first, as many as fit one segment. Secrets are left out.
 * Links, times and identifiers are used only if there are no other fields.
 *
 * @param mentioned values that the text already has. If there are any, links, times and identifiers are left
 *   out
 */
export function digestPairs(value: Json, mentioned: readonly string[] = []): readonly string[] {
  const known = new Set(mentioned.map(text => text.toLowerCase()))
  const isExtra = mentioned.length > 0
  const pairs = collect(value, isExtra).filter(pair => !known.has(pair.text.toLowerCase()))
  const useful = pairs.filter(pair => !pair.isTechnical)
  const ordered = useful.toSorted((one, other) => rankOf(one) - rankOf(other))
  const chosen: string[] = []
  for (const { name, text } of useful.length > 0 || isExtra ? ordered : pairs) {
    const pair = `${name}=${text}`
    if (isShort([...chosen, pair].join(' '))) chosen.push(pair)
  }
  return chosen
}

/** Words and `true` first, then numbers, `false` last. */
function rankOf({ text }: Pair): number {
  if (text === 'false') return 2
  return /^-?\d[\d.,]*$/.test(text) ? 1 : 0
}

interface Pair {
  readonly name: string
  readonly text: string
  readonly isTechnical: boolean
}

/**
 * Collects level by level: nested fields are read only if the levels above have too few useful ones.
 * `isExtra`: the fields are added to a text that is already useful, so fewer are enough.
 */
function collect(root: Json, isExtra: boolean): readonly Pair[] {
  let found: readonly Pair[] = []
  let level: readonly (readonly [string, Json])[] = [['', root]]
  for (let depth = 0; depth < 8 && level.length > 0; depth += 1) {
    const fields = level.flatMap(([name, value]) => childrenOf(name, value)).slice(0, 512)
    const pairs = fields.flatMap(([name, value]) => pairOf(name, value)).slice(0, DIGEST_FIELDS_MAX)
    found = [...found, ...pairs].slice(0, DIGEST_FIELDS_MAX)
    if (isExtra ? found.length > 1 : found.filter(pair => !pair.isTechnical).length >= USEFUL_MIN)
      return found
    level = fields.filter(([, value]) => typeof value === 'object' && value !== null)
  }
  return found
}

function childrenOf(name: string, value: Json): readonly (readonly [string, Json])[] {
  if (Array.isArray(value))
    return value.slice(0, 8).map((item, index) => [`${name}.${index}`.replace(/^\./, ''), item])
  if (!isObject(value)) return []
  return Object.keys(value)
    .slice(0, 512)
    .map(key => [name === '' ? key : `${name}.${key}`, value[key] ?? null])
}

/** Of a longer value the rest is not cleaned, which takes time, because no text shows as much. */
const VALUE_LENGTH_READ = 512

function pairOf(name: string, value: Json): readonly Pair[] {
  const text =
    typeof value === 'boolean'
      ? String(value)
      : cleanLine(Array.isArray(value) ? '' : scalarOf(value).slice(0, VALUE_LENGTH_READ))
  if (text === '' || SECRET.test(name)) return []
  const shortened = text.length > 60 ? `${text.slice(0, 57).toWellFormed().trimEnd()}...` : text
  return [{ name: cleanName(name), text: shortened, isTechnical: isTechnical(name, text) }]
}

/** The name of a field without invisible characters, and cut. */
function cleanName(name: string): string {
  const visible = name.slice(0, 200).replace(/\p{Bidi_Control}|\p{Default_Ignorable_Code_Point}/gu, '')
  return joinedLine(visible).slice(0, 40)
}

/** Whether a reader may want this field: it is no secret, no link, no time and no identifier. */
export function isWorthTelling(name: string, text: string): boolean {
  return !SECRET.test(name) && !SECRET_VALUE.test(text) && !isTechnical(name, text)
}

/** Whether a field is a link, a time or an identifier, unless a person chose the identifier. */
function isTechnical(name: string, text: string): boolean {
  if (TECHNICAL_VALUE.test(text) || TECHNICAL_CAMEL_NAME.test(name)) return true
  if (isIdentifier(text) && text.length > 12) return true
  const isChosen = /id$/i.test(name) && READABLE.test(text)
  return TECHNICAL_NAME.test(name) && !isChosen
}
