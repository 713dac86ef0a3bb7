import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backUpAtOnce, isBackupFile } from '#storage/backup.ts'
import { countOnDisk } from '#storage/commit-loss.ts'
import { countCommits } from '#storage/count-commits.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { membershipOf, readMembership } from '#storage/membership.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'
import { makeDirectory } from '#storage/sync-directory.ts'

/**
 * Makes a backup before a migration, so that the owner can return to the older version. Only the newest such
 * backup is kept. When an interrupted migration continues, the backup of its first start is kept. It is
 * recognized by its commit count, and in a cluster by its place in the log, which migrations do not change.
 *
 * @throws Error when the backup fails; then nothing is migrated
 */
export function backUpBeforeMigration(database: DatabaseSync, directory: DataDirectory): void {
  const version = database.prepare('PRAGMA user_version').get()?.['user_version']
  const folder = join(directory.path, 'backups')
  const name = `before-schema-${Number(version) + 1}.backup`
  makeDirectory(folder)
  const earlier = readdirSync(folder).filter(file => file.startsWith('before-schema-'))
  if (earlier.some(file => file.endsWith('.backup') && hasSameCommits(join(folder, file), database))) return
  try {
    backUpAtOnce(directory, join(folder, name))
  } catch (cause) {
    throw new Error(
      `the backup before the update of the database failed, so nothing was changed: make room for a copy ` +
        `of ${directory.database} in ${folder}, then start again`,
      { cause },
    )
  }
  // The draft of an interrupted backup may be gone: the new backup removes it.
  for (const other of earlier) if (other !== name) rmSync(join(folder, other), { force: true })
}

/** A follower of a cluster counts no commits, but takes entries. */
function hasSameCommits(backup: string, database: DatabaseSync): boolean {
  return (
    isBackupFile(backup) &&
    countOnDisk(backup) === countCommits(database) &&
    membershipOf({ database: backup })?.entry === readMembership(database)?.entry
  )
}
