import type * as v from 'valibot'
import * as account from '#contracts/account.ts'
import * as alertReading from '#contracts/alert-reading.ts'
import * as dayUsage from '#contracts/day-usage.ts'
import * as device from '#contracts/device.ts'
import * as health from '#contracts/health.ts'
import * as inbox from '#contracts/inbox.ts'
import * as live from '#contracts/live.ts'
import * as message from '#contracts/message.ts'
import * as notification from '#contracts/notification.ts'
import * as event from '#contracts/notification-event.ts'
import * as onCall from '#contracts/on-call.ts'
import * as preview from '#contracts/preview.ts'
import * as primitives from '#contracts/primitives.ts'
import * as seenTrigger from '#contracts/seen-trigger.ts'
import * as session from '#contracts/session.ts'
import * as twoFactor from '#contracts/two-factor.ts'
import * as webhook from '#contracts/webhook.ts'
import {
  componentRef,
  convertSchemas,
  type JsonSchema,
  referencesOf,
} from '#transport/http/openapi/convert-schemas.ts'
import * as envelope from '#transport/http/openapi/envelope.ts'

const MODULES: readonly object[] = [
  primitives,
  live,
  message,
  inbox,
  device,
  dayUsage,
  health,
  account,
  session,
  twoFactor,
  notification,
  webhook,
  alertReading,
  preview,
  seenTrigger,
  event,
  onCall,
  envelope,
]

/**
 * The component schemas of the OpenAPI document: those that `contracts` exports, and those of single
 * operations.
 */
export class Components {
  readonly #names = namedSchemas()
  readonly #used = new Map<string, JsonSchema>()
  readonly #modes: Record<'input' | 'output', Map<string, JsonSchema>>

  /** `others`: the schemas of operations; each gets this name unless it already has one. */
  constructor(others: Iterable<readonly [schema: v.GenericSchema, name: string]>) {
    for (const [schema, name] of others) if (!this.#names.has(schema)) this.#names.set(schema, name)
    const definitions = new Map([...this.#names].map(([schema, name]) => [name, schema]))
    this.#modes = {
      input: convertSchemas(definitions, 'input'),
      output: convertSchemas(definitions, 'output'),
    }
  }

  /** A reference to a schema, as callers write it (`input`) or as answers contain it (`output`). */
  refer(schema: v.GenericSchema, mode: 'input' | 'output'): JsonSchema {
    const name = this.#names.get(schema)
    if (name === undefined) throw new Error('a schema was not passed to the constructor of Components')
    this.#use(name, mode)
    return { $ref: componentRef(name) }
  }

  /** The schema itself, for parts of the document that need its pieces. */
  inline(schema: v.GenericSchema, mode: 'input' | 'output'): JsonSchema {
    const converted = this.#modes[mode].get(this.#names.get(schema) ?? '')
    if (converted === undefined) throw new Error('a schema was not passed to the constructor of Components')
    for (const name of referencesOf(converted)) this.#use(name, mode)
    return converted
  }

  /** All schemas referred to so far, by name. */
  used(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #use(name: string, mode: 'input' | 'output'): void {
    const schema = this.#modes[mode].get(name)
    if (schema === undefined) throw new Error(`there is no schema ${name}`)
    const known = this.#used.get(name)
    if (known !== undefined) {
      if (JSON.stringify(known) === JSON.stringify(schema)) return
      throw new Error(`requests and answers use ${name} in different forms: make a schema for each`)
    }
    this.#used.set(name, schema)
    for (const other of referencesOf(schema)) this.#use(other, mode)
  }
}

/** The name of each schema. If two modules export the same schema, the first name counts. */
function namedSchemas(): Map<v.GenericSchema, string> {
  const names = new Map<v.GenericSchema, string>()
  for (const module of MODULES)
    for (const [name, value] of Object.entries(module))
      if (isSchema(value) && !names.has(value)) names.set(value, name)
  return names
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
}
