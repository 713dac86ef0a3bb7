/** The code of an invitation: where the leader is, the fingerprint of its authority, and a one-time token. */
import { Problem } from '#domain/problem.ts'

export interface Invitation {
  readonly url: string
  /** SHA-256 of the authority's certificate, 64 hexadecimal digits. */
  readonly fingerprint: string
  readonly token: string
}

export function writeInvitation({ url, fingerprint, token }: Invitation): string {
  return Buffer.from([token, fingerprint, url].join(' ')).toString('base64url')
}

/** @throws Problem INVALID_REQUEST */
export function readInvitation(code: string): Invitation {
  const [token, fingerprint, url, more] = Buffer.from(code.trim(), 'base64url').toString().split(' ')
  const isWhole = url !== undefined && more === undefined && URL.parse(url)?.protocol === 'https:'
  if (token === undefined || !isWhole || !/^[0-9a-f]{64}$/.test(fingerprint ?? ''))
    throw new Problem('INVALID_REQUEST', 'this is no code of roost cluster invite: copy all of it')
  return { url, fingerprint: fingerprint ?? '', token }
}
