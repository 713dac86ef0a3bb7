import type { Role } from '#contracts/user.ts'
import type { Tag } from '#transport/http/openapi/tags.ts'
import type { Access, Answer, AuthorizedCall, Operation, Route, RouteBase } from '#transport/http/route.ts'

/** What routes share; each may have a tag, an access or a role of its own. */
interface Shared {
  readonly tag: Tag
  /** Default: `account`. */
  readonly access?: Access
  readonly role: Role
}

/** What distinguishes one route. */
export interface KnownRoute extends Partial<Omit<Shared, 'tag'>>, Omit<RouteBase, 'body' | 'operation'> {
  /** Default: JSON where the operation has a request. */
  readonly body?: 'fields'
  /** `problems`: refusals beside those that follow from path, query, body and access. */
  readonly operation: Omit<Operation, 'tag' | 'problems'> & Partial<Pick<Operation, 'tag' | 'problems'>>
  handle(call: AuthorizedCall): Answer | Promise<Answer>
}

/** Routes whose caller is known. */
export function knownRoutes({ tag, ...shared }: Shared, routes: readonly KnownRoute[]): Route[] {
  return routes.map(route => {
    const { path, operation } = route
    const { problems = [], request, query } = operation
    const { body = request === undefined ? 'none' : 'json' } = route
    const all = new Set([401, 429, 503, ...problems])
    if (path.includes('{')) all.add(404)
    if (body !== 'none' || query !== undefined) all.add(400)
    if (body !== 'none') all.add(413)
    if (body === 'json') all.add(415)
    return {
      access: 'account',
      ...shared,
      ...route,
      body,
      operation: { tag, ...operation, problems: [...all].sort((a, b) => a - b) },
    }
  })
}
