/** The real route tables over ports that do nothing but what a test plants in every one of their methods. */
import type { Route } from '#transport/http/route.ts'
import { accountRoutes } from '#transport/http/routes/account.ts'
import { deviceRoutes } from '#transport/http/routes/devices.ts'
import { messageRoutes } from '#transport/http/routes/messages.ts'
import { operationRoutes } from '#transport/http/routes/operation.ts'
import { pairingRoutes } from '#transport/http/routes/pairing.ts'

/** What a port does when its method of this name is called. */
export type Behaviour = (method: string) => unknown

export function routesOver(behave: Behaviour): Route[] {
  const port = new Proxy(
    {},
    {
      get: (_, name) => (name === 'then' ? undefined : () => behave(String(name))),
    },
  ) as never
  return [
    ...messageRoutes(portsOver(behave, port)),
    ...deviceRoutes({ writer: port }),
    ...accountRoutes(portsOver(behave, port)),
    ...pairingRoutes({ writer: port, publicUrl: 'http://gateway.test', failures: port, agentFile: null }),
    ...operationRoutes({ writer: port }),
  ]
}

/** Every member is a port, but the ones that are functions themselves. */
function portsOver(behave: Behaviour, port: never): never {
  const functions = new Set(['plan', 'wallMs'])
  return new Proxy(
    {},
    { get: (_, name) => (functions.has(String(name)) ? () => behave(String(name)) : port) },
  ) as never
}
