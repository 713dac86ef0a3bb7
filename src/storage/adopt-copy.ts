import { chmodSync, renameSync, rmSync } from 'node:fs'
import { expectIntact, forgetBackup, isBackup, unpackSecrets } from '#storage/backup.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { recordIdentity } from '#storage/database-identity.ts'
import { makeCommitMark } from '#storage/log-follower.ts'
import { readMembership } from '#storage/membership.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { syncDirectory } from '#storage/sync-directory.ts'

/**
 * Checks a copy that a leader handed out: a backup with the position in the log. Unlike a restored backup, it
 * goes on where it was: its open messages stay open.
 *
 * @throws Error when it is damaged, or of no cluster
 */
export function adoptCopiedFile(draft: string): { install(directory: DataDirectory): void } {
  const database = new DatabaseSync(draft, { readOnly: true })
  try {
    expectIntact(database, 'quick_check')
    if (!isBackup(database) || readMembership(database) === null)
      throw new Error('the copy is not that of a member of a cluster')
  } finally {
    database.close()
  }
  return {
    install(directory) {
      renameSync(draft, directory.database)
      chmodSync(directory.database, 0o600)
      unpackSecrets(directory)
      rmSync(directory.certificate, { force: true })
      const own = new DatabaseSync(directory.database)
      try {
        forgetBackup(own)
        recordIdentity(own, directory.database)
      } finally {
        own.close()
      }
      makeCommitMark(directory)
      syncDirectory(directory.path)
    },
  }
}
