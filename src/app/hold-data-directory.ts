import { setTimeout as wait } from 'node:timers/promises'
import { type DataDirectory, lockDataDirectory, makeDataDirectory } from '#storage/data-directory.ts'

/**
 * How long a command or a starting gateway waits while another process holds the data directory. On a busy
 * Raspberry Pi a command may hold it for some seconds, and systemd does not repeat a start that gives up.
 */
const DATA_DIRECTORY_WAIT_MS_MAX = 10_000

const RETRY_MS = 50

/** Another process holds the lock of the data directory and does not answer. The exit code is 75. */
export class DataDirectoryHeld extends Error {
  constructor(path: string) {
    super(
      `another instance of Roost holds ${path}: wait until that instance has started or stopped, or stop it`,
    )
    this.name = 'DataDirectoryHeld'
  }
}

interface Lock {
  release(): void
}

/**
 * Makes the data directory and takes its lock. It retries for a while, because commands hold the lock only
 * for a moment.
 *
 * @throws DataDirectoryHeld
 */
export function holdDataDirectory(directory: DataDirectory): Promise<Lock> {
  return tryForAWhile(directory, () => lockDataDirectory(directory))
}

/**
 * Like `holdDataDirectory`, but tries to reach the process that holds the lock before each attempt. If
 * `reach` succeeds, its result is returned and no lock is taken.
 *
 * @throws DataDirectoryHeld
 */
export function reachOrHold<T>(
  directory: DataDirectory,
  reach: () => Promise<T | null>,
): Promise<{ readonly lock: Lock } | { readonly reached: T }> {
  return tryForAWhile(directory, async () => {
    const reached = await reach()
    if (reached !== null) return { reached }
    const lock = lockDataDirectory(directory)
    return lock && { lock }
  })
}

async function tryForAWhile<T>(
  directory: DataDirectory,
  attempt: () => T | null | Promise<T | null>,
): Promise<T> {
  makeDataDirectory(directory)
  for (let left = DATA_DIRECTORY_WAIT_MS_MAX; ; left -= RETRY_MS) {
    const taken = await attempt()
    if (taken !== null) return taken
    if (left <= 0) throw new DataDirectoryHeld(directory.path)
    await wait(RETRY_MS)
  }
}
