/** All declared routes of the gateway, for tests that check each of them. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cloudRoutes } from '#transport/device/smsgate-cloud/cloud-routes.ts'
import type { Route } from '#transport/http/route.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'src', 'transport', 'http', 'routes')

/** Stands for the ports of a route file, which are the interfaces that its routes call. */
const anything: unknown = new Proxy(() => anything, { get: () => anything, apply: () => anything })

/** Calls every `…Routes` of every file in the folder of routes, so new files are included. */
export async function declaredRoutes(ports = anything): Promise<Route[]> {
  const routes: Route[] = []
  for (const file of readdirSync(FOLDER).sort()) {
    const module: Record<string, unknown> = await import(`#transport/http/routes/${file}`)
    const makers = Object.entries(module).filter(([name]) => name.endsWith('Routes'))
    if (makers.length === 0) throw new Error(`${file} exports no …Routes`)
    for (const [, make] of makers) routes.push(...(make as (ports: unknown) => Route[])(ports))
  }
  return routes
}

/** The routes that the SMSGate app calls. They are not in the OpenAPI description. */
export function appRoutes(): Route[] {
  return cloudRoutes(anything as Parameters<typeof cloudRoutes>[0])
}
