import type { DatabaseSync } from 'node:sqlite'
import { initial } from '#storage/migrations/001-initial.ts'
import { credentials } from '#storage/migrations/002-credentials.ts'
import { twoFactor } from '#storage/migrations/003-two-factor.ts'
import { webhooks } from '#storage/migrations/004-webhooks.ts'
import { notifications } from '#storage/migrations/005-notifications.ts'
import { notificationTargets } from '#storage/migrations/006-notification-targets.ts'
import { tokenVersion } from '#storage/migrations/007-token-version.ts'
import { toldSubjects } from '#storage/migrations/008-told-subjects.ts'
import { inbox } from '#storage/migrations/009-inbox.ts'
import { sessions } from '#storage/migrations/010-sessions.ts'
import { commitLoss } from '#storage/migrations/011-commit-loss.ts'
import { deviceProtocol } from '#storage/migrations/012-device-protocol.ts'
import { webhookFilters } from '#storage/migrations/013-webhook-filters.ts'
import { messageNumbers } from '#storage/migrations/014-message-numbers.ts'
import { dayCounts } from '#storage/migrations/015-day-counts.ts'
import { place } from '#storage/migrations/016-place.ts'
import { cleanTextKeys } from '#storage/migrations/017-clean-text-keys.ts'

/** Every schema that was ever released, in order: the database's `user_version` counts those it has. */
export const MIGRATIONS: readonly string[] = [
  initial,
  credentials,
  twoFactor,
  webhooks,
  notifications,
  notificationTargets,
  tokenVersion,
  toldSubjects,
  inbox,
  sessions,
  commitLoss,
  deviceProtocol,
  webhookFilters,
  messageNumbers,
  dayCounts,
  place,
  cleanTextKeys,
]

interface MigrateOptions {
  /** Others than those of this version, for tests. */
  readonly migrations?: readonly string[]
  /** Called before each step over a database with something in it; steps count from 1. */
  readonly starting?: ((step: number, steps: number) => void) | undefined
}

/** A database that a newer version made; its code survives the way between threads. */
class NewerSchema extends Error {
  readonly code = 'NEWER_SCHEMA'

  constructor(version: number, known: number) {
    super(`the database has schema ${version}, this program knows ${known}: start the newer version`)
  }
}

/**
 * Brings the schema up to date, each step in a transaction of its own: one that fails leaves the version
 * before it.
 *
 * @throws NewerSchema when the database was made by a newer version
 */
export function migrate(
  database: DatabaseSync,
  { migrations = MIGRATIONS, starting }: MigrateOptions = {},
): void {
  const row = database.prepare('PRAGMA user_version').get()
  const version = Number(row?.['user_version'] ?? 0)
  if (version > migrations.length) throw new NewerSchema(version, migrations.length)
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue
    // A new database takes no time worth telling of.
    if (version > 0) starting?.(index + 1 - version, migrations.length - version)
    try {
      database.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT`)
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }
}
