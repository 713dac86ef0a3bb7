/** SMSGate's calls that give, renew and revoke tokens. */
import { KEY_TOKEN_REFRESH_TTL_S, KEY_TOKEN_TTL_S_MAX } from '#contracts/session-bounds.ts'
import { keyTokenId } from '#domain/account/key-tokens.ts'
import { invalid } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import { unauthorized } from '#transport/http/authenticate.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-routes.ts'
import { shapedJson, TEXT_TYPE } from '#transport/http/dialects/shaped-answer.ts'
import { allowedCaller, REFRESH, SCOPES, type ScopedCaller } from '#transport/http/dialects/smsgate-token.ts'
import { readFields } from '#transport/http/read-fields.ts'
import type { Call, Route } from '#transport/http/route.ts'

/** Names all of them. */
const ANY = 'all:any'
/** What the ids of tokens look like. */
const JTI = /^[\w-]{1,64}$/

export function tokenRoutesAt(base: string, ports: DialectPorts, shared: Pick<Route, 'refusal'>): Route[] {
  const path = `${base}/auth/token`
  const open = { ...shared, access: 'public', counted: false } as const
  return [
    { ...open, method: 'post', path, body: 'bytes', handle: (call: Call) => give(ports, call) },
    {
      ...open,
      method: 'post',
      path: `${path}/refresh`,
      body: 'none',
      handle: (call: Call) => renew(ports, call),
    },
    {
      ...open,
      method: 'delete',
      path: `${path}/{jti}`,
      body: 'none',
      handle: (call: Call) => revoke(ports, call),
    },
  ]
}

/** Answers a token for the key that was shown; without `scopes` it may do all that the caller may. */
async function give(ports: DialectPorts, call: Call) {
  const caller = await allowedCaller(ports, call, 'tokens:manage')
  const fields = call.bytes.length === 0 ? {} : readFields(call.bytes, call.header('content-type'))
  const { ttl, scopes } = fields as { readonly ttl?: unknown; readonly scopes?: unknown }
  return answerPair(ports, { keyId: keyOf(caller), scopes: scopesOf(scopes, caller), ttlS: secondsOf(ttl) })
}

/** Exchanges a refresh token, once, for a new token of the same scopes. */
async function renew(ports: DialectPorts, call: Call) {
  const { token } = await allowedCaller(ports, call, REFRESH)
  if (token?.renews === undefined) throw unauthorized('key')
  const { keyId, jti, expiresAt, renews } = token
  const isFirst = await ports.writer.ask('account.revoke-token', { jti: keyTokenId(keyId, jti), expiresAt })
  if (!isFirst) throw unauthorized('key')
  return answerPair(ports, { keyId, scopes: renews.scopes, ttlS: KEY_TOKEN_TTL_S_MAX })
}

/** Also revokes the token's refresh token. An id that is not the caller's is no fault, as in SMSGate. */
async function revoke(ports: DialectPorts, call: Call) {
  const caller = await allowedCaller(ports, call, 'tokens:manage')
  const [jti = ''] = call.parameters
  if (JTI.test(jti)) {
    const expiresAt = ports.wallMs() + KEY_TOKEN_REFRESH_TTL_S * 1000
    await ports.writer.ask('account.revoke-token', { jti: keyTokenId(keyOf(caller), jti), expiresAt })
  }
  // Clients read an answer whose type is JSON as JSON, also without a body.
  return { raw: '', contentType: TEXT_TYPE, status: 204 }
}

interface Wanted {
  readonly keyId: string
  readonly scopes: readonly string[]
  readonly ttlS: number
}

async function answerPair({ keyTokens }: DialectPorts, { keyId, scopes, ttlS }: Wanted) {
  const access = await keyTokens.issue({ keyId, scopes, ttlS })
  const refresh = await keyTokens.issue({
    ...{ keyId, scopes: [REFRESH], ttlS: KEY_TOKEN_REFRESH_TTL_S },
    renews: { jti: access.jti, scopes },
  })
  const answer = {
    id: access.jti,
    token_type: 'Bearer',
    access_token: access.token,
    refresh_token: refresh.token,
    expires_at: instant(access.expiresAt),
  }
  return shapedJson(answer, 201)
}

function keyOf({ principal }: ScopedCaller): string {
  return principal.keyId ?? ''
}

/** Scopes of what Roost does not have give nothing, nor those that the caller lacks. */
function scopesOf(given: unknown, { token }: ScopedCaller): readonly string[] {
  const own = SCOPES.filter(scope => token?.scopes.includes(scope) ?? true)
  if (given == null) return own
  if (!Array.isArray(given) || given.length === 0 || given.some(scope => typeof scope !== 'string'))
    throw invalid([{ path: 'scopes', message: `must be a list of scopes, such as ["${SCOPES[0]}"]` }])
  return given.includes(ANY) ? own : own.filter(scope => given.includes(scope))
}

/** A longer life than a day becomes a day, as `expires_at` says. */
function secondsOf(given: unknown): number {
  if (given == null || given === 0) return KEY_TOKEN_TTL_S_MAX
  if (!Number.isInteger(given) || Number(given) < 0)
    throw invalid([{ path: 'ttl', message: 'must be a whole number of seconds, like 3600' }])
  return Math.min(Number(given), KEY_TOKEN_TTL_S_MAX)
}
