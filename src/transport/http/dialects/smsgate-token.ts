/**
 * Authenticates a caller of SMSGate's API: by an API key, or by a token that was issued for a key. A token
 * allows only its scopes, and only calls of this API. With the scope `tokens:manage` its holder can issue
 * further tokens, which get no other scopes.
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

/** The only scope of a refresh token. */
export const REFRESH = 'tokens:refresh'

export interface ScopedCaller extends Caller {
  /** The claims of the caller's token; null: the caller sent an API key, which has all scopes. */
  readonly token: KeyTokenClaims | null
}

/**
 * Authenticates the caller and checks that it has this scope.
 *
 * @throws Problem UNAUTHORIZED, FORBIDDEN, RATE_LIMIT_EXCEEDED
 */
export async function allowedCaller(
  ports: DialectPorts,
  call: Call,
  scope: Scope | typeof REFRESH,
): Promise<ScopedCaller> {
  const caller = await scopedCaller(ports, call)
  // A key has all scopes but this one, because only a refresh token can be exchanged.
  const lacksScope = caller.token === null ? scope === REFRESH : !caller.token.scopes.includes(scope)
  if (lacksScope)
    throw new Problem('FORBIDDEN', `the token lacks the scope ${scope}: ask for a token with it`)
  return caller
}

async function scopedCaller(ports: DialectPorts, call: Call): Promise<ScopedCaller> {
  const bearer = bearerOf(call.header('authorization'))
  if (bearer === null || bearer.startsWith('sk_')) return { ...callerOf(ports, call), token: null }
  const token = await ports.keyTokens.verify(bearer)
  const principal = token === null ? undefined : ports.keys.findById(token.keyId)
  call.count(principal ?? null)
  if (token === null || principal === undefined || isRevoked(ports, token)) throw unauthorized('key')
  return { principal, key: bearer, token }
}

/** Whether the token was revoked. A refresh token is revoked together with the token that it renews. */
function isRevoked({ isTokenRevoked }: DialectPorts, { keyId, jti, renews }: KeyTokenClaims): boolean {
  return [jti, renews?.jti].some(id => id !== undefined && isTokenRevoked(keyTokenId(keyId, id)))
}
