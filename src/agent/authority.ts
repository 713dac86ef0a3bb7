/**
 * The certificate authority of a gateway, known by its fingerprint: pinned when the device pairs, and from
 * then on the only one that it trusts.
 */
import { X509Certificate } from 'node:crypto'
import { AgentError } from '#agent/agent-error.ts'
import { askGateway } from '#agent/ask-gateway.ts'

/** 64 lower-case hexadecimal digits of a SHA-256, however it was written; null: it is none. */
export function readFingerprint(text: string): string | null {
  const digits = text.replace(/[\s:]/g, '').toLowerCase()
  return /^[0-9a-f]{64}$/.test(digits) ? digits : null
}

/** The fingerprint of a certificate, PEM, as `readFingerprint` gives it. */
export function fingerprintOf(pem: string): string {
  return new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase()
}

/**
 * The certificate of the gateway's authority, PEM. It is fetched from a server that is not known yet, so all
 * that counts is its fingerprint.
 *
 * @throws AgentError when it cannot be had, or is another one
 */
export async function fetchAuthority(
  { server, fingerprint }: { readonly server: string; readonly fingerprint: string },
  signal: AbortSignal,
): Promise<string> {
  const url = `${server.replace(/\/+$/, '')}/ca.pem`
  const { httpStatus, body } = await askGateway({ url, isUnchecked: true }, signal)
  const certificate = httpStatus === 200 ? certificateIn(body) : null
  if (certificate === null)
    throw new AgentError(
      `The gateway hands out no authority at ${url} (HTTP ${httpStatus}): leave out --authority if its ` +
        'certificate is from elsewhere, else make one with: roost certificate create.',
    )
  // Alone, whatever else the answer holds: only this one was compared.
  const pem = certificate.toString()
  if (fingerprintOf(pem) === fingerprint) return pem
  throw new AgentError(
    `The authority at ${url} is not the one of --authority, but ${certificate.fingerprint256}: ` +
      'compare both with `roost certificate show` on the gateway; if that says the second, use it, else ' +
      'something between this device and the gateway answers in its place.',
  )
}

function certificateIn(text: string): X509Certificate | null {
  try {
    return new X509Certificate(text)
  } catch {
    return null
  }
}
