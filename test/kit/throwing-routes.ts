/** All routes, with fake ports. A port is an interface that routes call, such as the one to the writer. */
import { declaredRoutes } from '#test/kit/routes.ts'
import type { Route } from '#transport/http/route.ts'

/** Called in place of every function of a port. `name`: the name of the function. */
export type Behaviour = (name: string) => unknown

export function routesOver(behave: Behaviour): Promise<Route[]> {
  return declaredRoutes(fakePort('ports', behave))
}

/** A proxy that acts as a port, as a member of a port and as a function. */
function fakePort(name: string, behave: Behaviour): unknown {
  return new Proxy(() => undefined, {
    // Without `then`, `await` does not take the port for a promise.
    get: (_, member) => (member === 'then' ? undefined : fakePort(String(member), behave)),
    apply: () => behave(name),
  })
}
