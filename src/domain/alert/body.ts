import { ALERT_VALUE_LENGTH_MAX } from '#contracts/bounds.ts'
import { findLabel, findRaw, findStates, openScopes, type Scopes } from '#domain/alert/read/find-fields.ts'
import { isObject, type Json, type JsonObject, objectsOf } from '#domain/alert/read/json-value.ts'
import type { Payload } from '#domain/alert/read/read-payload.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { cleanLine, linesOf } from '#domain/alert/text/clean-text.ts'
import { type Headline, readHeadline } from '#domain/alert/text/headline.ts'
import type { State } from '#domain/alert/vocabulary/states.ts'

const TITLES = ['title', 'subject', 'alertsubject']
const TEXTS = ['message', 'text', 'body', 'msg', 'content', 'description', 'alertmessage']

/**
 * What a sender posted, for the files in `senders/` to read. A path such as `heartbeat.msg` reaches own
 * fields of nested objects, but no items of lists. A missing field gives an empty text.
 */
export class Body {
  readonly value: Json
  readonly headers: Readonly<Record<string, string>>
  #scopes: Scopes | undefined
  #text: string | undefined

  constructor({ value, headers }: Payload) {
    this.value = value
    this.headers = headers
  }

  /** The value at this path; undefined: there is none. */
  at(path: string): Json | undefined {
    let value: Json | undefined = this.value
    for (const key of path.split('.')) {
      if (!isObject(value) || !Object.hasOwn(value, key)) return undefined
      value = value[key]
    }
    return value
  }

  /** Whether any of these paths exists, even with the value `null`. */
  has(...paths: readonly string[]): boolean {
    return paths.some(path => this.at(path) !== undefined)
  }

  /** The text or number at this path, unchanged. */
  raw(path: string): string {
    return scalarOf(this.at(path))
  }

  /** The first of these paths that is not empty, cleaned and on one line. */
  line(...paths: readonly string[]): string {
    return paths.map(path => cleanLine(this.raw(path))).find(text => text !== '') ?? ''
  }

  lines(path: string): readonly string[] {
    return linesOf(this.raw(path))
  }

  headline(path: string): Headline {
    return readHeadline(this.line(path))
  }

  objects(path: string): readonly JsonObject[] {
    return objectsOf(this.at(path))
  }

  /** The objects in which `find`, `label` and `states` look up a field by its normalized name. */
  get scopes(): Scopes {
    this.#scopes ??= openScopes(this.value)
    return this.#scopes
  }

  find(...names: readonly string[]): string {
    return findRaw(this.scopes, names)
  }

  label(...names: readonly string[]): string {
    return findLabel(this.scopes, names)
  }

  states(...names: readonly string[]): readonly State[] {
    return findStates(this.scopes, names)
  }

  /** Subject and message, with `\n` as the only line break, and cut to ALERT_VALUE_LENGTH_MAX. */
  get text(): string {
    this.#text ??= [this.#own(TITLES), this.#own(TEXTS)]
      .filter(text => text !== '')
      .join('\n')
      .replace(/\r\n?/g, '\n')
      .slice(0, ALERT_VALUE_LENGTH_MAX)
    return this.#text
  }

  get title(): string {
    return cleanLine(this.#own(TITLES))
  }

  /** The message alone, cut to ALERT_VALUE_LENGTH_MAX. */
  get message(): string {
    return this.#own(TEXTS).slice(0, ALERT_VALUE_LENGTH_MAX)
  }

  /** The first group that a match in `text` has captured, cleaned. Empty without a match. */
  match(pattern: RegExp): string {
    const [, ...groups] = pattern.exec(this.text) ?? []
    return cleanLine(groups.find(group => group !== undefined) ?? '')
  }

  /** The first of these fields of the outermost object that is not empty, unchanged. */
  #own(names: readonly string[]): string {
    const [outermost] = this.scopes
    return names.map(name => scalarOf(outermost?.get(name))).find(text => text !== '') ?? ''
  }
}

/** Caches the result of `read` for each body, so that several parts of a sender can call it. */
export function oncePerBody<T>(read: (body: Body) => T): (body: Body) => T {
  const known = new WeakMap<Body, { readonly value: T }>()
  return body => {
    const entry = known.get(body) ?? { value: read(body) }
    known.set(body, entry)
    return entry.value
  }
}
