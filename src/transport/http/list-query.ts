/** The query parameters that all lists share: time span, page size and cursor. */
import * as v from 'valibot'
import { PAGE_SIZE_MAX } from '#contracts/bounds.ts'
import { noted } from '#contracts/noted.ts'
import { Time } from '#contracts/primitives.ts'
import { Validation } from '#transport/http/body.ts'
import { TIME } from '#transport/http/openapi/example-values.ts'
import { readQuery } from '#transport/http/read-fields.ts'

/** Characters of the query parameter `q`, which searches texts, phone numbers and names of senders. */
const SEARCH_LENGTH_MAX = 100

/** The schema entries of these parameters. */
export const LIST_FIELDS = {
  since: noted(v.optional(Time), 'List only entries made at this time or later; ISO 8601 in UTC.', TIME),
  until: noted(
    v.optional(Time),
    'List only entries made at this time or earlier; ISO 8601 in UTC.',
    '2026-02-01T00:00:00.000Z',
  ),
  limit: noted(v.optional(countUpTo(PAGE_SIZE_MAX)), 'Entries per page, 1 to 200; default 50.', 50),
  cursor: noted(v.optional(v.string()), '`nextCursor` of the previous answer.', 'MTc2ODQ3ODQwMDAwMDAwMA'),
}

/** A whole number from 1 to `most` in a query. OpenAPI describes it as an integer, not as text. */
export function countUpTo(most: number) {
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, 'must be a whole number'),
    v.metadata({ jsonSchema: { type: 'integer', minimum: 1, maximum: most } }),
    v.transform(Number),
    v.minValue(1, 'must be at least 1'),
    v.maxValue(most, `must be at most ${most}`),
  )
}

/** The parameters of a list. `isWhole`: all of it is asked for, so size and place of a page do not matter. */
export function queryOf({ rawQuery }: { readonly rawQuery: string }, isWhole: boolean): URLSearchParams {
  const given = readQuery(rawQuery)
  if (isWhole) for (const name of ['limit', 'cursor']) given.delete(name)
  return given
}

/** The text of a search, as a person types it. */
export const Search = v.pipe(
  v.string(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(SEARCH_LENGTH_MAX, `must be at most ${SEARCH_LENGTH_MAX} characters`),
)

/** What OpenAPI says about a search. */
export const SEARCH_NOTE =
  'List only entries whose text, phone number or sender’s name contains these words (1 to 100 characters), ' +
  'in any order, whatever their case and accents. Digits also find the number that they are when dialled.'

/** The fields of a list's query, and where its page begins. @throws Problem INVALID_REQUEST */
export function readList<S extends v.GenericSchema & { readonly entries: object }>(
  schema: S,
  call: { readonly rawQuery: string },
  { isPlace = isNumber, isWhole = false }: ListRules = {},
) {
  const validation = new Validation()
  const given = queryOf(call, isWhole)
  const parsed = validation.parseQuery(schema, given)
  const before = readCursor(validation, given, isPlace)
  return { query: validation.complete(parsed), before }
}

interface ListRules {
  /** Whether a cursor may hold this. Default: a number. */
  readonly isPlace?: (text: string) => boolean
  /** As in `queryOf`. */
  readonly isWhole?: boolean
}

function isNumber(text: string): boolean {
  return /^\d{1,15}$/.test(text)
}

/** The place in the list that the cursor holds; null: no cursor. An invalid cursor is added as a fault. */
export function readCursor(
  validation: Validation,
  given: URLSearchParams,
  isPlace: (text: string) => boolean,
): string | null {
  const cursor = given.get('cursor')
  if (cursor === null) return null
  const place = Buffer.from(cursor, 'base64url').toString()
  if (isPlace(place)) return place
  validation.add('cursor', 'must be the nextCursor of an earlier answer')
  return null
}

export function encodeCursor(place: string | number | null): string | null {
  return place === null ? null : Buffer.from(String(place)).toString('base64url')
}
