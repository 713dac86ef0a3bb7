import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { readIfThere } from '#app/certificate/own-certificate.ts'
import { type CertificateFields, readCertificate } from '#app/certificate/read-certificate.ts'
import { instant } from '#domain/time.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { createSecret, replaceSecret } from '#storage/secret-file.ts'

/** Names and addresses in one certificate; each is 10 to 60 bytes of every handshake. */
export const CERTIFICATE_NAMES_MAX = 64

export interface WantedCertificate {
  /** Host names and IP addresses. Only the first `CERTIFICATE_NAMES_MAX` of them are used. */
  readonly names: readonly string[]
  readonly nowMs: number
}

/**
 * Makes a certificate for the gateway and replaces its old one. The authority stays, so phones and computers
 * that trust it also trust the new certificate. The first call makes the authority.
 *
 * @throws Error when the authority has expired or is damaged, or a file cannot be written
 */
export async function makeCertificate(
  directory: DataDirectory,
  { names, nowMs }: WantedCertificate,
): Promise<CertificateFields> {
  const { issueCertificate, makeAuthority } = await import('#app/certificate/issue-certificate.ts')
  const name = `Roost on ${hostname().split('.')[0]}`
  if (readIfThere(directory.authority) === null)
    createSecret(directory.authority, Buffer.from(await makeAuthority(name, nowMs)))
  const authority = readFileSync(directory.authority, 'latin1')
  const { notAfter } = readCertificate(authority)
  if (notAfter <= nowMs)
    throw new Error(
      `the authority in ${directory.authority} expired at ${instant(notAfter)}: remove the file, make a ` +
        'certificate again, and install the new authority on every phone and computer',
    )
  const fitting = names.slice(0, CERTIFICATE_NAMES_MAX)
  const made = await issueCertificate({ authority, names: fitting, nowMs })
  replaceSecret(directory.certificate, Buffer.from(made))
  return readCertificate(made)
}
