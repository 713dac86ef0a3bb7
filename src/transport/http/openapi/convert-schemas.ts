/**
 * Converts valibot schemas to JSON Schema in the dialect of OpenAPI 3.1. It leaves out checks that JSON
 * Schema cannot express (functions, patterns that ignore case) and forms that generators cannot handle. So
 * the gateway may check more than the document says, but never less.
 */
import { type ConversionConfig, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { FIELD_NOTES } from '#contracts/field-notes.ts'
import { SCHEMA_FIELD_NOTES } from '#contracts/schema-field-notes.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

type ActionOverride = NonNullable<ConversionConfig['overrideAction']>

/** Patterns that all regular-expression engines understand: common escapes and plain groups only. */
const PORTABLE = /^(?:[^\\(]|\\[dswDSW.+*?^$|(){}[\]/-]|\((?!\?)|\(\?:)*$/

/**
 * Keeps a field's first pattern only if the engines of other languages read it as JavaScript does. The
 * metadata `jsonSchema` describes a field whose type differs in the request, such as a number in a query.
 */
const overrideAction: ActionOverride = ({ valibotAction, jsonSchema }) => {
  const { type, requirement, metadata } = valibotAction as {
    readonly type: string
    readonly requirement?: unknown
    readonly metadata?: { readonly jsonSchema?: typeof jsonSchema }
  }
  if (type === 'metadata') return metadata?.jsonSchema
  if (type !== 'regex' || !(requirement instanceof RegExp)) return undefined
  const { source, flags } = requirement
  const { pattern, ...others } = jsonSchema
  const isPortable = /^u?$/.test(flags) && PORTABLE.test(source)
  return isPortable || pattern !== source ? jsonSchema : others
}

/** Converts all definitions. They refer to each other as components. */
export function convertSchemas(
  definitions: ReadonlyMap<string, v.GenericSchema>,
  typeMode: 'input' | 'output',
): Map<string, JsonSchema> {
  const converted = toJsonSchemaDefs(Object.fromEntries(definitions), {
    target: 'draft-2020-12',
    typeMode,
    errorMode: 'ignore',
    overrideAction,
    overrideRef: ({ referenceId }) => componentRef(referenceId),
  })
  return new Map(
    Object.entries(converted).map(([name, schema]) => [
      name,
      withNotes(tidied(schema), notePrefixOf(name)) as JsonSchema,
    ]),
  )
}

/**
 * The start of a schema's keys in `SCHEMA_FIELD_NOTES`. All queries share one, because their parameters mean
 * the same.
 */
function notePrefixOf(schema: string): string {
  return schema.endsWith('Query') ? 'Query' : schema
}

/**
 * Adds a description to each property that has none. `prefix`: the path of `part` in `SCHEMA_FIELD_NOTES`.
 */
function withNotes(part: unknown, prefix: string): unknown {
  if (Array.isArray(part)) return part.map(one => withNotes(one, prefix))
  if (typeof part !== 'object' || part === null) return part
  const { properties, ...rest } = part as JsonSchema
  const others = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, withNotes(value, prefix)]),
  )
  if (typeof properties !== 'object' || properties === null) return others
  const described = Object.entries(properties).map(([name, property]) => {
    const note = SCHEMA_FIELD_NOTES[`${prefix}.${name}`] ?? FIELD_NOTES[name]
    const { default: defaultValue, ...own } = withNotes(property, `${prefix}.${name}`) as JsonSchema
    return [name, { ...withDescription(note, defaultValue), ...own }]
  })
  return { ...others, properties: Object.fromEntries(described) }
}

/** Names the default in the description, because with `default` some generators make the field required. */
function withDescription(note: string | undefined, defaultValue: unknown): JsonSchema {
  const isNamed = note !== undefined && defaultValue != null && JSON.stringify(defaultValue) !== '[]'
  const description = isNamed ? `${note} Default: ${JSON.stringify(defaultValue)}.` : note
  return description === undefined ? {} : { description }
}

export function componentRef(name: string): string {
  return `#/components/schemas/${name}`
}

/** Names of the components that a part of the document refers to. */
export function referencesOf(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(componentRef(''))
      ? [value.slice(componentRef('').length)]
      : referencesOf(value),
  )
}

/** Removes empty `required` lists, and writes `true` for a schema that accepts everything. */
function tidied(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(tidied)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part)
      .filter(([key, value]) => !(key === 'required' && Array.isArray(value) && value.length === 0))
      .map(([key, value]) => [key, isEmptySchema(key, value) ? true : tidied(value)]),
  )
}

function isEmptySchema(key: string, value: unknown): boolean {
  const isSchema = key === 'additionalProperties' || key === 'items'
  return isSchema && typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
