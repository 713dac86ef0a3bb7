import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Flushes the names in a directory to the disk: after a power cut a synced file could still be missing its
 * name. Skipped, as in SQLite, if the file system or the permissions do not allow it.
 */
export function syncDirectory(path: string): void {
  try {
    const fd = openSync(path, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch {
    // Most file systems flush names with the next synced file.
  }
}

/** Makes a directory and its parents, readable only by the owner; on the disk when this returns. */
export function makeDirectory(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) syncDirectory(dirname(made))
}
