/** The gateway's own certificate, and the authority that issued it. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Config } from '#contracts/config.ts'
import type { PairingAuthority } from '#contracts/device.ts'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'
import type { Authority } from '#transport/http/routes/authority.ts'

/**
 * Sets the certificate files of the configuration to the gateway's own, if HTTPS is on and none are named.
 * `data_dir` must be an absolute path.
 */
export function withOwnCertificate(config: Config): Config {
  const { tls_port, tls_cert_file } = config.http
  if (tls_port === 0 || tls_cert_file !== '') return config
  const { certificate } = dataDirectory(config.data_dir)
  return { ...config, http: { ...config.http, tls_cert_file: certificate, tls_key_file: certificate } }
}

/** Whether HTTPS is on and uses the gateway's own certificate. */
export function isOwnCertificateServed({ http }: Config, { certificate }: DataDirectory): boolean {
  return http.tls_port > 0 && http.tls_cert_file === certificate
}

/**
 * @throws Error when the configuration needs the gateway's own certificate and none was made
 */
export function expectCertificate(config: Config, directory: DataDirectory): void {
  if (!isOwnCertificateServed(config, directory) || readIfThere(directory.certificate) !== null) return
  throw new Error(
    'HTTPS (http.tls_port) needs a certificate: make one with `roost certificate create`, or name one in ' +
      'http.tls_cert_file and http.tls_key_file',
  )
}

/** The authority's certificate, without its key. Null: no authority was made. */
export function readAuthority({ authority }: DataDirectory): Authority | null {
  const contents = readIfThere(authority)
  if (contents === null) return null
  const certificate = new X509Certificate(contents)
  const name = certificate.subject.replace(/^CN=/, '')
  return { name, der: certificate.raw, pem: certificate.toString(), fingerprint: certificate.fingerprint256 }
}

/**
 * The authority that a device must pin when it pairs over HTTPS. Null: the gateway does not use a certificate
 * of its own authority.
 */
export function pairingAuthority(config: Config): PairingAuthority | null {
  const directory = dataDirectory(config.data_dir)
  if (!isOwnCertificateServed(withOwnCertificate(config), directory)) return null
  const authority = readAuthority(directory)
  if (authority === null) return null
  const fingerprint = authority.fingerprint.replaceAll(':', '').toLowerCase()
  return { fingerprint, port: config.http.tls_port }
}

/** The contents of a file. Null: it does not exist. */
export function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
