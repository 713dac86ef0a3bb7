/** The routes of the gateway as they are declared, for tests that go over every one of them. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cloudRoutes } from '#transport/device/smsgate-cloud/cloud-routes.ts'
import type { Route } from '#transport/http/route.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'src', 'transport', 'http', 'routes')

/** Stands for any port that a route file uses while it declares its routes. */
const anything: unknown = new Proxy(() => anything, { get: () => anything, apply: () => anything })

/** Calls every `…Routes` of every file in the folder of routes: one that is new is found by itself. */
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

/** Those that the app SMSGate calls, which the description of the API leaves out. */
export function appRoutes(): Route[] {
  return cloudRoutes(anything as Parameters<typeof cloudRoutes>[0])
}
