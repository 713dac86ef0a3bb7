import * as v from 'valibot'
import { Problem } from '#domain/problem.ts'
import { AUTHORITY_PAGE_HEADERS, authorityPage } from '#transport/http/authority-page.ts'
import type { Call, Route } from '#transport/http/route.ts'

/** The certificate of the owner's authority, without its key. */
export interface Authority {
  readonly name: string
  readonly der: Uint8Array
  readonly pem: string
  /** SHA-256 of `der`, as pairs of hexadecimal digits with colons. */
  readonly fingerprint: string
}

export interface AuthorityPorts {
  /** Null: no authority was made. */
  readonly readAuthority: () => Authority | null | Promise<Authority | null>
}

/**
 * Routes with the certificate that a device must install to trust the gateway's HTTPS. They also work over
 * plain HTTP, because a device that does not trust the certificate yet cannot use HTTPS.
 */
export function authorityRoutes({ readAuthority }: AuthorityPorts): Route[] {
  const read = async ({ count }: Call): Promise<Authority> => {
    count(null)
    const authority = await readAuthority()
    if (authority !== null) return authority
    throw new Problem(
      'NOT_FOUND',
      'this gateway has no certificate authority: make one with roost certificate create',
    )
  }
  const shared = { method: 'get', access: 'public', body: 'none' } as const
  const described = { tag: 'gateway', response: v.string(), problems: [404, 429] } as const
  return [
    {
      ...shared,
      path: '/ca',
      operation: {
        ...described,
        id: 'getAuthorityPage',
        summary: 'A page that explains how to trust the HTTPS of this gateway',
        description:
          'Shows the fingerprint of the authority and how to install it on each system. Also served over ' +
          'plain HTTP, because a device trusts the HTTPS of the gateway only after the installation.',
        bare: 'text/html',
        example: { data: '<!doctype html>\n<html lang="en">…</html>\n' },
      },
      handle: async (call: Call) => {
        const raw = authorityPage(await read(call))
        return { raw, contentType: 'text/html; charset=utf-8', headers: AUTHORITY_PAGE_HEADERS }
      },
    },
    {
      ...shared,
      path: '/ca.crt',
      operation: {
        ...described,
        id: 'getAuthority',
        summary: 'The certificate of the authority in DER, for phones',
        description:
          'The certificate in the form (DER) that Android and iOS install. The private key is not included.',
        bare: 'application/x-x509-ca-cert',
        example: { data: 'the bytes of the certificate' },
      },
      handle: async (call: Call) => ({
        raw: (await read(call)).der,
        contentType: 'application/x-x509-ca-cert',
      }),
    },
    {
      ...shared,
      path: '/ca.pem',
      operation: {
        ...described,
        id: 'getAuthorityPem',
        summary: 'The certificate of the authority in PEM',
        description: 'The same certificate as PEM, for curl, Node.js (NODE_EXTRA_CA_CERTS) and Debian.',
        bare: 'application/x-pem-file',
        example: { data: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n' },
      },
      handle: async (call: Call) => ({ raw: (await read(call)).pem, contentType: 'application/x-pem-file' }),
    },
  ]
}
