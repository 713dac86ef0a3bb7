import * as v from 'valibot'
import { notFound } from '#domain/problem.ts'
import { type KnownRoute, knownRoutes } from '#transport/http/known-routes.ts'
import type { Tag } from '#transport/http/openapi/tags.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'

/** What OpenAPI says of one of the routes. */
type Words = readonly [summary: string, description: string]
type Promised<T> = T | Promise<T>

/** A thing that an owner makes one by one, such as a group. Without `get`, `update` it has no such route. */
export interface ResourceRoutes<Thing> {
  readonly path: string
  readonly tag: Tag
  /** Its name in the ids of operations: `listGroups`, `getGroup`. */
  readonly named: readonly [one: string, several: string]
  /** What its making and its removal are called in these ids. Default: `create` and `delete`. */
  readonly verbs?: { readonly create?: string; readonly remove?: string }
  /** Its name in a refusal, and what OpenAPI says of its id. */
  readonly word: string
  readonly ofId: string
  /** Whether a key may read it, too. Default: only a user. */
  readonly byKey?: true
  /** The least roles of those who read it and who change it. Default: a viewer and an operator. */
  readonly roles?: readonly [reads: 'viewer' | 'owner', changes: 'operator' | 'owner']
  /** `get`: the summary alone where the description only says when 404 comes. */
  readonly words: Readonly<Record<'list' | 'create' | 'remove', Words>> & {
    readonly get?: string | Words
    readonly update?: Words
  }
  /** `update`: with the change. `made`: the answer that makes it, if it shows more than others. */
  readonly schemas: Readonly<Record<'create' | 'item' | 'removed', v.GenericSchema>> &
    Readonly<Partial<Record<'update' | 'made', v.GenericSchema>>>
  /** A body that makes it, what this makes, a body that changes it, and what is shown only once. */
  readonly example: readonly [
    given: object,
    made: { readonly id: string; readonly [field: string]: unknown },
    change?: object,
    once?: object,
  ]
  /** Refusals of `create`, `update` and `remove`, beside those of all. */
  readonly problems?: Readonly<Partial<Record<'create' | 'update' | 'remove', readonly number[]>>>
  /** Where it is read. Lists are oldest first. */
  readonly rows: {
    list(accountId: string): Promised<readonly Thing[]>
    find?(accountId: string, id: string): Promised<Thing | undefined>
  }
  /** How answers show it. */
  show(thing: Thing): object
  /** In place of `rows.list`, for a list with a query. */
  readonly listed?: { readonly query: v.GenericSchema; list(call: AuthorizedCall): readonly object[] }
  create(call: AuthorizedCall): Promise<object>
  update?(call: AuthorizedCall): Promise<object>
  remove(call: AuthorizedCall): Promise<object>
}

/** The routes of such a thing: list, look, make, change and remove. */
export function resourceRoutes<Thing>(of: ResourceRoutes<Thing>): Route[] {
  const { tag, byKey, roles: [reads, changes] = ['viewer', 'operator'] } = of
  return [
    ...knownRoutes({ tag, role: reads, access: byKey ? 'key' : 'account' }, readingRoutes(of)),
    ...knownRoutes({ tag, role: changes }, changingRoutes(of)),
  ]
}

function readingRoutes<Thing>(of: ResourceRoutes<Thing>): KnownRoute[] {
  const { path, words, word, schemas, rows, listed } = of
  const [one, several] = of.named
  const made = of.example[1]
  const list: KnownRoute = {
    method: 'get',
    path,
    operation: {
      id: `list${several}`,
      ...described(words.list),
      ...(listed && { query: listed.query }),
      response: v.array(schemas.item),
      example: { data: [made] },
    },
    handle: async call => ({
      data: listed?.list(call) ?? (await rows.list(call.principal.accountId)).map(of.show),
    }),
  }
  if (words.get === undefined) return [list]
  const missing = `404: the account has no ${word} with this id.`
  const get: KnownRoute = {
    method: 'get',
    path: `${path}/{id}`,
    operation: {
      id: `get${one}`,
      ...described(typeof words.get === 'string' ? [words.get, missing] : words.get),
      parameters: parametersOf(of),
      response: schemas.item,
      example: { data: made },
    },
    async handle({ principal, parameters: [wanted = ''] }) {
      const found = await rows.find?.(principal.accountId, wanted)
      if (found === undefined) throw notFound(word)
      return { data: of.show(found) }
    },
  }
  return [list, get]
}

function changingRoutes<Thing>(of: ResourceRoutes<Thing>): KnownRoute[] {
  const { path, words, schemas, problems = {}, verbs = {} } = of
  const [one] = of.named
  const [given, made, change, once] = of.example
  const parameters = parametersOf(of)
  const create: KnownRoute = {
    method: 'post',
    path,
    operation: {
      id: `${verbs.create ?? 'create'}${one}`,
      ...described(words.create),
      request: schemas.create,
      response: schemas.made ?? schemas.item,
      problems: [409, ...(problems.create ?? [])],
      example: { request: given, data: { ...made, ...once } },
    },
    handle: async call => ({ data: await of.create(call) }),
  }
  const remove: KnownRoute = {
    method: 'delete',
    path: `${path}/{id}`,
    operation: {
      id: `${verbs.remove ?? 'delete'}${one}`,
      ...described(words.remove),
      parameters,
      response: schemas.removed,
      problems: problems.remove ?? [],
      example: { data: { id: made.id } },
    },
    handle: async call => ({ data: await of.remove(call) }),
  }
  if (words.update === undefined || schemas.update === undefined) return [create, remove]
  const update: KnownRoute = {
    method: 'patch',
    path: `${path}/{id}`,
    operation: {
      id: `update${one}`,
      ...described(words.update),
      parameters,
      request: schemas.update,
      response: schemas.item,
      problems: problems.update ?? [],
      example: { request: change, data: { ...made, ...change } },
    },
    handle: async call => ({ data: await of.update?.(call) }),
  }
  return [create, update, remove]
}

function parametersOf({ ofId, example }: Pick<ResourceRoutes<never>, 'ofId' | 'example'>) {
  return { id: { description: ofId, example: example[1].id } }
}

function described([summary, description]: Words) {
  return { summary, description }
}
