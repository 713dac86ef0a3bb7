/**
 * Arbitraries (fast-check) for values that a JSON Schema allows, and for values with one fault and its path.
 * They support the request schemas of the API: objects, records, lists, strings, integers, enums and nullable
 * values.
 */
import fc from 'fast-check'
import { PHONE_NUMBER_LENGTH_MAX } from '#contracts/bounds.ts'

export type Schema = Readonly<Record<string, unknown>>

/** A value with one fault. `path`: as a refusal names it. */
export interface Faulty {
  readonly path: string
  readonly fault: string
  readonly value: unknown
}

export class SchemaArbitraries {
  readonly #components: Readonly<Record<string, Schema>>

  constructor(components: Readonly<Record<string, Schema>>) {
    this.#components = components
  }

  /** Any value that the schema allows. `known`: values for fields that code checks beyond the schema. */
  valid(given: Schema, known: Readonly<Record<string, unknown>> = {}): fc.Arbitrary<unknown> {
    const schema = this.#resolved(given)
    const { properties, enum: values, type } = schema
    const branches = branchesOf(schema)
    if (branches !== undefined) return fc.oneof(...branches.map(one => this.valid(one, known)))
    if (values !== undefined) return fc.constantFrom(...(values as unknown[]))
    if (properties !== undefined) return this.#object(schema, known)
    if (type === 'object') return fc.dictionary(fc.string(), this.valid(entriesOf(schema), known))
    if (type === 'null') return fc.constant(null)
    if (type === 'boolean') return fc.boolean()
    if (type === 'integer') return fc.integer(boundsOf(schema, 'minimum', 'maximum'))
    if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true })
    if (type === 'array') return this.#array(schema, known)
    if (type === 'string') return textOf(schema)
    if (type === undefined) return fc.jsonValue({ maxDepth: 3 })
    throw new Error(`unsupported schema: ${JSON.stringify(schema)}`)
  }

  /** Puts one fault into the value, which must be valid. */
  faulty(given: Schema, value: unknown, path = ''): fc.Arbitrary<Faulty> {
    return fc.oneof(...this.#faults(given, value, path))
  }

  #faults(given: Schema, value: unknown, path: string): fc.Arbitrary<Faulty>[] {
    const schema = this.#resolved(given)
    const branches = branchesOf(schema)
    if (branches !== undefined) {
      const [one = {}, ...others] = branches.filter(({ type }) => type !== 'null')
      // What is wrong for one kind of scalar may be right for another.
      if (others.length > 0 && [one, ...others].every(({ type }) => SCALARS.has(type))) return []
      // A fault inside needs an object around it.
      if ((value ?? null) === null && this.#resolved(one)['properties'] !== undefined) return []
      return this.#faults(one, value, path).map(faults => faults.filter(({ value }) => value !== null))
    }
    if (schema['properties'] !== undefined) return this.#faultsOfObject(schema, (value ?? {}) as Schema, path)
    const here = (fault: string, values: fc.Arbitrary<unknown>) =>
      values.map(value => ({ path, fault, value }))
    // A list is a record, too: its indexes are the names.
    if (schema['type'] === 'object') {
      const inEntry = (one: Faulty): Faulty => ({ ...one, value: { x: one.value } })
      const inside = this.#faults(entriesOf(schema), 'x', `${path}.x`).map(faults => faults.map(inEntry))
      return [here('wrong type', fc.oneof(fc.string(), fc.integer(), fc.boolean())), ...inside]
    }
    const faults = [here('wrong type', wrongTypeOf(schema))]
    if (schema['enum'] !== undefined) return [...faults, here('not in the list', outsideOf(schema['enum']))]
    if (schema['type'] === 'integer') faults.push(...wrongNumbers(schema).map(one => here('bounds', one)))
    if (schema['type'] === 'string') faults.push(...wrongTexts(schema).map(one => here('text', one)))
    if (schema['type'] === 'array') faults.push(...this.#faultsOfArray(schema, value, path))
    return faults
  }

  #faultsOfObject(schema: Schema, value: Schema, path: string): fc.Arbitrary<Faulty>[] {
    const at = (name: string) => (path === '' ? name : `${path}.${name}`)
    const required = (schema['required'] ?? []) as readonly string[]
    const missing = required.map(name => {
      const { [name]: _, ...rest } = value
      return fc.constant({ path: at(name), fault: 'missing', value: rest })
    })
    const wrong = Object.entries(schema['properties'] as Record<string, Schema>).flatMap(
      ([name, property]) =>
        // A field whose schema allows every value can have only one fault: it is missing.
        Object.keys(this.#resolved(property)).some(key => key !== 'description')
          ? this.#faults(property, value[name], at(name)).map(faults =>
              faults.map(one => ({ ...one, value: { ...value, [name]: one.value } })),
            )
          : [],
    )
    return [...missing, ...wrong]
  }

  /** Arrays of one valid and one faulty value, and arrays that are too long or too short. */
  #faultsOfArray(schema: Schema, value: unknown, path: string): fc.Arbitrary<Faulty>[] {
    const { minItems, maxItems } = schema as Schema & { minItems?: number; maxItems?: number }
    const items = this.#resolved(schema['items'] as Schema)
    const given = Array.isArray(value) && value.length > 0 ? value : null
    const different = sampleOf(items)
    const isSpecial =
      items['properties'] !== undefined || patternsOf(items).some(one => !one.test(String(different(0))))
    const sample = isSpecial && given !== null ? (i: number) => given[i % given.length] : different
    const inEntry = (one: Faulty): Faulty => ({ ...one, value: [sample(0), one.value] })
    const faults = this.#faults(items, sample(1), `${path}.1`).map(faults => faults.map(inEntry))
    const here = (fault: string, value: unknown): fc.Arbitrary<Faulty> => fc.constant({ path, fault, value })
    if (minItems !== undefined) faults.push(here('too short', []))
    if (maxItems !== undefined)
      faults.push(
        here(
          'too long',
          Array.from({ length: maxItems + 1 }, (_, i) => sample(i)),
        ),
      )
    return faults
  }

  #object(schema: Schema, known: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
    const required = (schema['required'] ?? []) as string[]
    const fields = Object.entries(schema['properties'] as Record<string, Schema>).map(([name, property]) => {
      const values = this.valid(property, known)
      return [name, name in known ? fc.oneof(fc.constant(known[name]), values) : values] as const
    })
    return fc.record(Object.fromEntries(fields), { requiredKeys: required })
  }

  #array(schema: Schema, known: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
    const { min, max } = boundsOf(schema, 'minItems', 'maxItems')
    const lengths = { minLength: Math.max(0, min), maxLength: Math.min(max, 8) }
    return fc.array(this.valid(schema['items'] as Schema, known), lengths)
  }

  #resolved(schema: Schema): Schema {
    const { $ref, const: only } = schema
    if (only !== undefined) return { ...schema, enum: [only] }
    if (typeof $ref !== 'string') return schema
    const found = this.#components[$ref.split('/').at(-1) ?? '']
    if (found === undefined) throw new Error(`${$ref} does not exist`)
    return this.#resolved(found)
  }
}

/** The alternatives of a schema; undefined: it has none. */
function branchesOf({ anyOf, oneOf }: Schema): Schema[] | undefined {
  return (anyOf ?? oneOf) as Schema[] | undefined
}

/** The schema of the values of a record. */
function entriesOf(schema: Schema): Schema {
  return schema['additionalProperties'] as Schema
}

function boundsOf(schema: Schema, min: string, max: string): { min: number; max: number } {
  return { min: Number(schema[min] ?? -(2 ** 31)), max: Number(schema[max] ?? 2 ** 31 - 1) }
}

/** The source of a pattern that most texts match, such as `^[^:]*$`. */
const FORBIDS_ONLY = /^\^\[\^[^\]]*\][*+]?\$?$|^\^\$\|\\S$/

function patternsOf(schema: Schema): RegExp[] {
  const more = ((schema['allOf'] ?? []) as Schema[]).map(({ pattern }) => pattern)
  return [schema['pattern'], ...more]
    .filter(one => one !== undefined)
    .map(one => new RegExp(String(one), 'u'))
}

function textOf(schema: Schema): fc.Arbitrary<string> {
  const { min, max } = boundsOf(schema, 'minLength', 'maxLength')
  const patterns = patternsOf(schema)
  const fits = (text: string) =>
    text.length >= min && text.length <= max && patterns.every(pattern => pattern.test(text))
  return textsNear(schema, patterns).filter(fits)
}

/** Texts of which many fit the schema. */
function textsNear(schema: Schema, patterns: readonly RegExp[]): fc.Arbitrary<string> {
  if (schema['format'] === 'date-time') {
    const dates = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
    return dates.map(date => date.toISOString())
  }
  // Most texts match a pattern that only forbids some characters, or text that is all blank.
  const describing = patterns.find(({ source }) => !FORBIDS_ONLY.test(source))
  if (describing !== undefined) return fc.stringMatching(describing)
  const { min, max } = boundsOf(schema, 'minLength', 'maxLength')
  return fc.string({ unit: 'binary', minLength: Math.max(0, min), maxLength: Math.min(max, 200) })
}

const SCALARS: ReadonlySet<unknown> = new Set(['string', 'number', 'boolean'])

function wrongTypeOf(schema: Schema): fc.Arbitrary<unknown> {
  const type = schema['type'] ?? 'string'
  const others: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    string: fc.string(),
    integer: fc.integer(),
    boolean: fc.boolean(),
    array: fc.array(fc.integer(), { maxLength: 2 }),
    object: fc.dictionary(fc.string(), fc.integer(), { maxKeys: 2 }),
    null: fc.constant(null),
  }
  const wrong = Object.entries(others).filter(([name]) => name !== type)
  return fc.oneof(...wrong.map(([, values]) => values))
}

function outsideOf(values: unknown): fc.Arbitrary<unknown> {
  return fc.string().filter(text => !(values as unknown[]).includes(text))
}

function wrongNumbers(schema: Schema): fc.Arbitrary<unknown>[] {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number }
  return [
    fc.double({ min: 1, max: 1000, noNaN: true }).filter(number => !Number.isInteger(number)),
    ...(minimum === undefined ? [] : [fc.integer({ max: minimum - 1 })]),
    ...(maximum === undefined ? [] : [fc.integer({ min: maximum + 1 })]),
  ]
}

function wrongTexts(schema: Schema): fc.Arbitrary<unknown>[] {
  const { minLength, maxLength, format } = schema as {
    minLength?: number
    maxLength?: number
    format?: string
  }
  const patterns = patternsOf(schema)
  const isRight = (text: string, pattern: RegExp) => text.length >= (minLength ?? 0) && pattern.test(text)
  // Some fields are trimmed before they are checked: the text must be wrong with and without its spaces.
  const isWrong = (text: string) =>
    patterns.some(pattern => !isRight(text.trim(), pattern) && !pattern.test(text))
  const hints = fc.constantFrom('\0', '', ' ', '\u0007', 'a\nb', '{}', '+', '１２３４５６７８')
  return [
    ...(minLength !== undefined && minLength > 0 ? [fc.constant('')] : []),
    ...(maxLength === undefined
      ? []
      : [fc.integer({ min: 1, max: 50 }).map(by => 'x'.repeat(maxLength + by))]),
    ...(patterns.length === 0 ? [] : [fc.oneof(hints, fc.string({ maxLength: 20 })).filter(isWrong)]),
    ...(format === undefined ? [] : [fc.constantFrom('yesterday', '', '1767225600', '2026-02-30T00:00:00Z')]),
  ]
}

/** Valid entries of an array, all different if they must differ. */
function sampleOf(items: Schema): (index: number) => unknown {
  const values = items['enum'] as unknown[] | undefined
  if (values !== undefined) return index => values[index % values.length]
  if (items['type'] === 'integer') return index => index
  return items['maxLength'] === PHONE_NUMBER_LENGTH_MAX
    ? index => `+1415555${1000 + index}`
    : index => `10.0.${index % 256}.0/24`
}
