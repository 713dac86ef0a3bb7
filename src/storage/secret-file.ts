/** Secrets in files outside the database, such as keys for account tokens, one-time codes and HTTPS. */
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
 * Reads the 32 random bytes of a key file. The first call makes the file, readable only by its owner. Two
 * processes that make it at the same time get the same bytes.
 *
 * @throws Error when the file does not have 32 bytes or cannot be read
 */
export function loadSecret(path: string): Uint8Array {
  const bytes = readSecret(path) ?? createSecret(path, randomBytes(KEY_BYTES))
  if (bytes.length !== KEY_BYTES)
    throw new Error(
      `${path} must have ${KEY_BYTES} bytes: restore the file, or remove it so that a new key is made`,
    )
  return bytes
}

/** Replaces a secret file atomically: after a power cut, the file has either the old or the new bytes. */
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
 * Makes a secret file, readable only by its owner, unless it exists. Returns its contents. Two processes that
 * do so at the same time get the same bytes.
 */
export function createSecret(path: string, bytes: Uint8Array): Uint8Array {
  makeDirectory(dirname(path))
  const draft = `${path}.${randomUUID()}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, bytes)
    fsyncSync(file)
    // link() fails if another process was faster. A rename would replace the key of that process.
    linkSync(draft, path)
    // Sync before the key is used, so that it still exists after a power cut.
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
