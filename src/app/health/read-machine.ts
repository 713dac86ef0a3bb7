import { X509Certificate } from 'node:crypto'
import { readFileSync, statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isOwnCertificateServed } from '#app/certificate/own-certificate.ts'
import type { Config } from '#contracts/config.ts'
import type { MachineFacts } from '#contracts/health.ts'
import { dataDirectory } from '#storage/data-directory.ts'

/** Facts about certificate and disk; null for what cannot be read. */
export function readMachine(config: Config): Omit<MachineFacts, 'backup'> {
  return { certificate: readCertificate(config), disk: readDisk(config.data_dir) }
}

/** The first certificate of the file, which is the gateway's own. */
function readCertificate(config: Config): MachineFacts['certificate'] {
  const file = config.http.tls_cert_file
  if (file === '') return null
  try {
    const expiresAt = Date.parse(new X509Certificate(readFileSync(file)).validTo)
    return { file, expiresAt, isOwn: isOwnCertificateServed(config, dataDirectory(config.data_dir)) }
  } catch {
    // A file that cannot be read is reported where HTTPS opens it.
    return null
  }
}

function readDisk(dataDir: string): MachineFacts['disk'] {
  try {
    const { bavail, bsize } = statfsSync(dataDir)
    return { path: resolve(dataDir), freeBytes: bavail * bsize }
  } catch {
    return null
  }
}
