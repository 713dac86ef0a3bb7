/**
 * Converts valibot schemas to JSON Schema, the dialect of OpenAPI 3.1. What JSON Schema cannot express (a
 * check by a function, a pattern that ignores case) or generators cannot handle is left out: the document may
 * promise less than is checked, never more.
 */
import { type ConversionConfig, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { FIELD_NOTES } from '#contracts/field-notes.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

type ActionOverride = NonNullable<ConversionConfig['overrideAction']>

/** Letters of classes that every engine knows, and no groups but plain ones. */
const PORTABLE = /^(?:[^\\(]|\\[dswDSW.+*?^$|(){}[\]/-]|\((?!\?)|\(\?:)*$/

/**
 * A field has one pattern, the first that engines of other languages read as JavaScript does. Metadata called
 * `jsonSchema` says what a field is for callers when it arrives as something else: a number in a query.
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

/** All definitions, referring to one another as components; in `input` mode as callers write them. */
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
      noted(tidied(schema), wayOf(name)) as JsonSchema,
    ]),
  )
}

/** The parameters of all lists mean the same. */
function wayOf(schema: string): string {
  return schema.endsWith('Query') ? 'Query' : schema
}

/** With a description at every property that has none of its own; `way` leads there from its schema. */
function noted(part: unknown, way: string): unknown {
  if (Array.isArray(part)) return part.map(one => noted(one, way))
  if (typeof part !== 'object' || part === null) return part
  const { properties, ...rest } = part as JsonSchema
  const others = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, noted(value, way)]))
  if (typeof properties !== 'object' || properties === null) return others
  const described = Object.entries(properties).map(([name, property]) => {
    const note = FIELD_NOTES[`${way}.${name}`] ?? FIELD_NOTES[name]
    const { default: usual, ...own } = noted(property, `${way}.${name}`) as JsonSchema
    return [name, { ...withDescription(note, usual), ...own }]
  })
  return { ...others, properties: Object.fromEntries(described) }
}

/** The default is part of the description: with `default` generators would make the field required. */
function withDescription(note: string | undefined, usual: unknown): JsonSchema {
  const isTold = note !== undefined && usual != null && JSON.stringify(usual) !== '[]'
  const description = isTold ? `${note} Left out: ${JSON.stringify(usual)}.` : note
  return description === undefined ? {} : { description }
}

export function componentRef(name: string): string {
  return `#/components/schemas/${name}`
}

/** Names of the components that a piece of the document refers to. */
export function referencesOf(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(componentRef(''))
      ? [value.slice(componentRef('').length)]
      : referencesOf(value),
  )
}

/** Without empty `required`, and `true` for a schema that takes everything. */
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
