/**
 * Who calls in the shape of SMSGate: a key, or a token made from one. A token may do what its scopes name and
 * nothing else, gives other tokens no scope that it lacks, and is worth nothing outside this shape.
 *
 * @see https://docs.sms-gate.app/integration/authentication/
 */
import { type KeyTokenClaims, keyTokenId } from '#domain/account/key-tokens.ts'
import { Problem } from '#domain/problem.ts'
import { bearerOf, unauthorized } from '#transport/http/authenticate.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-routes.ts'
import { type Caller, callerOf } from '#transport/http/dialects/send-texts.ts'
import type { Call } from '#transport/http/route.ts'

export const SCOPES = [
  'messages:send',
  'messages:read',
  'messages:list',
  'devices:list',
  'tokens:manage',
] as const
export type Scope = (typeof SCOPES)[number]

/** What a token may do that is only there to be exchanged for a new one. */
export const REFRESH = 'tokens:refresh'

export interface ScopedCaller extends Caller {
  /** Of the token; null: a key, which may do everything. */
  readonly token: KeyTokenClaims | null
}

/** @throws Problem UNAUTHORIZED, FORBIDDEN, RATE_LIMIT_EXCEEDED */
export async function allowedCaller(
  ports: DialectPorts,
  call: Call,
  scope: Scope | typeof REFRESH,
): Promise<ScopedCaller> {
  const caller = await scopedCaller(ports, call)
  const lacksIt = caller.token === null ? scope === REFRESH : !caller.token.scopes.includes(scope)
  if (lacksIt) throw new Problem('FORBIDDEN', `the token lacks the scope ${scope}: ask for a token with it`)
  return caller
}

async function scopedCaller(ports: DialectPorts, call: Call): Promise<ScopedCaller> {
  const shown = bearerOf(call.header('authorization'))
  if (shown === null || shown.startsWith('sk_')) return { ...callerOf(ports, call), token: null }
  const token = await ports.keyTokens.verify(shown)
  const principal = token === null ? undefined : ports.keys.findById(token.keyId)
  call.count(principal ?? null)
  if (token === null || principal === undefined || isRevoked(ports, token)) throw unauthorized('key')
  return { principal, key: shown, token }
}

/** A token that renews a revoked one is revoked with it. */
function isRevoked({ isTokenRevoked }: DialectPorts, { keyId, jti, renews }: KeyTokenClaims): boolean {
  return [jti, renews?.jti].some(id => id !== undefined && isTokenRevoked(keyTokenId(keyId, id)))
}
