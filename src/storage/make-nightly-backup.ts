import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { NightlyBackupTask } from '#contracts/thread-frames.ts'
import { type BackupsKept, expiredBackups } from '#domain/backup/backup-schedule.ts'
import { backUp, PARTIAL, syncFile } from '#storage/backup.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { syncDirectory } from '#storage/sync-directory.ts'

/**
 * Makes a backup in `dir`, copies it to `secondDir` unless that is empty, and removes expired backups from
 * both. It blocks the thread until it is done.
 *
 * @throws Error that names the directory that failed. If only `secondDir` failed, the backup in `dir` stays.
 */
export function makeNightlyBackup({ dataDir, dir, secondDir, name, kept }: NightlyBackupTask): void {
  inDirectory(dir, () => {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    removePartial(dir)
    backUp(dataDirectory(dataDir), join(dir, name))
    removeExpired(dir, kept)
  })
  if (secondDir === '') return
  inDirectory(secondDir, () => {
    // Do not create the folder: if its disk or share is not mounted, the backup would go to another disk.
    if (!statSync(secondDir, { throwIfNoEntry: false })?.isDirectory())
      throw new Error('the folder does not exist: mount or create it')
    removePartial(secondDir)
    copyAtomically(join(dir, name), join(secondDir, name))
    removeExpired(secondDir, kept)
  })
}

/** Copies a file. The copy gets its final name once it is complete and synced to the disk. */
function copyAtomically(from: string, to: string): void {
  const partial = `${to}.${process.pid}${PARTIAL}`
  try {
    copyFileSync(from, partial)
    syncFile(partial)
    renameSync(partial, to)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/** Removes unfinished backups of processes that ended early. */
function removePartial(dir: string): void {
  for (const name of readdirSync(dir))
    if (/^roost-.*\.backup\.\d+\.partial$/.test(name)) rmSync(join(dir, name), { force: true })
}

function removeExpired(dir: string, kept: BackupsKept): void {
  for (const name of expiredBackups(readdirSync(dir), kept)) rmSync(join(dir, name), { force: true })
  syncDirectory(dir)
}

/** Runs `act`. @throws Error whose message begins with the directory */
function inDirectory(dir: string, act: () => void): void {
  try {
    act()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${dir}: ${reason}`, { cause })
  }
}
