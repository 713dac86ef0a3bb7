/**
 * Who calls in the shape of SMSGate: a key, or a token made from one. A token may do what its scopes name and
 * nothing else, makes no further token, and is worth nothing outside this shape.
 *
 * @see https://docs.sms-gate.app/integration/authentication/
 */
import { KEY_TOKEN_TTL_S_MAX } from '#contracts/session-bounds.ts'
import { invalid, Problem } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import { bearerOf, unauthorized } from '#transport/http/authenticate.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-routes.ts'
import { type Caller, callerOf } from '#transport/http/dialects/send-texts.ts'
import { shapedJson } from '#transport/http/dialects/shaped-answer.ts'
import { readFields } from '#transport/http/read-fields.ts'
import type { Call } from '#transport/http/route.ts'

const SCOPES = ['messages:send', 'messages:read', 'messages:list', 'devices:list'] as const
type Scope = (typeof SCOPES)[number]

/** Names all of them. */
const ANY = 'all:any'

/** @throws Problem UNAUTHORIZED, FORBIDDEN, RATE_LIMIT_EXCEEDED */
export async function allowedCaller(ports: DialectPorts, call: Call, scope: Scope): Promise<Caller> {
  const token = bearerOf(call.header('authorization'))
  if (token === null || token.startsWith('sk_')) return callerOf(ports, call)
  const claims = await ports.keyTokens.verify(token)
  const principal = claims === null ? undefined : ports.keys.findById(claims.keyId)
  call.count(principal ?? null)
  if (claims === null || principal === undefined) throw unauthorized('key')
  if (!claims.scopes.includes(scope))
    throw new Problem('FORBIDDEN', `the token lacks the scope ${scope}: ask for a token with it`)
  return { principal, key: token }
}

/** Answers a token for the key that was shown; without `scopes` it may do all that this shape can. */
export async function giveToken(ports: DialectPorts, call: Call) {
  const { principal } = callerOf(ports, call)
  const fields = call.bytes.length === 0 ? {} : readFields(call.bytes, call.header('content-type'))
  const { ttl, scopes } = fields as { readonly ttl?: unknown; readonly scopes?: unknown }
  const request = { keyId: principal.keyId ?? '', scopes: scopesOf(scopes), ttlS: secondsOf(ttl) }
  const { token, jti, expiresAt } = await ports.keyTokens.issue(request)
  const answer = { id: jti, token_type: 'Bearer', access_token: token, expires_at: instant(expiresAt) }
  return shapedJson(answer, 201)
}

/** Scopes of what Roost does not have give nothing. */
function scopesOf(given: unknown): readonly Scope[] {
  if (given == null) return SCOPES
  if (!Array.isArray(given) || given.length === 0 || given.some(scope => typeof scope !== 'string'))
    throw invalid([{ path: 'scopes', message: `must be a list of scopes, such as ["${SCOPES[0]}"]` }])
  return given.includes(ANY) ? SCOPES : SCOPES.filter(scope => given.includes(scope))
}

/** A longer life than a day becomes a day, as `expires_at` says. */
function secondsOf(given: unknown): number {
  if (given == null || given === 0) return KEY_TOKEN_TTL_S_MAX
  if (!Number.isInteger(given) || Number(given) < 0)
    throw invalid([{ path: 'ttl', message: 'must be a whole number of seconds, like 3600' }])
  return Math.min(Number(given), KEY_TOKEN_TTL_S_MAX)
}
