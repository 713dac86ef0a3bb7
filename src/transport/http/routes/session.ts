import * as v from 'valibot'
import { AccountResource, LoginRequest } from '#contracts/account.ts'
import type { Writer } from '#contracts/commands.ts'
import {
  ChangeAccountRequest,
  EndedSessionResource,
  ListedSessionResource,
  OpenedSessionResource,
  SessionResource,
} from '#contracts/session.ts'
import type { Login } from '#domain/account/credential-store.ts'
import type { Principal } from '#domain/account/principal.ts'
import type { Session, SessionReader } from '#domain/account/session.ts'
import { invalid, notFound, Problem } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import { bySession, type Credentials } from '#transport/http/authenticate.ts'
import { readBody, Validation } from '#transport/http/body.ts'
import { type KnownRoute, knownRoutes } from '#transport/http/known-routes.ts'
import { openSession } from '#transport/http/open-session.ts'
import { TIME } from '#transport/http/openapi/example-values.ts'
import type { AuthorizedCall, Call, Route } from '#transport/http/route.ts'
import { HALF_HEADER, sessionCookie } from '#transport/http/session-cookie.ts'

export interface SessionPorts extends Pick<Credentials, 'sessions' | 'cookieTag'> {
  readonly writer: Writer
  readonly reader: Pick<SessionReader, 'sessionsOf' | 'accountOf'>
  /** @throws Problem UNAUTHORIZED, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE */
  readonly signIn: (attempt: LoginRequest & { readonly address: string }) => Promise<Login>
  readonly hashPassword: (password: string) => Promise<string>
}

const SESSION = {
  id: 'ses_01KG9V0E7M4T0JH0Q4W2Z9R3XB',
  account: { email: 'owner@example.com', plan: 'pro', role: 'owner' as const },
  expiresAt: '2026-03-02T12:00:00.000Z',
}

/**
 * The routes of browser sessions: login and logout, list of sessions, change of e-mail address and
 * password.
 */
export function sessionRoutes(ports: SessionPorts): Route[] {
  const known = [closeRoute(ports), ...listRoutes(ports), changeRoute(ports)]
  return [
    openRoute(ports),
    {
      method: 'get',
      path: '/api/v1/session',
      access: 'public',
      body: 'none',
      operation: {
        id: 'getSession',
        tag: 'sessions',
        summary: 'The account logged in with this browser; null: none',
        description:
          'Always answers 200, also without a login, so that a page can ask whether it is logged in.',
        response: v.nullable(SessionResource),
        problems: [429, 503],
        example: { data: SESSION },
      },
      handle: call => ({ data: currentSession(ports, call) }),
    },
    ...knownRoutes({ tag: 'sessions', role: 'viewer' }, known),
  ]
}

function closeRoute({ writer, cookieTag }: SessionPorts): KnownRoute {
  return {
    method: 'delete',
    path: '/api/v1/session',
    operation: {
      id: 'closeSession',
      summary: 'Log out with this browser',
      description:
        'The cookie is invalid as soon as this call is answered. 404: the call was made with an account ' +
        'token, which has no session.',
      response: EndedSessionResource,
      problems: [404],
      example: { data: { id: SESSION.id } },
    },
    handle: async call => {
      const { accountId, session } = call.principal
      const userId = call.by
      if (session === undefined)
        throw notFound('session; to revoke an account token, use POST /api/v1/auth/logout')
      const data = await writer.ask('session.end', { accountId, userId, id: session.id }, userId)
      const at = { tag: cookieTag, isSecure: call.isSecure() }
      return { data, headers: { 'Set-Cookie': sessionCookie('', at) } }
    },
  }
}

function openRoute(ports: SessionPorts): Route {
  return {
    method: 'post',
    path: '/api/v1/session',
    access: 'public',
    body: 'json',
    credential: 'body',
    operation: {
      id: 'openSession',
      tag: 'sessions',
      summary: 'Log in with a browser',
      description:
        'Sets a cookie and returns the second secret of the session, `half`. Every call of the page must ' +
        'send both: the browser sends the cookie, the page sends `half` in the header X-Roost-Console. A ' +
        'call with only one of them gets 401. A session ends after 30 days without use and after 90 days ' +
        'at most. It has its own limit of 600 calls a minute. Refusals are those of /auth/login.',
      request: LoginRequest,
      response: OpenedSessionResource,
      problems: [400, 401, 413, 415, 429, 503],
      example: {
        request: { email: 'owner@example.com', password: 'correct horse battery' },
        data: { ...SESSION, half: 'HALF_EXAMPLE' },
      },
    },
    handle: async call => {
      const attempt = readBody(LoginRequest, call.json)
      const login = await ports.signIn({ ...attempt, address: call.client().bucketKey })
      return openSession(ports, call, login)
    },
  }
}

function listRoutes({ writer, reader }: SessionPorts): KnownRoute[] {
  return [
    {
      method: 'get',
      path: '/api/v1/sessions',
      operation: {
        id: 'listSessions',
        summary: 'List where you are logged in, the last used first',
        description: '`current` marks the session that makes this call.',
        response: v.array(ListedSessionResource),
        example: {
          data: [
            {
              id: SESSION.id,
              createdAt: TIME,
              lastUsedAt: TIME,
              address: '192.168.1.20',
              browser: 'Firefox on Linux',
              current: true,
            },
          ],
        },
      },
      handle: ({ by, principal }) => ({
        data: reader.sessionsOf(by).map(session => describeSession(session, principal)),
      }),
    },
    {
      method: 'delete',
      path: '/api/v1/sessions/{id}',
      operation: {
        id: 'endSession',
        summary: 'Log out another browser',
        description: 'Logs that browser out at once. 404: your login has no such session.',
        parameters: {
          id: { description: 'Id of the session, from the list of sessions.', example: SESSION.id },
        },
        response: EndedSessionResource,
        example: { data: { id: SESSION.id } },
      },
      handle: async ({ by: userId, principal: { accountId }, parameters }) => ({
        data: await writer.ask('session.end', { accountId, userId, id: parameters[0] ?? '' }, userId),
      }),
    },
  ]
}

function changeRoute(ports: SessionPorts): KnownRoute {
  return {
    method: 'patch',
    path: '/api/v1/account',
    operation: {
      id: 'updateAccount',
      tag: 'account',
      summary: 'Change e-mail address or password',
      description:
        'Both are those of the login that calls. Fields that are left out stay unchanged. A new password ' +
        'ends every account token and every other session of this login. 400 names `currentPassword` when ' +
        'it is wrong. 409: another login has this e-mail address.',
      request: ChangeAccountRequest,
      response: AccountResource,
      problems: [409],
      example: {
        request: { email: 'owner@example.com', currentPassword: 'correct horse battery' },
        data: {
          accountId: 'acc_01KG9TMX5C8N1V7K3E6P2D0YSA',
          email: 'owner@example.com',
          plan: 'pro',
          createdAt: TIME,
        },
      },
    },
    handle: call => changeAccount(ports, call),
  }
}

async function changeAccount({ writer, reader, signIn, hashPassword }: SessionPorts, call: AuthorizedCall) {
  const { principal } = call
  const validation = new Validation()
  const parsed = validation.parse(ChangeAccountRequest, call.json)
  const { email, password, currentPassword } = validation.complete(parsed)
  if (email === undefined && password === undefined)
    throw invalid([{ path: '', message: 'give a new email, a new password, or both' }])
  const account = reader.accountOf(call.by)
  if (account === undefined) throw notFound('account')
  const address = call.client().bucketKey
  const login = await signIn({ email: account.email, password: currentPassword, address }).catch(error => {
    // Not 401, because the caller itself is logged in.
    if (!(error instanceof Problem) || error.code !== 'UNAUTHORIZED') throw error
    throw invalid([{ path: 'currentPassword', message: 'is not the password of this account' }])
  })
  const data = await writer.ask(
    'account.change',
    {
      userId: login.userId,
      tokenVersion: login.tokenVersion,
      sessionId: principal.session?.id ?? null,
      email: email ?? null,
      passwordHash: password === undefined ? null : await hashPassword(password),
    },
    call.by,
  )
  return { data }
}

function currentSession(ports: SessionPorts, call: Call): SessionResource | null {
  const headers = { cookie: call.header('cookie'), [HALF_HEADER]: call.header(HALF_HEADER) }
  const principal = bySession(headers, ports)
  const account = principal?.user === undefined ? undefined : ports.reader.accountOf(principal.user.id)
  if (principal?.session === undefined || account === undefined) return null
  const { id, expiresAt } = principal.session
  return { id, account, expiresAt: instant(expiresAt) }
}

function describeSession(
  session: Session,
  principal: Principal,
): v.InferOutput<typeof ListedSessionResource> {
  const { id, createdAt, usedAt, address, browser } = session
  return {
    id,
    createdAt: instant(createdAt),
    lastUsedAt: instant(usedAt),
    address,
    browser,
    current: id === principal.session?.id,
  }
}
