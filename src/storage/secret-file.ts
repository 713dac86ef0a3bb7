/** Keys that lie in files beside the database: for account tokens, and for one-time codes. */
import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
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
  const bytes = readSecret(path) ?? createSecret(path)
  if (bytes.length !== KEY_BYTES)
    throw new Error(`${path} does not hold ${KEY_BYTES} bytes: restore it, or remove it to make a new one`)
  return bytes
}

function readSecret(path: string): Uint8Array | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function createSecret(path: string): Uint8Array {
  makeDirectory(dirname(path))
  const draft = `${path}.${randomUUID()}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, randomBytes(KEY_BYTES))
    fsyncSync(file)
    // A link appears whole and fails when another process was first; a rename would replace its key.
    linkSync(draft, path)
    // Before anything is signed or sealed with the key: after a power cut it must still be there.
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
