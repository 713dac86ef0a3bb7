/**
 * Converts valibot schemas to JSON Schema in the dialect of OpenAPI 3.1. It leaves out checks that JSON
 * Schema cannot express (functions, patterns that ignore case) and forms that generators cannot handle. So
 * the gateway may check more than the document says, but never less.
 */
import { type ConversionConfig, toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'

export type JsonSchema = Readonly<Record<string, unknown>>

type ActionOverride = NonNullable<ConversionConfig['overrideAction']>

interface Wrapping {
  readonly pipe?: readonly { readonly kind: string }[]
  readonly wrapped?: v.GenericSchema
}

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
  const names = new Map([...definitions].map(([name, schema]) => [schema, name]))
  const converted = toJsonSchemaDefs(Object.fromEntries(definitions), {
    target: 'draft-2020-12',
    typeMode,
    errorMode: 'ignore',
    overrideAction,
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      const { entries } = valibotSchema as { readonly entries?: v.ObjectEntries }
      if (entries === undefined) return undefined
      const properties = Object.entries(jsonSchema.properties ?? {}).map(([name, property]) => [
        name,
        describedProperty(entries[name] as v.GenericSchema, property as JsonSchema, names),
      ])
      return { ...jsonSchema, properties: Object.fromEntries(properties) }
    },
    overrideRef: ({ referenceId }) => componentRef(referenceId),
  })
  return new Map(Object.entries(converted).map(([name, schema]) => [name, tidied(schema) as JsonSchema]))
}

/**
 * A property with its note (`noted`), also if the note is inside of `v.nullish` and the like. A noted
 * component stays a reference. The description names the default, because with `default` some generators
 * make the field required.
 */
function describedProperty(
  entry: v.GenericSchema,
  property: JsonSchema,
  names: ReadonlyMap<v.GenericSchema, string>,
): JsonSchema {
  const note = noteOf(entry)
  const name = names.get(unnoted(entry))
  if (name !== undefined)
    return { ...(note !== undefined && { description: note }), $ref: componentRef(name) }
  const { default: given, anyOf, ...own } = property
  const isNamed = note !== undefined && given != null && JSON.stringify(given) !== '[]'
  const description = isNamed ? `${note} Default: ${JSON.stringify(given)}.` : note
  const options = (anyOf as JsonSchema[] | undefined)?.map(({ description: _, ...option }) => option)
  return { ...own, ...(options && { anyOf: options }), ...(description !== undefined && { description }) }
}

function noteOf(schema: v.GenericSchema): string | undefined {
  const { wrapped } = schema as Wrapping
  return v.getDescription(schema) ?? (wrapped && noteOf(wrapped))
}

/** The schema that was passed to `noted`, without `v.optional`. */
function unnoted(schema: v.GenericSchema): v.GenericSchema {
  const { pipe: [first, ...others] = [], wrapped } = schema as Wrapping
  if (first !== undefined && others.every(({ kind }) => kind === 'metadata')) return first as v.GenericSchema
  return schema.type === 'optional' && wrapped !== undefined ? unnoted(wrapped) : schema
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
