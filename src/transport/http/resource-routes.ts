import * as v from 'valibot'
import { notFound } from '#domain/problem.ts'
import type { Tag } from '#transport/http/openapi/tags.ts'
import type { AuthorizedCall, Operation, Route } from '#transport/http/route.ts'

/** What OpenAPI says of one of the routes. */
type Words = readonly [summary: string, description: string]

/** A thing that an owner makes one by one, such as a group. */
export interface ResourceRoutes {
  readonly path: string
  readonly tag: Tag
  /** Its name in the ids of operations: `listGroups`, `getGroup`. */
  readonly named: readonly [one: string, several: string]
  /** Its name in a refusal, and what OpenAPI says of its id. */
  readonly word: string
  readonly ofId: string
  /** Whether a key may read it, too. Default: only a user. */
  readonly byKey?: true
  /** The least roles of those who read it and who change it. Default: a viewer and an operator. */
  readonly roles?: readonly [reads: 'viewer' | 'owner', changes: 'operator' | 'owner']
  readonly words: Readonly<Record<'list' | 'get' | 'create' | 'update' | 'remove', Words>>
  readonly schemas: Readonly<Record<'create' | 'update' | 'item' | 'removed', v.GenericSchema>>
  /** A body that makes it, what this makes, and a body that changes it. */
  readonly example: readonly [
    given: object,
    made: { readonly id: string; readonly [field: string]: unknown },
    change: object,
  ]
  /** Refusals of `create`, `update` and `remove`, beside those of all. */
  readonly problems?: Readonly<Partial<Record<'create' | 'update' | 'remove', readonly number[]>>>
  /** Oldest first. */
  list(accountId: string): readonly object[] | Promise<readonly object[]>
  find(accountId: string, id: string): object | undefined | Promise<object | undefined>
  create(call: AuthorizedCall): Promise<object>
  update(call: AuthorizedCall): Promise<object>
  remove(call: AuthorizedCall): Promise<object>
}

const BODY = [413, 415]

/** The five routes of such a thing: list, look, make, change and remove. */
export function resourceRoutes(of: ResourceRoutes): Route[] {
  return [...readingRoutes(of), ...changingRoutes(of)]
}

function readingRoutes(of: ResourceRoutes): Route[] {
  const { path, tag, word, words, schemas } = of
  const [one, several] = of.named
  const made = of.example[1]
  const role = of.roles?.[0] ?? 'viewer'
  const reading = { method: 'get', access: of.byKey ? 'key' : 'account', role, body: 'none' } as const
  return [
    {
      ...reading,
      path,
      operation: operation({
        tag,
        id: `list${several}`,
        words: words.list,
        response: v.array(schemas.item),
        problems: [],
        example: { data: [made] },
      }),
      handle: async ({ principal }: AuthorizedCall) => ({ data: await of.list(principal.accountId) }),
    },
    {
      ...reading,
      path: `${path}/{id}`,
      operation: operation({
        tag,
        id: `get${one}`,
        words: words.get,
        parameters: parametersOf(of),
        response: schemas.item,
        problems: [404],
        example: { data: made },
      }),
      async handle({ principal, parameters: [wanted = ''] }: AuthorizedCall) {
        const found = await of.find(principal.accountId, wanted)
        if (found === undefined) throw notFound(word)
        return { data: found }
      },
    },
  ]
}

function changingRoutes(of: ResourceRoutes): Route[] {
  const { path, tag, words, schemas, problems = {} } = of
  const [one] = of.named
  const [given, made, change] = of.example
  const parameters = parametersOf(of)
  const changing = { access: 'account', role: of.roles?.[1] ?? 'operator' } as const
  const id = `${path}/{id}`
  return [
    {
      ...changing,
      method: 'post',
      path,
      body: 'json',
      operation: operation({
        tag,
        id: `create${one}`,
        words: words.create,
        request: schemas.create,
        response: schemas.item,
        problems: [400, 409, ...BODY, ...(problems.create ?? [])],
        example: { request: given, data: made },
      }),
      handle: async (call: AuthorizedCall) => ({ data: await of.create(call) }),
    },
    {
      ...changing,
      method: 'patch',
      path: id,
      body: 'json',
      operation: operation({
        tag,
        id: `update${one}`,
        words: words.update,
        parameters,
        request: schemas.update,
        response: schemas.item,
        problems: [400, 404, ...BODY, ...(problems.update ?? [])],
        example: { request: change, data: { ...made, ...change } },
      }),
      handle: async (call: AuthorizedCall) => ({ data: await of.update(call) }),
    },
    {
      ...changing,
      method: 'delete',
      path: id,
      body: 'none',
      operation: operation({
        tag,
        id: `delete${one}`,
        words: words.remove,
        parameters,
        response: schemas.removed,
        problems: [404, ...(problems.remove ?? [])],
        example: { data: { id: made.id } },
      }),
      handle: async (call: AuthorizedCall) => ({ data: await of.remove(call) }),
    },
  ]
}

function parametersOf({ ofId, example }: ResourceRoutes) {
  return { id: { description: ofId, example: example[1].id } }
}

/** Adds what every route of a resource may refuse. */
function operation(given: Omit<Operation, 'summary' | 'description'> & { readonly words: Words }): Operation {
  const { words, problems, ...rest } = given
  const [summary, description] = words
  const all = [...new Set([...problems, 401, 429, 503])].sort((a, b) => a - b)
  return { ...rest, summary, description, problems: all }
}
