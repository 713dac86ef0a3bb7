import type { DialectName } from '#contracts/config.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import { gotifyRoutes } from '#transport/http/dialects/gotify.ts'
import { httpsmsRoutes } from '#transport/http/dialects/httpsms.ts'
import { kannelRoutes } from '#transport/http/dialects/kannel.ts'
import { ntfyRoutes } from '#transport/http/dialects/ntfy.ts'
import { playsmsRoutes } from '#transport/http/dialects/playsms.ts'
import { signalRoutes } from '#transport/http/dialects/signal.ts'
import { smseagleRoutes } from '#transport/http/dialects/smseagle.ts'
import { smsgateRoutes } from '#transport/http/dialects/smsgate.ts'
import { twilioRoutes } from '#transport/http/dialects/twilio.ts'
import type { Route } from '#transport/http/route.ts'

/** The APIs of other gateways; each file implements one. */
const DIALECT_ROUTES: Readonly<Record<DialectName, (ports: DialectPorts) => Route[]>> = {
  gotify: gotifyRoutes,
  ntfy: ntfyRoutes,
  signal: signalRoutes,
  smseagle: smseagleRoutes,
  smsgate: smsgateRoutes,
  kannel: kannelRoutes,
  twilio: twilioRoutes,
  httpsms: httpsmsRoutes,
  playsms: playsmsRoutes,
}

/** The routes of all dialects that the configuration enables; their paths start at the root of the port. */
export function dialectRoutes(enabled: readonly DialectName[], ports: DialectPorts): Route[] {
  return [...new Set(enabled)].flatMap(name => DIALECT_ROUTES[name](ports)).map(withSlashes)
}

/** The route, also with a slash at the end of each path, because some clients write it. */
function withSlashes(route: Route): Route {
  const paths = [route.path, ...(route.aliases ?? [])]
  const aliases = paths.flatMap(path => (path.endsWith('/') ? [path] : [path, `${path}/`]))
  return { ...route, aliases: aliases.slice(1) }
}
