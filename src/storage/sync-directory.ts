import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Brings the names in a directory to the disk: a file that was synced can still be without its name after a
 * power cut. Where a file system cannot do it, or the directory may not be read, it is left, as SQLite does.
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
    // Most file systems bring names to the disk with the next file that is synced.
  }
}

/** Makes a directory, readable by its owner alone, with those above it; on the disk when this returns. */
export function makeDirectory(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) syncDirectory(dirname(made))
}
