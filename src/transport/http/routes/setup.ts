import { SetupRequest } from '#contracts/account.ts'
import { SETUP_FAILURES_PER_MINUTE } from '#contracts/bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import type { CredentialReader } from '#domain/account/credential-reader.ts'
import { limitReached, notFound } from '#domain/problem.ts'
import { hashOf } from '#transport/http/authenticate.ts'
import { Validation } from '#transport/http/body.ts'
import type { FailureCounter } from '#transport/http/failure-counter.ts'
import { openSession } from '#transport/http/open-session.ts'
import type { Answer, Call, Route } from '#transport/http/route.ts'

export interface SetupPorts {
  readonly writer: Writer
  readonly reader: Pick<CredentialReader, 'isSetupToken' | 'findLogin'>
  readonly hashPassword: (password: string) => Promise<string>
  /** Part of the name of the session cookie (`cookieTagOf`). */
  readonly cookieTag: string
  /** Wrong tokens by address, shared by all listeners. */
  readonly failures: FailureCounter
  readonly wallMs: () => number
}

/**
 * The routes of the setup link, which the gateway prints. The owner opens it once, to set an e-mail address
 * and a password.
 */
export function setupRoutes(ports: SetupPorts): Route[] {
  return [
    {
      method: 'get',
      path: '/setup',
      access: 'public',
      body: 'none',
      // Redirects to the form in the console. The part after `#` does not appear in the logs of proxies.
      handle: ({ rawQuery }) => {
        const token = new URLSearchParams(rawQuery).get('token') ?? ''
        const Location = token === '' ? './' : `./#/setup/${encodeURIComponent(token)}`
        const headers = { Location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
        return { raw: '', contentType: 'text/plain', status: 302, headers }
      },
    },
    {
      method: 'post',
      path: '/setup',
      // API clients look for this route beside those of the sessions.
      aliases: ['/api/v1/setup'],
      access: 'public',
      body: 'json',
      credential: 'body',
      handle: call => complete(ports, call),
    },
  ]
}

/** Sets up the owner's account. Checks the token first, because hashing the password takes long. */
async function complete(ports: SetupPorts, call: Call): Promise<Answer> {
  const validation = new Validation()
  const { token, email, password } = validation.complete(validation.parse(SetupRequest, call.json))
  checkToken(ports, token, call.client().bucketKey)
  const passwordHash = await ports.hashPassword(password)
  const account = await ports.writer.ask('setup.complete', { token, email, passwordHash })
  // Log the owner in at once, without asking for the new password again.
  const login = ports.reader.findLogin(account.email)
  if (login === undefined) return { data: account }
  const { data, headers } = await openSession(ports, call, login)
  return { data: { ...account, half: data.half, expiresAt: data.expiresAt }, headers }
}

/** @throws Problem NOT_FOUND for a wrong token; RATE_LIMIT_EXCEEDED after too many wrong ones */
function checkToken({ reader, failures, wallMs }: SetupPorts, token: string, address: string): void {
  const waitMs = failures.waitMs(address)
  if (waitMs > 0)
    throw limitReached('too many wrong setup links from this address', {
      limit: SETUP_FAILURES_PER_MINUTE,
      resetAtMs: wallMs() + waitMs,
      retryAfterMs: waitMs,
    })
  if (reader.isSetupToken(hashOf(token), wallMs())) return
  failures.add(address)
  throw notFound('setup link')
}
