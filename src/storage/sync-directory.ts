import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Syncs the names in a directory to the disk. Without this, a synced file could lose its name in a power cut.
 * Like SQLite, ignores file systems and permissions that do not allow it.
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
    // Most file systems sync the names with the next synced file.
  }
}

/** Makes a directory and its parents, readable only by the owner, and syncs their names to the disk. */
export function makeDirectory(path: string): void {
  // The topmost directory that did not exist; undefined: all exist.
  const topmost = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (topmost === undefined) return
  for (let made = path; made.length >= topmost.length; made = dirname(made)) syncDirectory(dirname(made))
}
