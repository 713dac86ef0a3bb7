/**
 * A file that is written under another name until it is complete. Its folder may be shared with other users,
 * so the draft must be a new file of our own, and must still be that file when it gets its name. A random
 * part in the name and O_EXCL keep a planted file or link from being opened.
 */
import { randomBytes } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { syncDirectory } from '#storage/sync-directory.ts'

/**
 * The names of drafts, also of the older form, and of SQLite's journals beside them, with the id of the
 * process that made them.
 */
const DRAFT = /\.(\d+)\.roost-[0-9a-f]{16}\.partial(?:-journal)?$|^roost-.*\.backup\.(\d+)\.partial$/
/**
 * A draft that nobody wrote to for this long was left by a process that ended early. Its id may be in use
 * again: in a container each gateway has the same one.
 */
const DRAFT_KEPT_MS = 3_600_000

export class DraftFile {
  readonly path: string
  /** Open for writing. */
  readonly fd: number
  readonly #final: string
  readonly #made: BigIntStats

  /** Removes old drafts from the folder, and makes a new one that only its owner can read. */
  constructor(file: string) {
    this.#final = resolve(file)
    removeOldDrafts(dirname(this.#final))
    this.path = `${this.#final}.${process.pid}.roost-${randomBytes(8).toString('hex')}.partial`
    this.fd = openSync(this.path, 'wx', 0o600)
    this.#made = fstatSync(this.fd, { bigint: true })
  }

  /** Writes the draft to the disk. @throws Error when another file has taken the place of the draft */
  sync(): void {
    fsyncSync(this.fd)
    const now = lstatSync(this.path, { bigint: true, throwIfNoEntry: false })
    const isOurs = (['dev', 'ino', 'uid', 'mode', 'nlink'] as const).every(
      key => now?.[key] === this.#made[key],
    )
    if (!isOurs)
      throw new Error(
        `someone else changed ${basename(this.path)} in ${dirname(this.path)}: name a folder that no other ` +
          'user can write to',
      )
  }

  /**
   * Returns a function to call after each step of writing. It syncs the step and then pauses as long as the
   * step took. So commits of the gateway wait for one step at most, and a slow disk gets longer pauses.
   */
  syncInSteps(pause: (ms: number) => void): () => void {
    let beganAt = performance.now()
    return () => {
      this.sync()
      pause(performance.now() - beganAt)
      beganAt = performance.now()
    }
  }

  /** Gives the complete draft its name. It replaces a file of that name. */
  publish(): void {
    this.sync()
    renameSync(this.path, this.#final)
    closeSync(this.fd)
    syncDirectory(dirname(this.#final))
  }

  discard(): void {
    closeSync(this.fd)
    for (const end of ['', '-journal']) rmSync(this.path + end, { force: true })
  }
}

/** Removes drafts of this user that were left. It leaves links and anything else that is not a file. */
function removeOldDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid, olderPid] = DRAFT.exec(name) ?? []
    if (pid === undefined && olderPid === undefined) continue
    const path = join(folder, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    const isOurs = found?.isFile() === true && found.uid === process.geteuid?.()
    const isOld = isOurs && Date.now() - found.mtimeMs > DRAFT_KEPT_MS
    if (isOld || (isOurs && !isRunning(Number(pid ?? olderPid)))) rmSync(path, { force: true })
  }
}

/** Signal 0 only asks whether the process exists. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
