import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isOwnCertificateServed, readIfThere } from '#app/certificate/own-certificate.ts'
import { readCertificate } from '#app/certificate/read-certificate.ts'
import { publicUrlOf } from '#app/config/public-url.ts'
import type { Config } from '#contracts/config.ts'
import { messageOf } from '#domain/cause.ts'
import type { CertificateDates, CertificateFacts, Fact, ServedCertificate } from '#domain/doctor/facts.ts'
import { parseHostAddress } from '#domain/network/address.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'
import type { DataDirectory } from '#storage/data-directory.ts'

/** Examines the HTTPS certificate, its key and authority. `config` must come from `withOwnCertificate`. */
export function lookAtCertificate(config: Config, directory: DataDirectory): CertificateFacts {
  const file = config.http.tls_cert_file
  if (file === '') return { served: null, authority: null }
  const isOwn = isOwnCertificateServed(config, directory)
  const authority = isOwn ? readIfThere(directory.authority) : null
  const served = readServed(config)
  return {
    served,
    authority:
      authority === null
        ? null
        : {
            ...datesOf(directory.authority, authority),
            signedIt: 'unreadable' in served || isSignedBy(readFileSync(file), authority),
          },
  }
}

function readServed(config: Config): Fact<ServedCertificate> {
  const { tls_cert_file: file, tls_key_file } = config.http
  try {
    const pem = readFileSync(file)
    return {
      ...datesOf(file, pem),
      keyFault: faultOfKey(new X509Certificate(pem), tls_key_file),
      lacksName: missingName(new X509Certificate(pem), config),
    }
  } catch (error) {
    return { unreadable: `The HTTPS certificate cannot be read: ${messageOf(error)}` }
  }
}

function faultOfKey(certificate: X509Certificate, file: string): string | null {
  try {
    const matches = certificate.checkPrivateKey(createPrivateKey(readFileSync(file)))
    return matches ? null : `the key in ${file} belongs to another certificate`
  } catch (error) {
    return `the key in ${file} cannot be used: ${messageOf(error)}`
  }
}

function isSignedBy(pem: Uint8Array, authority: Uint8Array): boolean {
  const issuer = new X509Certificate(authority)
  const certificate = new X509Certificate(pem)
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

/**
 * The host of the public URL, if the certificate does not cover it. Null: the certificate covers it, or the
 * public URL has another port, which means that a proxy with its own certificate serves that URL.
 */
function missingName(certificate: X509Certificate, config: Config): string | null {
  const { protocol, hostname, port } = new URL(publicUrlOf(config))
  if (protocol !== 'https:' || Number(port || 443) !== endpointsOf(config.http).https) return null
  const host = hostname.replace(/^\[|\]$/g, '')
  const names = parseHostAddress(host) === null ? certificate.checkHost(host) : certificate.checkIP(host)
  return names === undefined ? host : null
}

function datesOf(file: string, pem: Uint8Array): CertificateDates {
  const { notBefore, notAfter } = readCertificate(pem)
  return { file, notBefore, notAfter }
}
