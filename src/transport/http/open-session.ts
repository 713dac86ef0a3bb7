import type { Writer } from '#contracts/commands.ts'
import type { OpenedSessionResource } from '#contracts/session.ts'
import type { Login } from '#domain/account/credential-store.ts'
import { nameBrowser } from '#domain/account/name-browser.ts'
import type { Call } from '#transport/http/route.ts'
import { sessionCookie } from '#transport/http/session-cookie.ts'

export interface OpenSessionPorts {
  readonly writer: Writer
  readonly cookieTag: string
}

export interface OpenedSession {
  readonly data: OpenedSessionResource
  /** Headers that set the cookie with one half of the session's secret. */
  readonly headers: Readonly<Record<string, string>>
}

/** Opens a session for the caller's browser. The calling code must have verified the password. */
export async function openSession(
  { writer, cookieTag }: OpenSessionPorts,
  call: Call,
  { userId, tokenVersion }: Pick<Login, 'userId' | 'tokenVersion'>,
): Promise<OpenedSession> {
  const address = call.client().text
  const browser = nameBrowser(call.header('user-agent') ?? '')
  const opening = { userId, tokenVersion, address, browser }
  const { cookie, ...data } = await writer.ask('session.open', opening, userId)
  const at = { tag: cookieTag, isSecure: call.isSecure() }
  return { data, headers: { 'Set-Cookie': sessionCookie(cookie, at) } }
}
