import { SetupRequest } from '#contracts/account.ts'
import type { Writer } from '#contracts/commands.ts'
import type { CredentialReader } from '#domain/account/credential-store.ts'
import { admitLink, type LinkPorts } from '#transport/http/admit-link.ts'
import { hashOf } from '#transport/http/authenticate.ts'
import { readBody } from '#transport/http/body.ts'
import { openSession } from '#transport/http/open-session.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import type { Answer, Call, Route } from '#transport/http/route.ts'

export interface SetupPorts extends LinkPorts {
  readonly writer: Writer
  readonly reader: Pick<CredentialReader, 'isSetupToken' | 'findLogin'>
  readonly hashPassword: (password: string) => Promise<string>
  /** Part of the name of the session cookie (`cookieTagOf`). */
  readonly cookieTag: string
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
        const token = readQuery(rawQuery).get('token') ?? ''
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
  const { token, email, password } = readBody(SetupRequest, call.json)
  const known = () => ports.reader.isSetupToken(hashOf(token), ports.wallMs())
  admitLink(ports, call, { what: 'setup link', known })
  const passwordHash = await ports.hashPassword(password)
  const account = await ports.writer.ask('setup.complete', { token, email, passwordHash })
  // Log the owner in at once, without asking for the new password again.
  const login = ports.reader.findLogin(account.email)
  if (login === undefined) return { data: account }
  const { data, headers } = await openSession(ports, call, login)
  return { data: { ...account, half: data.half, expiresAt: data.expiresAt }, headers }
}
