import type { DialectName } from '#contracts/config.ts'
import { gotifyRoutes } from '#transport/http/dialects/gotify.ts'
import { ntfyRoutes } from '#transport/http/dialects/ntfy.ts'
import type { Route } from '#transport/http/route.ts'
import type { Triggers } from '#transport/http/trigger-webhook.ts'

export interface DialectPorts {
  readonly triggers: Triggers
  readonly wallMs: () => number
}

/** Every shape of another gateway; each file knows one. */
const DIALECT_ROUTES: Readonly<Record<DialectName, (ports: DialectPorts) => Route[]>> = {
  gotify: gotifyRoutes,
  ntfy: ntfyRoutes,
}

/** The routes of the shapes that the configuration lists, at the root of the port. */
export function dialectRoutes(enabled: readonly DialectName[], ports: DialectPorts): Route[] {
  return [...new Set(enabled)].flatMap(name => DIALECT_ROUTES[name](ports))
}
