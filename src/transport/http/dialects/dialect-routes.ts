import type { DialectName } from '#contracts/config.ts'
import type { KeyTokens } from '#domain/account/key-tokens.ts'
import type { PrincipalReader } from '#domain/account/principal.ts'
import { gotifyRoutes } from '#transport/http/dialects/gotify.ts'
import { httpsmsRoutes } from '#transport/http/dialects/httpsms.ts'
import { kannelRoutes } from '#transport/http/dialects/kannel.ts'
import { ntfyRoutes } from '#transport/http/dialects/ntfy.ts'
import type { TextPorts } from '#transport/http/dialects/send-texts.ts'
import { signalRoutes } from '#transport/http/dialects/signal.ts'
import { smseagleRoutes } from '#transport/http/dialects/smseagle.ts'
import { smsgateRoutes } from '#transport/http/dialects/smsgate.ts'
import { twilioRoutes } from '#transport/http/dialects/twilio.ts'
import type { Route } from '#transport/http/route.ts'
import type { Triggers } from '#transport/http/trigger-webhook.ts'

export interface DialectPorts extends TextPorts {
  readonly triggers: Triggers
  readonly wallMs: () => number
  readonly keyTokens: KeyTokens
  /** Whether a token of this id (RFC 7519, `jti`) was revoked, as of the last commit. */
  readonly isTokenRevoked: PrincipalReader['isTokenRevoked']
}

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
