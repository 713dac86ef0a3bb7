/**
 * The files of `secrets/` that all members share: keys, the authority, and passwords of phones. The leader
 * stores them in etcd, encrypted with the cluster's key, whenever they change. The certificate and the
 * cluster's key are not among them: the one belongs to a machine, and the other opens the rest.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { ClusterLog } from '#app/cluster/cluster-log.ts'
import { messageOf } from '#domain/cause.ts'
import { isSecretName } from '#storage/backup.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { replaceSecret } from '#storage/secret-file.ts'

const OWN_FILES = new Set(['certificate.pem', 'cluster-key'])
const ASSOCIATED = Buffer.from('roost secrets')
const Files = v.record(v.string(), v.string())
/** The file with the serial number of the list that a member wrote or took last. */
const SERIAL = 'shared-serial'

/** The shared files by name, base64. */
function readFiles({ secrets }: DataDirectory): Record<string, string> {
  const names = existsSync(secrets) ? readdirSync(secrets).sort() : []
  const shared = names.filter(name => isSecretName(name) && !OWN_FILES.has(name) && name !== SERIAL)
  return Object.fromEntries(shared.map(name => [name, readFileSync(join(secrets, name), 'base64')]))
}

/** The files as one text, to notice a change. */
export function listSharedSecrets(directory: DataDirectory): string {
  return JSON.stringify(readFiles(directory))
}

/** The serial number of the next list. Members may have clocks that differ a little. */
export function nextSerial(directory: DataDirectory, wallMs: number): number {
  return Math.max(Math.floor(wallMs), readSerial(directory) + 1)
}

/** Encrypts such a list, with its serial number. */
export function sealSecrets(clusterKey: Uint8Array, list: string, serial: number): Uint8Array {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', clusterKey, nonce)
  cipher.setAAD(ASSOCIATED)
  const text = JSON.stringify({
    ...JSON.parse(list),
    [SERIAL]: Buffer.from(String(serial)).toString('base64'),
  })
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

/**
 * Makes the shared files those of the list.
 *
 * @throws Error when it was made with another key, or is older than the one that this member has
 */
export function adoptSecrets(directory: DataDirectory, clusterKey: Uint8Array, sealed: Uint8Array): void {
  const end = sealed.length - 16
  const decipher = createDecipheriv('aes-256-gcm', clusterKey, sealed.subarray(0, 12))
  decipher.setAAD(ASSOCIATED)
  decipher.setAuthTag(sealed.subarray(end))
  const list = Buffer.concat([decipher.update(sealed.subarray(12, end)), decipher.final()]).toString()
  const { [SERIAL]: written = '', ...wanted } = v.parse(Files, JSON.parse(list))
  const serial = Number(Buffer.from(written, 'base64'))
  if (serial < readSerial(directory)) throw new Error('older than those of this member')
  const present = readFiles(directory)
  for (const [name, contents] of Object.entries(wanted)) {
    if (!isSecretName(name) || OWN_FILES.has(name) || present[name] === contents) continue
    replaceSecret(join(directory.secrets, name), Buffer.from(contents, 'base64'))
  }
  for (const name of Object.keys(present)) if (!(name in wanted)) rmSync(join(directory.secrets, name))
  noteSerial(directory, serial)
}

/** 0: this member has none yet. */
function readSerial({ secrets }: DataDirectory): number {
  const path = join(secrets, SERIAL)
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) || 0 : 0
}

export function noteSerial(directory: DataDirectory, serial: number): void {
  if (serial > readSerial(directory))
    replaceSecret(join(directory.secrets, SERIAL), Buffer.from(String(serial)))
}

/** Takes the shared secrets when they have changed. Those that it cannot read are passed over, and named. */
export function secretsReader(
  directory: DataDirectory,
  log: ClusterLog,
  say: (event: string, cause: string) => void,
): (revision: string | null) => Promise<void> {
  let known: string | null = null
  return async revision => {
    if (revision === null || revision === known) return
    const sealed = await log.readSecrets()
    try {
      if (sealed !== null) adoptSecrets(directory, readFileSync(directory.clusterKey), sealed)
    } catch (error) {
      // The disk failed, not the value.
      if (error instanceof Error && 'syscall' in error) throw error
      say('cluster.unread', `roost/secrets: ${messageOf(error)}`)
    }
    known = revision
  }
}
