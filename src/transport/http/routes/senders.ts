import { Problem } from '#domain/problem.ts'
import type { Route } from '#transport/http/route.ts'
import { SENDER_FILES } from '#transport/http/sender-files.ts'

/** Placeholder for the last part of the address if it was not given. */
const NO_TOKEN = 'TOKEN'

/**
 * Files for systems that want one to post alerts. `?token=` is the last part of a webhook's address, which
 * the gateway itself does not know; it is only written into the file.
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
            `there is no such file: ask for ${Object.keys(SENDER_FILES).join(', ')}`,
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
