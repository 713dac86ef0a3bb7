/** Every route there is, over ports that do nothing but what a test plants in each of their functions. */
import { declaredRoutes } from '#test/kit/routes.ts'
import type { Route } from '#transport/http/route.ts'

/** What a port does when its function of this name is called. */
export type Behaviour = (name: string) => unknown

export function routesOver(behave: Behaviour): Promise<Route[]> {
  return declaredRoutes(planted('ports', behave))
}

/** A port, and any member of one, and a function: whatever a route takes it for. */
function planted(name: string, behave: Behaviour): unknown {
  return new Proxy(() => undefined, {
    get: (_, member) => (member === 'then' ? undefined : planted(String(member), behave)),
    apply: () => behave(name),
  })
}
