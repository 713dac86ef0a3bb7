/**
 * The files of `secrets/` that all members share: keys, the authority, and passwords of phones. The leader
 * stores them in etcd, encrypted with the cluster's key, whenever they change. The certificate and the
 * cluster's key are not among them: the one belongs to a machine, and the other opens the rest.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { ClusterLog } from '#app/cluster/cluster-log.ts'
import { isSecretName } from '#storage/backup.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { replaceSecret } from '#storage/secret-file.ts'

const OWN_FILES = new Set(['certificate.pem', 'cluster-key'])
const ASSOCIATED = Buffer.from('roost secrets')
const Files = v.record(v.string(), v.string())
/** Beside the files of a list: which list it is. No file has such a name. */
const SERIAL = '.serial'

/** The shared files by name, base64. */
function readFiles({ secrets }: DataDirectory): Record<string, string> {
  const names = existsSync(secrets) ? readdirSync(secrets).sort() : []
  const shared = names.filter(name => isSecretName(name) && !OWN_FILES.has(name))
  return Object.fromEntries(shared.map(name => [name, readFileSync(join(secrets, name), 'base64')]))
}

/** The files as one text, to notice a change. */
export function listSharedSecrets(directory: DataDirectory): string {
  return JSON.stringify(readFiles(directory))
}

/** The serial number of the first list of a leader: above all that it knows of. */
export function firstSerial(directory: DataDirectory, clusterKey: Uint8Array, wallMs: number): number {
  const serial = Math.max(wallMs, readSerial(directory, clusterKey) + 1)
  noteSerial(directory, clusterKey, serial)
  return serial
}

/** Encrypts such a list. */
export function sealSecrets(
  clusterKey: Uint8Array,
  { list, serial }: { readonly list: string; readonly serial: number },
): Uint8Array {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', clusterKey, nonce)
  cipher.setAAD(ASSOCIATED)
  const text = JSON.stringify({ ...JSON.parse(list), [SERIAL]: String(serial) })
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

/**
 * Makes the shared files those of the list.
 *
 * @throws Error when it was made with another key, or is older than one that this member had
 */
export function adoptSecrets(directory: DataDirectory, clusterKey: Uint8Array, sealed: Uint8Array): void {
  const end = sealed.length - 16
  const decipher = createDecipheriv('aes-256-gcm', clusterKey, sealed.subarray(0, 12))
  decipher.setAAD(ASSOCIATED)
  decipher.setAuthTag(sealed.subarray(end))
  const list = Buffer.concat([decipher.update(sealed.subarray(12, end)), decipher.final()]).toString()
  const { [SERIAL]: written = '0', ...wanted } = v.parse(Files, JSON.parse(list))
  const serial = Number(written)
  if (serial < readSerial(directory, clusterKey)) throw new Error('they are older than those of this member')
  const present = readFiles(directory)
  for (const [name, contents] of Object.entries(wanted)) {
    if (!isSecretName(name) || OWN_FILES.has(name) || present[name] === contents) continue
    replaceSecret(join(directory.secrets, name), Buffer.from(contents, 'base64'))
  }
  for (const name of Object.keys(present)) if (!(name in wanted)) rmSync(join(directory.secrets, name))
  noteSerial(directory, clusterKey, serial)
}

/** The newest list that this member wrote or took with this key; 0: none. */
function readSerial({ clusterSecrets }: DataDirectory, clusterKey: Uint8Array): number {
  if (!existsSync(clusterSecrets)) return 0
  const [key, serial] = readFileSync(clusterSecrets, 'utf8').split(' ')
  return key === nameOf(clusterKey) ? Number(serial) || 0 : 0
}

function noteSerial({ clusterSecrets }: DataDirectory, clusterKey: Uint8Array, serial: number): void {
  writeFileSync(clusterSecrets, `${nameOf(clusterKey)} ${serial}`, { mode: 0o600 })
}

function nameOf(clusterKey: Uint8Array): string {
  return createHash('sha256').update('roost serial').update(clusterKey).digest('hex').slice(0, 16)
}

/** Takes the shared secrets over whenever they have changed. Those that it cannot read change nothing. */
export function secretsReader(
  directory: DataDirectory,
  log: Pick<ClusterLog, 'readSecrets'>,
  say: (event: string, cause: string) => void,
): (revision: string | null) => Promise<void> {
  let known: string | null = null
  return async revision => {
    if (revision === null || revision === known) return
    const sealed = await log.readSecrets()
    try {
      if (sealed !== null) adoptSecrets(directory, readFileSync(directory.clusterKey), sealed)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw error
      say('cluster.unread', `roost/secrets: ${error instanceof Error ? error.message : error}`)
    }
    known = revision
  }
}
