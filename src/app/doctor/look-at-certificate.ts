import { readFileSync } from 'node:fs'
import { isOwnCertificateServed, readIfThere } from '#app/certificate/own-certificate.ts'
import { readCertificate } from '#app/certificate/read-certificate.ts'
import type { Config } from '#contracts/config.ts'
import { messageOf } from '#domain/cause.ts'
import type { CertificateDates, CertificateFacts, Look } from '#domain/doctor/facts.ts'
import type { DataDirectory } from '#storage/data-directory.ts'

/** By the configuration with our own certificate in it where that is meant. */
export function lookAtCertificate(config: Config, directory: DataDirectory): CertificateFacts {
  const file = config.http.tls_cert_file
  if (file === '') return { served: null, authority: null }
  const isOwn = isOwnCertificateServed(config, directory)
  const authority = isOwn ? readIfThere(directory.authority) : null
  return {
    served: readDates(file),
    authority: authority === null ? null : datesOf(directory.authority, authority),
  }
}

function readDates(file: string): Look<CertificateDates> {
  try {
    return datesOf(file, readFileSync(file))
  } catch (error) {
    return { unseen: `The certificate of HTTPS cannot be read: ${messageOf(error)}` }
  }
}

function datesOf(file: string, pem: Uint8Array): CertificateDates {
  const { notBefore, notAfter } = readCertificate(pem)
  return { file, notBefore, notAfter }
}
