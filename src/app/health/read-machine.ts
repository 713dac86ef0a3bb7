import { X509Certificate } from 'node:crypto'
import { readFileSync, statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isOwnCertificateServed, readIfThere } from '#app/certificate/own-certificate.ts'
import type { Config } from '#contracts/config.ts'
import type { MachineFacts } from '#contracts/health.ts'
import { dataDirectory } from '#storage/data-directory.ts'

/** Reads the facts about certificate and disk. Null: there is no certificate, or the fact cannot be read. */
export function readMachine(config: Config): Omit<MachineFacts, 'backup' | 'cluster' | 'damage'> {
  return { certificate: readCertificateFacts(config), disk: readDiskFacts(config.data_dir) }
}

/** Reads the first certificate of the file: the server's own. The others belong to its issuers. */
export function readCertificateFacts(config: Config): MachineFacts['certificate'] {
  const file = config.http.tls_cert_file
  if (file === '') return null
  try {
    const expiresAt = Date.parse(new X509Certificate(readFileSync(file)).validTo)
    const directory = dataDirectory(config.data_dir)
    const isOwn = isOwnCertificateServed(config, directory)
    const issuer = isOwn ? readIfThere(directory.authority) : null
    const authority =
      issuer === null
        ? null
        : { file: directory.authority, expiresAt: Date.parse(new X509Certificate(issuer).validTo) }
    return { file, expiresAt, isOwn, authority }
  } catch {
    // The listener that opens the file for HTTPS reports the error.
    return null
  }
}

export function readDiskFacts(dataDir: string): MachineFacts['disk'] {
  try {
    const { bavail, bsize } = statfsSync(dataDir)
    return { path: resolve(dataDir), freeBytes: bavail * bsize }
  } catch {
    return null
  }
}
