import { type AccountResource, SetupRequest } from '#contracts/account.ts'
import { SETUP_FAILURES_PER_MINUTE } from '#contracts/bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import type { CredentialReader } from '#domain/account/credential-reader.ts'
import { limitReached, notFound, Problem } from '#domain/problem.ts'
import { hashOf } from '#transport/http/authenticate.ts'
import { checkJsonType, parseJson, Validation } from '#transport/http/body.ts'
import type { FailureCounter } from '#transport/http/failure-counter.ts'
import { openSession } from '#transport/http/open-session.ts'
import { problemAnswer } from '#transport/http/problem-response.ts'
import type { Answer, Call, Route } from '#transport/http/route.ts'
import { SETUP_PAGE_HEADERS, setupDone, setupForm, setupNotice } from '#transport/http/setup-page.ts'

export interface SetupPorts {
  readonly writer: Writer
  readonly reader: Pick<CredentialReader, 'isSetupToken' | 'findLogin'>
  readonly hashPassword: (password: string) => Promise<string>
  /** In the name of the cookie of a session. */
  readonly cookieTag: string
  /** Wrong tokens by address, shared by all listeners. */
  readonly failures: FailureCounter
  readonly wallMs: () => number
}

/** How the owner gets an e-mail and a password: by the link that the gateway prints, once. */
export function setupRoutes(ports: SetupPorts): Route[] {
  return [
    {
      method: 'get',
      path: '/setup',
      access: 'public',
      body: 'none',
      handle: ({ rawQuery, client }) => {
        const token = new URLSearchParams(rawQuery).get('token') ?? ''
        try {
          checkToken(ports, token, client().bucketKey)
        } catch (error) {
          return refusalPage(error, { token: '', email: '' })
        }
        return html(setupForm({ token, email: '', faults: [] }))
      },
    },
    {
      method: 'post',
      path: '/setup',
      access: 'public',
      body: 'bytes',
      handle: call => {
        const isForm = /^\s*application\/x-www-form-urlencoded\b/i.test(call.header('content-type') ?? '')
        return isForm ? completeByForm(ports, call) : completeByJson(ports, call)
      },
    },
  ]
}

async function completeByJson(ports: SetupPorts, call: Call): Promise<Answer> {
  checkJsonType(call.header('content-type'))
  const account = await complete(ports, parseJson(call.bytes), call)
  // Whoever chose the password just now need not type it again.
  const login = ports.reader.findLogin(account.email)
  if (login === undefined) return { data: account }
  const { data, headers } = await openSession(ports, call, login)
  return { data: { ...account, half: data.half, expiresAt: data.expiresAt }, headers }
}

async function completeByForm(ports: SetupPorts, call: Call): Promise<Answer> {
  const fields = Object.fromEntries(new URLSearchParams(call.bytes.toString()))
  try {
    const { email } = await complete(ports, fields, call)
    return html(setupDone(email))
  } catch (error) {
    return refusalPage(error, { token: fields['token'] ?? '', email: fields['email'] ?? '' })
  }
}

/** The token is looked at before the password is hashed: only who holds the link makes us work. */
async function complete(ports: SetupPorts, body: unknown, call: Call): Promise<AccountResource> {
  const validation = new Validation()
  const { token, email, password } = validation.complete(validation.parse(SetupRequest, body))
  checkToken(ports, token, call.client().bucketKey)
  const passwordHash = await ports.hashPassword(password)
  return ports.writer.ask('setup.complete', { token, email, passwordHash })
}

/** @throws Problem NOT_FOUND; RATE_LIMIT_EXCEEDED after too many wrong ones */
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

function html(raw: string): Answer {
  return { raw, contentType: 'text/html; charset=utf-8', headers: SETUP_PAGE_HEADERS }
}

/** A refusal for people: the form again where another try makes sense. Faults of ours go on to the caller. */
function refusalPage(error: unknown, sent: { readonly token: string; readonly email: string }): Answer {
  if (!(error instanceof Problem)) throw error
  const { status, headers } = problemAnswer(error)
  const issues = error.details?.issues?.map(({ path, message }) => `${path} ${message}`)
  const raw =
    error.code === 'NOT_FOUND'
      ? setupNotice(
          'This link does not work',
          'It was used, is too old, or a newer one was printed. For a new one: roost setup-link',
        )
      : sent.token === ''
        ? setupNotice('Not now', error.message)
        : setupForm({ ...sent, faults: issues ?? [error.message] })
  return {
    raw,
    contentType: 'text/html; charset=utf-8',
    status,
    headers: { ...headers, ...SETUP_PAGE_HEADERS },
  }
}
