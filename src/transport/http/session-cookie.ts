/**
 * The cookie with one half of a session's secret. Page scripts cannot read it. All ports of a host share
 * their cookies, so the cookie is useless without the other half, which the page sends in a header.
 */
import { SESSION_LIFE_MS } from '#contracts/bounds.ts'
import type { SessionHalves } from '#domain/account/session-cache.ts'

export const HALF_HEADER = 'x-roost-console'

type Headers = Readonly<Record<string, string | undefined>>

/**
 * The name of the cookie. `tag` distinguishes gateways on the same host. Plain HTTP uses a different name
 * than HTTPS, because an answer over plain HTTP cannot replace a cookie that was set over HTTPS.
 */
function cookieName(tag: string, isSecure: boolean): string {
  return isSecure ? `__Host-roost_${tag}` : `roost_${tag}`
}

/** The value of `Set-Cookie`. An empty `value` removes the cookie. */
export function sessionCookie(
  value: string,
  at: { readonly tag: string; readonly isSecure: boolean },
): string {
  const maxAgeS = value === '' ? 0 : SESSION_LIFE_MS / 1000
  const secure = at.isSecure ? '; Secure' : ''
  const name = cookieName(at.tag, at.isSecure)
  return `${name}=${value}; Max-Age=${maxAgeS}; Path=/; HttpOnly; SameSite=Strict${secure}`
}

/**
 * All pairs of halves in a request. There may be two: over HTTPS, browsers also send the cookie of plain
 * HTTP.
 */
export function sessionHalves(headers: Headers, tag: string): readonly SessionHalves[] {
  const half = headers[HALF_HEADER]
  return half === undefined ? [] : sessionCookies(headers, tag).map(cookie => ({ cookie, half }))
}

/** The values of the gateway's session cookies in a request. */
export function sessionCookies(headers: Headers, tag: string): readonly string[] {
  const cookieHeader = headers['cookie']
  if (cookieHeader === undefined) return []
  const names = [cookieName(tag, true), cookieName(tag, false)]
  const pairs = cookieHeader.split(/[;,]/).map(pair => pair.trim())
  return names.flatMap(name =>
    pairs.filter(pair => pair.startsWith(`${name}=`)).map(pair => pair.slice(name.length + 1)),
  )
}
