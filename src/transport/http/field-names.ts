/** The names of a body's fields: other names for the schema's, and names that no field has. */
import type * as v from 'valibot'
import type { Validation } from '#transport/http/body.ts'
import type { Route } from '#transport/http/route.ts'

/** A body can hold a quarter of a megabyte of names. The first few are enough to find the mistake. */
const IGNORED_NAMES_MAX = 20
const IGNORED_NAME_LENGTH_MAX = 40

/** A body with the field names of the schema. */
export interface Renamed {
  readonly fields: object
  /** The caller's name of each renamed field, by the schema's name. Refusals must use the caller's names. */
  readonly writtenAs: ReadonlyMap<string, string>
}

const NONE_RENAMED: ReadonlyMap<string, string> = new Map()

/** The route with the names of its fields. Without `isField`, these are the fields of its request. */
export function withFields(route: Route): Route {
  const request = route.operation?.request
  if (route.isField !== undefined || request === undefined) return route
  const fields = fieldsOf(request)
  return { ...route, isField: name => fields.has(name) }
}

/** The names of the fields of a schema, or of all its alternatives. */
function fieldsOf(schema: v.GenericSchema): ReadonlySet<string> {
  if ('options' in schema)
    return new Set((schema.options as readonly v.GenericSchema[]).flatMap(one => [...fieldsOf(one)]))
  return new Set('entries' in schema ? Object.keys(schema.entries as object) : [])
}

/** The names of the fields of a schema and their aliases, in capitals or not. */
export class LooseNames {
  readonly #fields: ReadonlySet<string>
  /** By the name in lower case: the field, and how much its own spelling counts (0: most). */
  readonly #known = new Map<
    string,
    { readonly field: string; readonly name: string; readonly rank: number }
  >()

  constructor(schema: v.GenericSchema, aliases: Readonly<Record<string, readonly string[]>>) {
    this.#fields = fieldsOf(schema)
    for (const field of [...this.#fields, ...Object.keys(aliases)])
      for (const [rank, name] of [field, ...(aliases[field] ?? [])].entries())
        this.#known.set(name.toLowerCase(), { field, name, rank })
  }

  has(name: string): boolean {
    return this.#known.has(name.toLowerCase())
  }

  /**
   * The known fields under the schema's names. If a field is present under several names, the schema's own
   * wins, then the first alias.
   */
  rename(json: unknown): Renamed {
    const given = json as Readonly<Record<string, unknown>>
    const names = Object.keys(given)
    // The usual case, without a copy of the body.
    if (names.every(name => this.#fields.has(name))) return { fields: given, writtenAs: NONE_RENAMED }
    const best = new Map<string, { readonly name: string; readonly rank: number }>()
    for (const name of names) {
      const known = this.#known.get(name.toLowerCase())
      if (known === undefined || given[name] == null) continue
      const rank = known.rank + (name === known.name ? 0 : 0.5)
      if (rank < (best.get(known.field)?.rank ?? Infinity)) best.set(known.field, { name, rank })
    }
    const fields = Object.fromEntries([...best].map(([field, { name }]) => [field, given[name]]))
    const renamed = [...best].filter(([field, { name }]) => name !== field)
    return { fields, writtenAs: new Map(renamed.map(([field, { name }]) => [field, name])) }
  }
}

/** The value of `X-Roost-Ignored`: the names in a body that are no fields; empty: there are none. */
export function ignoredNames(json: unknown, isField: NonNullable<Route['isField']>): string {
  if (typeof json !== 'object' || json === null) return ''
  const names: string[] = []
  for (const [name, value] of Object.entries(json)) {
    if (isField(name, value)) continue
    if (names.length === IGNORED_NAMES_MAX) return `${names.join(', ')}, ...`
    names.push(cleanName(name))
  }
  return names.join(', ')
}

/** A name without characters that have a meaning in a header. */
function cleanName(name: string): string {
  return name.slice(0, IGNORED_NAME_LENGTH_MAX).replace(/[^\w.-]/g, '?') || '?'
}

const MEDIA = /^(?:media(?:url\d*|urls)?|(?:base64_)?attachments)$/i

/**
 * Why a field asks for something that Roost cannot do; null: it does not. An empty one does not, and is
 * ignored as an unknown field is. Without its picture a text may make no sense, and ciphertext makes none.
 */
export function faultOfField(name: string, value: unknown): string | null {
  if (/^(?:is)?encrypted$/i.test(name) && /^(?:true|1)$/i.test(String(value)))
    return 'is not possible: Roost cannot decrypt texts, so send plain text'
  if (!MEDIA.test(name) || value == null || value === '') return null
  const isEmpty = Array.isArray(value) && value.length === 0
  return isEmpty ? null : 'is not possible: Roost sends texts only, so leave it out'
}

/** Refuses fields that ask for something that Roost cannot do. */
export function refuseImpossible(validation: Validation, fields: object): void {
  for (const [name, value] of Object.entries(fields)) {
    const fault = faultOfField(name, value)
    if (fault !== null) validation.add(name, fault)
  }
}
