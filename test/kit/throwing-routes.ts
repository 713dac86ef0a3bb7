/** All routes, over fake ports whose every function calls `behave` of the test. */
import { declaredRoutes } from '#test/kit/routes.ts'
import type { Route } from '#transport/http/route.ts'

/** Called when a function of this name of a port is called. */
export type Behaviour = (name: string) => unknown

export function routesOver(behave: Behaviour): Promise<Route[]> {
  return declaredRoutes(planted('ports', behave))
}

/** A proxy that acts as a port, as a member of a port and as a function. */
function planted(name: string, behave: Behaviour): unknown {
  return new Proxy(() => undefined, {
    // Without `then`, `await` does not take the port for a promise.
    get: (_, member) => (member === 'then' ? undefined : planted(String(member), behave)),
    apply: () => behave(name),
  })
}
