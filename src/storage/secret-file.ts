/** Secrets that lie in files beside the database: keys of account tokens, of one-time codes, of HTTPS. */
import { randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { makeDirectory, syncDirectory } from '#storage/sync-directory.ts'

const KEY_BYTES = 32

/**
 * The 32 random bytes in the file. The first call makes the file, readable by its owner only; two processes
 * that do so at the same time get the same bytes.
 *
 * @throws Error when the file has another length or cannot be read
 */
export function loadSecret(path: string): Uint8Array {
  const bytes = readSecret(path) ?? createSecret(path, randomBytes(KEY_BYTES))
  if (bytes.length !== KEY_BYTES)
    throw new Error(`${path} does not hold ${KEY_BYTES} bytes: restore it, or remove it to make a new one`)
  return bytes
}

/** Replaces a secret file atomically: after a power cut it has either the old or the new bytes. */
export function replaceSecret(path: string, bytes: Uint8Array): void {
  makeDirectory(dirname(path))
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, bytes, { mode: 0o600, flush: true })
  renameSync(draft, path)
  syncDirectory(dirname(path))
}

function readSecret(path: string): Uint8Array | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

/**
 * Makes the file, readable only by its owner, unless it exists; returns its contents. Two processes that do
 * so at the same time get the same bytes.
 */
export function createSecret(path: string, bytes: Uint8Array): Uint8Array {
  makeDirectory(dirname(path))
  const draft = `${path}.${randomUUID()}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, bytes)
    fsyncSync(file)
    // link() is atomic and fails if another process was first; a rename would replace its key.
    linkSync(draft, path)
    // Before the key is used: after a power cut it must still exist.
    syncDirectory(dirname(path))
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    closeSync(file)
    unlinkSync(draft)
  }
  return readFileSync(path)
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
