import { setTimeout as wait } from 'node:timers/promises'
import { DataDirectoryHeld } from '#app/data-directory-held.ts'
import { DATA_DIRECTORY_WAIT_MS_MAX } from '#contracts/limits.ts'
import { type DataDirectory, lockDataDirectory, makeDataDirectory } from '#storage/data-directory.ts'

const RETRY_MS = 50

export interface HoldOptions<T> {
  /** Tried before each attempt; what it gives is taken in place of the lock. */
  readonly instead?: () => Promise<T | null>
  readonly waitMs?: number
}

/**
 * Makes the data directory and takes its lock. Who holds it may be about to let go, as commands do after a
 * moment, so it is tried for a while.
 *
 * @throws DataDirectoryHeld
 */
export async function holdDataDirectory<T = never>(
  directory: DataDirectory,
  { instead, waitMs = DATA_DIRECTORY_WAIT_MS_MAX }: HoldOptions<T> = {},
): Promise<{ readonly lock: { release(): void } } | { readonly instead: T }> {
  makeDataDirectory(directory)
  for (let left = waitMs; ; left -= RETRY_MS) {
    const found = (await instead?.()) ?? null
    if (found !== null) return { instead: found }
    const lock = lockDataDirectory(directory)
    if (lock !== null) return { lock }
    if (left <= 0) throw new DataDirectoryHeld(directory.path)
    await wait(RETRY_MS)
  }
}
