/** SMSGate's calls that issue, renew and revoke tokens. */
import { randomUUID } from 'node:crypto'
import { KEY_TOKEN_REFRESH_TTL_S } from '#contracts/bounds.ts'
import { chainOf } from '#domain/account/key-tokens.ts'
import { invalid } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import { unauthorized } from '#transport/http/authenticate.ts'
import type { DialectPorts } from '#transport/http/dialects/dialect-ports.ts'
import {
  admitScope,
  allowedCaller,
  REFRESH,
  SCOPES,
  type ScopedCaller,
} from '#transport/http/dialects/smsgate-token.ts'
import { readFields } from '#transport/http/read-fields.ts'
import type { Call, Route } from '#transport/http/route.ts'
import { shapedJson, TEXT_TYPE } from '#transport/http/shaped-answer.ts'

/** Longest life of a token made from a key, and the default. */
const KEY_TOKEN_TTL_S_MAX = 86_400

/** The scope that stands for all scopes of the caller. */
const ALL_SCOPES = 'all:any'

export function tokenRoutesAt(base: string, ports: DialectPorts, shared: Pick<Route, 'refusal'>): Route[] {
  const path = `${base}/auth/token`
  const open = { ...shared, access: 'public', counted: false } as const
  return [
    {
      ...open,
      method: 'post',
      path,
      body: 'bytes',
      admit: admitScope(ports, {
        scope: 'tokens:manage',
        handle: (call, caller) => issue(ports, call, caller),
      }),
    },
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

/** Issues a token for the caller's key. Without `scopes` in the body, it gets all scopes of the caller. */
async function issue(ports: DialectPorts, call: Call, caller: ScopedCaller) {
  const fields = call.bytes.length === 0 ? {} : readFields(call.bytes, call.header('content-type'))
  const { ttl, scopes } = fields as { readonly ttl?: unknown; readonly scopes?: unknown }
  const [keyId, chain, parent] = [keyOf(caller), randomUUID(), caller.token?.chain ?? null]
  const request = { keyId, chain, step: 0, scopes: scopesOf(scopes, caller), ttlS: secondsOf(ttl) }
  const { accountId } = caller.principal
  if (!(await ports.writer.ask('key-token.open', { accountId, keyId, chain, parent })))
    throw unauthorized('key')
  return answerPair(ports, request)
}

/** Exchanges a refresh token for a new token with the same scopes. Each refresh token works once. */
async function renew(ports: DialectPorts, call: Call) {
  const { token } = await allowedCaller(ports, call, REFRESH)
  if (token?.renews === undefined) throw unauthorized('key')
  const { keyId, chain } = token
  const { scopes, step } = token.renews
  if (!(await ports.writer.ask('key-token.renew', { keyId, chain, step }))) throw unauthorized('key')
  return answerPair(ports, { keyId, chain, step: step + 1, scopes, ttlS: KEY_TOKEN_TTL_S_MAX })
}

/**
 * Revokes a token of the caller's key, with all tokens that came from the same first one. As in SMSGate, an
 * unknown id is not an error.
 */
async function revoke(ports: DialectPorts, call: Call) {
  const caller = await allowedCaller(ports, call, 'tokens:manage')
  const chain = chainOf(call.parameters[0] ?? '')
  if (chain !== null) await ports.writer.ask('key-token.end', { keyId: keyOf(caller), chain })
  // Not a JSON type: clients would parse the empty body as JSON.
  return { raw: '', contentType: TEXT_TYPE, status: 204 }
}

interface TokenRequest {
  readonly keyId: string
  readonly chain: string
  readonly step: number
  readonly scopes: readonly string[]
  readonly ttlS: number
}

/** Issues an access token and its refresh token. */
async function answerPair({ keyTokens }: DialectPorts, request: TokenRequest) {
  const { keyId, chain, step, scopes, ttlS } = request
  const access = await keyTokens.issue({ keyId, chain, scopes, ttlS })
  const refresh = await keyTokens.issue({
    keyId,
    chain,
    scopes: [REFRESH],
    ttlS: KEY_TOKEN_REFRESH_TTL_S,
    renews: { scopes, step },
  })
  const answer = {
    id: access.jti,
    token_type: 'Bearer',
    access_token: access.token,
    refresh_token: refresh.token,
    expires_at: instant(access.expiresAt),
    // The client for Python reads these names.
    tokenType: 'Bearer',
    accessToken: access.token,
    refreshToken: refresh.token,
    expiresAt: instant(access.expiresAt),
  }
  return shapedJson(answer, 201)
}

function keyOf({ principal }: ScopedCaller): string {
  return principal.keyId ?? ''
}

/** The requested scopes, without those that Roost does not know and those that the caller does not have. */
function scopesOf(given: unknown, { token }: ScopedCaller): readonly string[] {
  const own = SCOPES.filter(scope => token?.scopes.includes(scope) ?? true)
  if (given == null) return own
  if (!Array.isArray(given) || given.length === 0 || given.some(scope => typeof scope !== 'string'))
    throw invalid([{ path: 'scopes', message: `must be a list of scopes, such as ["${SCOPES[0]}"]` }])
  return given.includes(ALL_SCOPES) ? own : own.filter(scope => given.includes(scope))
}

/** The lifetime of a token in seconds: one day at most, and by default. `expires_at` shows the result. */
function secondsOf(given: unknown): number {
  if (given == null || given === 0) return KEY_TOKEN_TTL_S_MAX
  if (!Number.isInteger(given) || Number(given) < 0)
    throw invalid([{ path: 'ttl', message: 'must be a whole number of seconds, like 3600' }])
  return Math.min(Number(given), KEY_TOKEN_TTL_S_MAX)
}
