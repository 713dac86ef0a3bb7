/**
 * Authenticates a caller of SMSGate's API: by an API key, or by a token that was issued for a key. A token
 * allows only its scopes, and only calls of this API. With the scope `tokens:manage` its holder can issue
 * further tokens, which get no other scopes.
 *
 * @see https://docs.sms-gate.app/integration/authentication/
 */
import type { KeyTokenClaims } from '#domain/account/key-tokens.ts'
import { Problem } from '#domain/problem.ts'
import { bearerOf, unauthorized } from '#transport/http/authenticate.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import { type Caller, callerOf, namesOf } from '#transport/http/dialects/send-texts.ts'
import type { Answer, Call, Handle, Head } from '#transport/http/route.ts'

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
export function allowedCaller(ports: DialectPorts, head: Head, scope: Scope | typeof REFRESH): ScopedCaller {
  const caller = scopedCaller(ports, head)
  // A key has all scopes but this one, because only a refresh token can be exchanged.
  const lacksScope = caller.token === null ? scope === REFRESH : !caller.token.scopes.includes(scope)
  if (lacksScope)
    throw new Problem('FORBIDDEN', `the token lacks the scope ${scope}: ask for a token with it`)
  return caller
}

/** Admits a caller with this scope to a route with a body. */
export function admitScope(
  ports: DialectPorts,
  { scope, handle }: { readonly scope: Scope; handle(call: Call, caller: ScopedCaller): Promise<Answer> },
): (head: Head) => Handle {
  return head => {
    const caller = allowedCaller(ports, head, scope)
    return call => handle(call, caller)
  }
}

function scopedCaller(ports: DialectPorts, head: Head): ScopedCaller {
  const bearer = bearerOf(head.header('authorization'))
  if (bearer === null || bearer.startsWith('sk_')) return { ...callerOf(ports, head), token: null }
  const token = ports.keyTokens.verify(bearer)
  const principal = token === null ? undefined : ports.keys.findById(token.keyId)
  head.count(principal ?? null)
  if (token === null || principal === undefined || !ports.isChainValid(token.keyId, token.chain))
    throw unauthorized('key')
  return { principal, key: bearer, ...namesOf(head), token }
}
