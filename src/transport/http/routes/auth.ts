import { LoginRequest, LoginResource, LogoutResource } from '#contracts/account.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Login } from '#domain/account/credential-store.ts'
import { Problem } from '#domain/problem.ts'
import { readBody } from '#transport/http/body.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import type { Route } from '#transport/http/route.ts'

export interface AuthPorts {
  readonly writer: Writer
  /** @throws Problem UNAUTHORIZED, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE */
  readonly signIn: (
    attempt: LoginRequest & {
      /** The key of the caller's address bucket. */
      readonly address: string
    },
  ) => Promise<Login>
  readonly issue: (login: Login) => Promise<LoginResource>
}

/** Routes for account tokens: a login makes one, and a logout revokes it before it expires. */
export function authRoutes({ writer, signIn, issue }: AuthPorts): Route[] {
  return [
    {
      method: 'post',
      path: '/api/v1/auth/login',
      access: 'public',
      body: 'json',
      credential: 'body',
      operation: {
        id: 'logIn',
        tag: 'sessions',
        summary: 'Get an account token with e-mail and password',
        description:
          'The token is valid for 12 hours. A wrong e-mail address and a wrong password get the same 401. ' +
          '429: too many failed attempts; try again later.',
        request: LoginRequest,
        response: LoginResource,
        problems: [400, 401, 413, 415, 429, 503],
        example: {
          request: { email: 'owner@example.com', password: 'correct horse battery' },
          data: { token: 'eyEXAMPLE', tokenType: 'Bearer', expiresAt: '2026-02-01T00:00:00.000Z' },
        },
      },
      handle: async ({ json, client }) => {
        const { email, password } = readBody(LoginRequest, json)
        const login = await signIn({ email, password, address: client().bucketKey })
        const { accountId, userId } = login
        // A full disk must not keep the owner out.
        await writer.ask('audit.note', { accountId, what: 'auth.login' }, userId).catch(() => null)
        return { data: await issue(login) }
      },
    },
    ...knownRoutes({ tag: 'sessions', role: 'viewer' }, [
      {
        method: 'post',
        path: '/api/v1/auth/logout',
        operation: {
          id: 'logOut',
          summary: 'Revoke the account token of this request',
          description: 'The token in the header is invalid as soon as this call is answered.',
          response: LogoutResource,
          problems: [409],
          example: { data: { revoked: true } },
        },
        handle: async ({ by, principal: { token } }) => {
          if (token === undefined)
            throw new Problem(
              'CONFLICT',
              'the request has no account token; to end a session, use DELETE /api/v1/session',
            )
          await writer.ask('account.revoke-token', { jti: token.jti, expiresAt: token.expiresAt }, by)
          return { data: { revoked: true } }
        },
      },
    ]),
  ]
}
