/**
 * The certificate authority of a gateway, identified by its fingerprint. A device that is started with the
 * fingerprint pins the authority, and from then on trusts no other.
 */
import { X509Certificate } from 'node:crypto'
import { AgentError } from '#agent/agent-error.ts'
import { askGateway } from '#agent/ask-gateway.ts'

/**
 * Reads a SHA-256 fingerprint, with or without colons and spaces. Returns 64 lower-case hexadecimal digits,
 * or null if the text is not a fingerprint.
 */
export function readFingerprint(text: string): string | null {
  const digits = text.replace(/[\s:]/g, '').toLowerCase()
  return /^[0-9a-f]{64}$/.test(digits) ? digits : null
}

/** The fingerprint of a PEM certificate, in the form that `readFingerprint` returns. */
export function fingerprintOf(pem: string): string {
  return new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase()
}

/**
 * Fetches the certificate of the gateway's authority (PEM). The server is not trusted yet, so only the
 * fingerprint proves that the certificate is the right one.
 *
 * @throws AgentError if the gateway does not return a certificate, or one with another fingerprint
 */
export async function fetchAuthority(
  { server, fingerprint }: { readonly server: string; readonly fingerprint: string },
  signal: AbortSignal,
): Promise<string> {
  const url = `${server.replace(/\/+$/, '')}/ca.pem`
  const { httpStatus, body } = await askGateway({ url, acceptsAnyCertificate: true }, signal)
  const certificate = httpStatus === 200 ? certificateIn(body) : null
  if (certificate === null)
    throw new AgentError(
      `The gateway has no authority at ${url} (HTTP ${httpStatus}): leave out --authority if its ` +
        'certificate is from elsewhere, else make one with: roost certificate create.',
    )
  // The answer may contain more certificates. Return only the one whose fingerprint is compared.
  const pem = certificate.toString()
  if (fingerprintOf(pem) === fingerprint) return pem
  throw new AgentError(
    `The authority at ${url} is not the one of --authority, but ${certificate.fingerprint256}: ` +
      'run `roost certificate show` on the gateway. If it shows the second fingerprint, use that one. ' +
      'Otherwise another server answers at the address of the gateway.',
  )
}

function certificateIn(text: string): X509Certificate | null {
  try {
    return new X509Certificate(text)
  } catch {
    return null
  }
}
