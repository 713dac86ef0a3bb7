/**
 * Handles a database that counts fewer commits than were made, because it went back to an older state.
 * Messages that are open in that state may have been sent already, and credentials that are valid may have
 * been revoked.
 */

import { existsSync, rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { CommandOutput } from '#contracts/commands.ts'
import type { CommitLoss } from '#contracts/thread-frames.ts'
import { count } from '#domain/words.ts'
import type { Batch } from '#storage/batch.ts'
import { CommitMark } from '#storage/commit-mark.ts'
import { countCommits } from '#storage/count-commits.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { readOnce } from '#storage/database.ts'
import { repeatRevocations } from '#storage/ended-credentials.ts'

/** The database is empty, although the commit mark says that there were commits. */
export class DatabaseEmptied extends Error {
  constructor({ database }: DataDirectory, commits: number) {
    super(
      `${database} is empty, but ${count(commits, 'commit was', 'commits were')} made in this folder: ` +
        'put the database back (from a backup, or mount its disk), or give up its contents with: ' +
        'roost serve --accept-data-loss',
    )
  }
}

/** Call this before anything is opened for writing. @throws DatabaseEmptied */
export function refuseEmptied(directory: DataDirectory): void {
  if (!existsSync(directory.commitMark)) return
  const mark = new CommitMark(directory.commitMark)
  mark.close()
  if (mark.highest > 0 && countOnDisk(directory.database) === 0)
    throw new DatabaseEmptied(directory, mark.highest)
}

/** The commit count of a database file; 0: there is no database. */
export function countOnDisk(file: string): number {
  if (!existsSync(file)) return 0
  return readOnce(file, database => {
    const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'commit_count'").get()
    return table === undefined ? 0 : countCommits(database)
  })
}

/**
 * Revokes again all credentials whose revocation may have been lost, and ends all account tokens by removing
 * their key. Call this before the state in memory is read from the database.
 */
export function endCredentials(database: DatabaseSync, directory: DataDirectory, wallMs: number): void {
  repeatRevocations(database, directory.endedCredentials, wallMs)
  rmSync(directory.jwtKey, { force: true })
}

/**
 * Ends the messages that may have been sent, and only then raises the commit count above the mark. If the
 * process ends in between, the next start finds the loss again.
 */
export function recordLoss(database: DatabaseSync, batch: Batch, mark: CommitMark): CommitLoss {
  const commits = mark.highest - countCommits(database)
  const { messages, at } = quarantineBatch(batch)
  const newCount = mark.highest + 1
  const insert = database.prepare('INSERT INTO commit_loss (at, commits, messages) VALUES (?, ?, ?)')
  database.exec('BEGIN IMMEDIATE')
  insert.run(at, commits, messages)
  database.prepare('UPDATE commit_count SET count = ?').run(newCount)
  database.exec('COMMIT')
  batch.commits.continueFrom(newCount)
  mark.write(newCount, batch.lastRun)
  return { at, commits, messages }
}

/** Ends the open messages. They may have been sent: in a lost commit, or by the original of a copy. */
export function quarantineBatch(batch: Batch): CommandOutput<'gateway.quarantine'> {
  const [answer] = batch.run([{ id: 0, name: 'gateway.quarantine', input: {} }]).answers
  if (answer?.ok !== true)
    throw new Error('the open messages could not be ended: make room on the disk, then start again')
  return answer.output as CommandOutput<'gateway.quarantine'>
}
