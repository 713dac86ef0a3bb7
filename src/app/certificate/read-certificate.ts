import { X509Certificate } from 'node:crypto'

/** The fields of a certificate that Roost checks or shows. */
export interface CertificateFields {
  /** Host names and addresses, in the order of the certificate. */
  readonly names: readonly string[]
  /** Milliseconds since 1970, like `notAfter`. */
  readonly notBefore: number
  readonly notAfter: number
  /** SHA-256 of the DER form, as 32 pairs of hexadecimal digits with colons. */
  readonly fingerprint: string
  readonly issuer: string
}

/**
 * Reads the first certificate of a PEM text.
 *
 * @throws Error if the text contains no certificate
 */
export function readCertificate(pem: string | Uint8Array): CertificateFields {
  const { subjectAltName = '', validFrom, validTo, fingerprint256, issuer } = new X509Certificate(pem)
  const names = subjectAltName.split(', ').flatMap(part => /^(?:DNS|IP Address):(.+)$/.exec(part)?.[1] ?? [])
  return {
    names,
    notBefore: Date.parse(validFrom),
    notAfter: Date.parse(validTo),
    fingerprint: fingerprint256,
    issuer,
  }
}
