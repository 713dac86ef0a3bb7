import * as v from 'valibot'
import { Problem } from '#domain/problem.ts'
import { mailAddressOf } from '#domain/webhook/mail-address.ts'
import { hashOf } from '#transport/http/authenticate.ts'
import { htmlPage, pageHeaders } from '#transport/http/html-page.ts'
import { mailSettings } from '#transport/http/mail-settings.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import type { Call, Route } from '#transport/http/route.ts'
import { SENDER_FILES } from '#transport/http/sender-files.ts'

/** Placeholder in a file if the request has no valid token. */
const NO_TOKEN = 'TOKEN'

interface SenderPorts {
  readonly publicUrl: string
  /** The port for mails; 0: the gateway takes none. */
  readonly mailPort: number
}

/**
 * The routes of configuration files for alert senders, and of a page that lists them. `?token=` is the last
 * part of a webhook's address. The gateway stores only the hash of this token, so it can write the whole
 * address into a file only if the request names the token.
 */
export function senderRoutes({ publicUrl, mailPort }: SenderPorts): Route[] {
  const shared = { method: 'get', access: 'public', body: 'none' } as const
  return [
    { ...shared, path: '/senders', handle: (call: Call) => listPage(call, 'senders/') },
    { ...shared, path: '/senders/', handle: (call: Call) => listPage(call, '') },
    {
      ...shared,
      path: '/senders/mail',
      operation: {
        id: 'getMailSettings',
        tag: 'webhooks',
        summary: 'What to type into a device that can only send e-mail',
        description:
          'Server, port, recipient and login for a webhook, and where the usual devices ask for them.',
        response: v.string(),
        bare: 'text/plain',
        problems: [],
        example: { data: 'Alerts by e-mail\n\n  Server (SMTP, outgoing mail)   roost.local\n' },
      },
      handle: (call: Call) => showMailSettings({ publicUrl, mailPort }, call),
    },
    {
      ...shared,
      path: '/senders/{file}',
      handle: (call: Call) => {
        const name = call.parameters[0] ?? ''
        const file = Object.hasOwn(SENDER_FILES, name) ? SENDER_FILES[name] : undefined
        if (file === undefined)
          throw new Problem(
            'NOT_FOUND',
            `there is no such file; the files are mail, ${Object.keys(SENDER_FILES).join(', ')}`,
          )
        const token = tokenOf(call) ?? NO_TOKEN
        return {
          raw: file.write(`${publicUrl}/api/v1/webhook/${token}`),
          contentType: file.contentType,
          headers: {
            'Content-Disposition': `attachment; filename="roost-${name}"`,
            'Cache-Control': 'no-store',
            'X-Content-Type-Options': 'nosniff',
          },
        }
      },
    },
  ]
}

function showMailSettings({ publicUrl, mailPort }: SenderPorts, call: Call) {
  const token = tokenOf(call)
  return {
    raw: mailSettings({
      server: new URL(publicUrl).hostname,
      port: mailPort,
      address: token === null ? `${NO_TOKEN}@roost.local` : mailAddressOf(token, hashOf),
      token: token ?? NO_TOKEN,
    }),
    contentType: 'text/plain; charset=utf-8',
    headers: pageHeaders(),
  }
}

/** The token of the query; null: it has none, or something else. */
function tokenOf({ rawQuery }: Call): string | null {
  const given = readQuery(rawQuery).get('token') ?? ''
  return /^[0-9A-Za-z]{32,64}$/.test(given) ? given : null
}

/** The page with the names of all files. Its links are relative, because a proxy may add a path. */
function listPage(call: Call, folder: string) {
  const token = tokenOf(call)
  const query = token === null ? '' : `?token=${token}`
  const links = ['mail', ...Object.keys(SENDER_FILES)].map(
    name => `<li><a href="${folder}${name}${query}">${name}</a></li>`,
  )
  const hint =
    token === null
      ? `<p>Open this page with <code>?token=</code> and the last part of the address of a webhook. Then the
files contain that address instead of ${NO_TOKEN}.</p>`
      : ''
  return {
    raw: htmlPage('Files for senders of alerts', `${hint}<ul>\n${links.join('\n')}\n</ul>`),
    contentType: 'text/html; charset=utf-8',
    headers: pageHeaders(),
  }
}
