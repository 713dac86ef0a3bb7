/**
 * Makes the owner's certificate authority and issues certificates. Import this file only when a certificate
 * is made: its library takes longer to load than the rest of a command.
 *
 * @see RFC 5280, sections 4.1 and 4.2
 */
import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type JsonGeneralName,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { parseAddress } from '#domain/network/address.ts'
import { DAY_MS } from '#domain/time.ts'

/** An authority is installed by hand on every phone and computer, so it must last long. */
const AUTHORITY_DAYS = 3650
/** Apple and others refuse certificates that are valid for longer than 397 days. */
export const CERTIFICATE_DAYS = 365
/** Validity begins this long ago, for clocks that are slow. */
const CERTIFICATE_BACKDATED_MS = 60 * 60_000

/** Every browser and phone supports this algorithm. */
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

export interface CertificateOrder {
  /** The authority's certificate and key (PEM), as `makeAuthority` returns them. */
  readonly authority: string
  /** Host names and IP addresses; the first is also the common name. */
  readonly names: readonly string[]
  readonly nowMs: number
}

/** Makes an authority with this name. Returns its certificate and its private key as PEM. */
export async function makeAuthority(name: string, nowMs: number): Promise<string> {
  const keys = await makeKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: [{ CN: [name] }],
    ...validity(nowMs, AUTHORITY_DAYS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      // A path length of 0: the authority may not create further authorities.
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return pemOf(certificate, keys.privateKey)
}

/** Issues a server certificate for these names. Returns it and its private key as PEM. */
export async function issueCertificate({ authority, names, nowMs }: CertificateOrder): Promise<string> {
  const issuer = new X509Certificate(blockOf(authority, 'CERTIFICATE'))
  const keys = await makeKeys()
  const { notBefore, notAfter } = validity(nowMs, CERTIFICATE_DAYS)
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: [{ CN: [names[0] ?? 'roost'] }],
    issuer: issuer.subject,
    notBefore,
    notAfter: new Date(Math.min(notAfter.getTime(), issuer.notAfter.getTime())),
    publicKey: keys.publicKey,
    signingKey: await signingKeyOf(authority),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names.map(generalName)),
      await AuthorityKeyIdentifierExtension.create(issuer),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return pemOf(certificate, keys.privateKey)
}

function makeKeys() {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
}

function signingKeyOf(authority: string) {
  const der = PemConverter.decodeFirst(blockOf(authority, 'PRIVATE KEY'))
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign'])
}

/** A random positive number of 16 bytes, hexadecimal. RFC 5280 allows at most 20 bytes (section 4.1.2.2). */
function serialNumber(): string {
  const bytes = randomBytes(16)
  // The highest bit is 0, so that the number is positive. The next bit is 1, so that it has no leading zeros.
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f)
  return bytes.toString('hex')
}

function validity(nowMs: number, days: number) {
  const notBefore = new Date(nowMs - CERTIFICATE_BACKDATED_MS)
  return { notBefore, notAfter: new Date(notBefore.getTime() + days * DAY_MS) }
}

function generalName(name: string): JsonGeneralName {
  return { type: parseAddress(name) === null ? 'dns' : 'ip', value: name }
}

async function pemOf(certificate: X509Certificate, key: webcrypto.CryptoKey): Promise<string> {
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', key)
  return `${certificate.toString('pem')}\n${PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`
}

function blockOf(pem: string, label: string): string {
  const found = new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----`).exec(pem)
  if (found === null)
    throw new Error(`the file of the certificate authority has no ${label} block: restore it from a backup`)
  return found[0]
}
