/**
 * The half of a session in a cookie, which page scripts cannot read. Cookies are shared by all ports of a
 * host, so it is useless without the other half, which the page sends in a header.
 */
import { SESSION_LIFE_MS } from '#contracts/session-bounds.ts'
import type { SessionHalves } from '#domain/account/remembered-sessions.ts'

export const HALF_HEADER = 'x-roost-console'

type Headers = Readonly<Record<string, string | undefined>>

/**
 * The name of the cookie. `tag` distinguishes gateways on one host. HTTPS uses another name, because plain
 * HTTP could not replace an HTTPS cookie and would be locked out.
 */
function cookieName(tag: string, isSecure: boolean): string {
  return isSecure ? `__Host-roost_${tag}` : `roost_${tag}`
}

/** The header `Set-Cookie` that keeps a cookie; an empty one removes it. */
export function sessionCookie(
  value: string,
  at: { readonly tag: string; readonly isSecure: boolean },
): string {
  const maxAgeS = value === '' ? 0 : SESSION_LIFE_MS / 1000
  const secure = at.isSecure ? '; Secure' : ''
  const name = cookieName(at.tag, at.isSecure)
  return `${name}=${value}; Max-Age=${maxAgeS}; Path=/; HttpOnly; SameSite=Strict${secure}`
}

/** All possible pairs of halves in a request: over HTTPS a browser also sends the cookie of plain HTTP. */
export function sessionHalves(headers: Headers, tag: string): readonly SessionHalves[] {
  const half = headers[HALF_HEADER]
  return half === undefined ? [] : sessionCookies(headers, tag).map(cookie => ({ cookie, half }))
}

export function sessionCookies(headers: Headers, tag: string): readonly string[] {
  const given = headers['cookie']
  if (given === undefined) return []
  const names = [cookieName(tag, true), cookieName(tag, false)]
  const pairs = given.split(/[;,]/).map(pair => pair.trim())
  return names.flatMap(name =>
    pairs.filter(pair => pair.startsWith(`${name}=`)).map(pair => pair.slice(name.length + 1)),
  )
}
