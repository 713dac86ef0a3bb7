import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { NightlyBackupTask } from '#contracts/thread-frames.ts'
import { type BackupsKept, expiredBackups } from '#domain/backup/backup-schedule.ts'
import { messageOf } from '#domain/cause.ts'
import { backUp } from '#storage/backup.ts'
import { copyContents } from '#storage/copy-contents.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { DraftFile } from '#storage/draft-file.ts'
import { DatabaseDamaged } from '#storage/sqlite-fault.ts'
import { syncDirectory } from '#storage/sync-directory.ts'

/**
 * Makes a backup in `dir`, unless it is there, copies it to `secondDir` unless that is empty, and removes
 * expired backups from both. It blocks the thread most of the time.
 *
 * @param pause blocks for some milliseconds
 * @throws Error that names the directory that failed. If only `secondDir` failed, the backup in `dir` stays.
 */
export async function makeNightlyBackup(task: NightlyBackupTask, pause: (ms: number) => void): Promise<void> {
  const { dataDir, dir, secondDir, name, kept } = task
  await inDirectory(dir, async () => {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    if (!existsSync(join(dir, name))) await backUp(dataDirectory(dataDir), join(dir, name), pause)
    removeExpired(dir, kept)
  })
  if (secondDir === '') return
  await inDirectory(secondDir, async () => {
    // Do not create the folder: if its disk or share is not mounted, the backup would go to another disk.
    if (!statSync(secondDir, { throwIfNoEntry: false })?.isDirectory())
      throw new Error('the folder does not exist: mount or create it')
    copyInSteps(join(dir, name), join(secondDir, name), pause)
    removeExpired(secondDir, kept)
  })
}

/** Copies a file, with a pause after each step. The copy gets its final name once it is complete. */
function copyInSteps(from: string, to: string, pause: (ms: number) => void): void {
  const source = openSync(from, 'r')
  const draft = new DraftFile(to)
  try {
    copyContents(source, draft.fd, draft.syncInSteps(pause))
    draft.publish()
  } catch (error) {
    draft.discard()
    throw error
  } finally {
    closeSync(source)
  }
}

function removeExpired(dir: string, kept: BackupsKept): void {
  for (const name of expiredBackups(readdirSync(dir), kept)) rmSync(join(dir, name), { force: true })
  syncDirectory(dir)
}

/** Runs `act`. @throws Error whose message begins with the directory, except for a damaged database */
async function inDirectory(dir: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (cause) {
    if (cause instanceof DatabaseDamaged) throw cause
    const isReadOnly = cause instanceof Error && 'code' in cause && cause.code === 'EROFS'
    const fix =
      `: if Roost is a service, make the folder, run systemctl edit roost, and write ReadWritePaths=${dir} ` +
      'below [Service]; otherwise mount its disk read-write'
    throw new Error(`${dir}: ${messageOf(cause)}${isReadOnly ? fix : ''}`, { cause })
  }
}
