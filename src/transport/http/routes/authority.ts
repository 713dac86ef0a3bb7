import * as v from 'valibot'
import { Problem } from '#domain/problem.ts'
import { escapeHtml, htmlPage, pageHeaders } from '#transport/http/html-page.ts'
import type { Call, Route } from '#transport/http/route.ts'

const AUTHORITY_PAGE_HEADERS = pageHeaders()

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

/** `fingerprint`: SHA-256 of the certificate in its DER form. */
function authorityPage({
  name,
  fingerprint,
}: {
  readonly name: string
  readonly fingerprint: string
}): string {
  return htmlPage(
    'Trust this gateway',
    `<p>Devices that install this certificate trust the HTTPS of this gateway: <b>${escapeHtml(name)}</b>.</p>
<p><a href="ca.crt">ca.crt</a> for phones, Windows and macOS, <a href="ca.pem">ca.pem</a> for Linux</p>
<p>Before you trust it, compare its SHA-256 fingerprint with what <code>roost certificate show</code> says on
the gateway's own machine. An attacker on the network could have changed this page:</p>
<pre>${escapeHtml(fingerprint)}</pre>
<ul>
<li><b>Android</b>: open ca.crt, then Settings, Security and privacy, More security settings, Encryption and
credentials, Install a certificate, CA certificate, Install anyway, and choose the file. Browsers then
trust it. Other apps do so only if their developers allowed it.</li>
<li><b>iPhone, iPad</b>: open ca.crt in Safari and allow the profile. Settings, Profile Downloaded,
Install. Then Settings, General, About, Certificate Trust Settings: switch it on.</li>
<li><b>Windows</b>, as administrator:<pre>certutil -addstore -f Root ca.crt</pre></li>
<li><b>macOS</b>:<pre>sudo security add-trusted-cert -d -r trustRoot \\
  -k /Library/Keychains/System.keychain ca.crt</pre></li>
<li><b>Debian, Ubuntu, Raspberry Pi OS</b>:<pre>sudo cp ca.pem /usr/local/share/ca-certificates/roost.crt
sudo update-ca-certificates</pre></li>
<li><b>Firefox</b> has its own list: Settings, Privacy and Security, View Certificates, Authorities,
Import.</li>
<li><b>Node.js</b>: <code>NODE_EXTRA_CA_CERTS=ca.pem</code>. <b>curl</b>: <code>--cacert ca.pem</code>.</li>
</ul>
<p>Whoever has the key of this authority could pretend to be any site to these devices. The key never leaves
the gateway's machine, except in its backups.</p>`,
  )
}
