import * as v from 'valibot'
import type { Issue } from '#contracts/problem.ts'
import { messageOf } from '#domain/cause.ts'
import { charsetOf, decodeText } from '#domain/decode-text.ts'
import { faultOfShape, JSON_VALUES_MAX } from '#domain/json-shape.ts'
import { invalid, Problem } from '#domain/problem.ts'
import { wordingOf } from '#transport/issue-wording.ts'

/**
 * Values of JSON from a caller who is not known before its body is read: a list of a hundred numbers, and as
 * many other fields.
 */
export const STRANGER_VALUES_MAX = 200

const LOST_OFFSET = /^(\d{4}-\d\d-\d\dT[\d:.]+) (?=\d\d:?\d\d$)/

interface JsonOptions {
  /** The values that the body may have at most. */
  readonly valuesMax?: number
  /** May declare a charset. */
  readonly contentType?: string | undefined
}

/** The body as a JSON value. @throws Problem INVALID_REQUEST */
export function parseJson(bytes: Buffer, options: JsonOptions = {}): unknown {
  const { valuesMax = JSON_VALUES_MAX, contentType } = options
  const text = decodeText(bytes, charsetOf(contentType))
  if (text.trim() === '') throw invalid([{ path: '', message: 'the body is empty: send a JSON object' }])
  const fault = faultOfShape(text, valuesMax)
  if (fault !== null) throw invalid([{ path: '', message: `the body ${fault}` }])
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid([{ path: '', message: `the body is not valid JSON: ${placeOf(error, text)}` }])
  }
}

/** Where JSON breaks off, and what is wrong there. */
function placeOf(error: unknown, text: string): string {
  const [, found] = /at position (\d+)/.exec(messageOf(error)) ?? []
  if (found === undefined) return 'its end is missing'
  const before = text.slice(0, Number(found)).split('\n')
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
  const isLineBreak = /^[\r\n]/.test(text.slice(Number(found))) && /control character/i.test(messageOf(error))
  return isLineBreak ? `${place}: a line break inside a text; write \\n` : place
}

/** The body as a JSON object, which all JSON routes expect. @throws Problem INVALID_REQUEST */
export function parseJsonObject(bytes: Buffer, options: JsonOptions = {}): object {
  const json = parseJson(bytes, options)
  // Checked here, because valibot accepts a list as an object without fields.
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json
  throw invalid([{ path: '', message: 'the body must be a JSON object' }])
}

/** @throws Problem UNSUPPORTED_MEDIA_TYPE for a Content-Type other than JSON; an absent one is fine */
export function checkJsonType(contentType: string | undefined): void {
  if (contentType === undefined || /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType)) return
  throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'send the body as application/json')
}

/** Collects all faults of a request, so that a refusal can list them all. */
export class Validation {
  readonly #issues: Issue[] = []
  readonly #writtenAs: ReadonlyMap<string, string>

  /** `writtenAs`: the caller's name of each renamed field, by the schema's name. */
  constructor(writtenAs: ReadonlyMap<string, string> = new Map()) {
    this.#writtenAs = writtenAs
  }

  add(path: string, message: string): void {
    this.#issues.push({ path: this.#writtenAs.get(path) ?? path, message })
  }

  addAll(issues: readonly Issue[]): void {
    for (const { path, message } of issues) this.add(path, message)
  }

  /** The output of the schema; undefined: the value has faults, which are collected. */
  parse<T extends v.GenericSchema>(schema: T, value: unknown): v.InferOutput<T> | undefined {
    const result = v.safeParse(schema, value)
    if (result.success) return result.output
    for (const issue of result.issues) this.add(v.getDotPath(issue) ?? '', wordingOf(issue))
    return undefined
  }

  /** Like `parse`, for a query. A parameter of the schema that appears twice is a fault. */
  parseQuery<T extends v.GenericSchema & { readonly entries: object }>(
    schema: T,
    query: URLSearchParams,
  ): v.InferOutput<T> | undefined {
    for (const name of Object.keys(schema.entries))
      if (query.getAll(name).length > 1) this.add(name, 'must appear only once')
    // A + that is not percent-encoded arrives as a space, also before the offset of a time.
    const given = [...query].map(([name, value]) => [name, value.replace(LOST_OFFSET, '$1+')])
    return this.parse(schema, Object.fromEntries(given))
  }

  /** @throws Problem INVALID_REQUEST with all collected faults */
  throwIfAny(): void {
    if (this.#issues.length > 0) throw invalid(this.#issues)
  }

  /**
   * Returns the value of a request without faults. @throws Problem INVALID_REQUEST with all collected faults
   */
  complete<T>(value: T | undefined): T {
    this.throwIfAny()
    if (value === undefined) throw new Error('a value is missing although no fault was collected')
    return value
  }
}

/** A body that its schema alone judges. @throws Problem INVALID_REQUEST with all faults */
export function readBody<T extends v.GenericSchema>(schema: T, json: unknown): v.InferOutput<T> {
  const validation = new Validation()
  return validation.complete(validation.parse(schema, json))
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/**
 * The given fields of a body that are right by themselves, even if others are not. With them a refusal can
 * also list the faults that no schema finds.
 */
export function rightFields<S extends v.GenericSchema & { readonly entries: v.ObjectEntries }>(
  schema: S,
  json: unknown,
): Given<v.InferOutput<S>> {
  const right = Object.entries(schema.entries).flatMap(([name, entry]) => {
    const { success, output } = v.safeParse(entry, Object(json)[name])
    return success && output !== undefined ? [[name, output] as const] : []
  })
  return Object.fromEntries(right) as Given<v.InferOutput<S>>
}
