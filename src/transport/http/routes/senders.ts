import { Problem } from '#domain/problem.ts'
import type { Route } from '#transport/http/route.ts'
import { SENDER_FILES } from '#transport/http/sender-files.ts'

/** Placeholder in a file if the request has no valid token. */
const NO_TOKEN = 'TOKEN'

/**
 * The route of configuration files for alert senders. `?token=` is the last part of a webhook's address. The
 * request must name it, because the gateway stores only its hash.
 */
export function senderRoutes({ publicUrl }: { readonly publicUrl: string }): Route[] {
  return [
    {
      method: 'get',
      path: '/senders/{file}',
      access: 'public',
      body: 'none',
      handle: ({ parameters, rawQuery }) => {
        const name = parameters[0] ?? ''
        const file = Object.hasOwn(SENDER_FILES, name) ? SENDER_FILES[name] : undefined
        if (file === undefined)
          throw new Problem(
            'NOT_FOUND',
            `there is no such file; the files are ${Object.keys(SENDER_FILES).join(', ')}`,
          )
        const given = new URLSearchParams(rawQuery).get('token') ?? ''
        const token = /^[0-9A-Za-z]{32,64}$/.test(given) ? given : NO_TOKEN
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
