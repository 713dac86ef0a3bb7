import type { DatabaseSync } from 'node:sqlite'
import * as steps from '#storage/migrations.ts'

/**
 * One migration step: SQL for one transaction, or a function that does a part of the work. The function is
 * called in a new transaction each time, until it returns 1. It returns the share of the work that is done.
 * If the process is killed, the next start repeats the part that was not committed.
 */
export type Migration = string | ((database: DatabaseSync) => number)

/** Progress of a migration. Steps count from 1; `percent` is of the current step. */
export interface MigrationProgress {
  readonly step: number
  readonly steps: number
  readonly percent: number
}

/** All migrations in order; the database's `user_version` counts those that were applied. */
export const MIGRATIONS: readonly Migration[] = Object.values(steps).flatMap(step => Object.values(step))

/** A long step reports its progress this many times. */
const REPORTS_PER_STEP = 20

interface MigrateOptions {
  /** Other migrations, for tests. */
  readonly migrations?: readonly Migration[]
  /** Called before the first step and after the first call of `progress`, unless the database is new. */
  readonly starting?: () => void
  /** Called when a step begins, and after each 5 % of it, unless the database is new. */
  readonly progress?: ((progress: MigrationProgress) => void) | undefined
}

/**
 * A newer version made the database. Other threads recognize this error by its `code`, because an error that
 * crosses threads loses its class.
 */
class NewerSchema extends Error {
  readonly code = 'NEWER_SCHEMA'

  constructor(version: number, known: number) {
    super(
      `a newer version of Roost made the database (schema ${version}, this version knows ${known}): ` +
        'start the newer version',
    )
  }
}

/**
 * Migrates the schema. Each step, or part of a step, has its own transaction: if one fails, the earlier ones
 * stay.
 *
 * @throws NewerSchema when a newer version made the database
 */
export function migrate(database: DatabaseSync, options: MigrateOptions = {}): void {
  const { migrations = MIGRATIONS, starting, progress } = options
  const version = schemaOf(database, migrations.length)
  // A new database is migrated too fast to report progress.
  const isNew = version === 0
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue
    const position = { step: index + 1 - version, steps: migrations.length - version }
    const report = (percent: number) => {
      if (!isNew) progress?.({ ...position, percent })
    }
    report(0)
    if (!isNew && index === version) starting?.()
    runStep(database, { migration, version: index + 1, report })
  }
}

/** The schema's version. @throws NewerSchema */
function schemaOf(database: DatabaseSync, known: number): number {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
  if (version > known) throw new NewerSchema(version, known)
  return version
}

/** For readers, which do not migrate. @throws NewerSchema; Error when the schema is an older one */
export function expectSchema(database: DatabaseSync): void {
  if (schemaOf(database, MIGRATIONS.length) < MIGRATIONS.length)
    throw new Error('the database is empty or of an older version: start the gateway once (roost serve)')
}

interface Step {
  readonly migration: Migration
  /** `user_version` after this step. */
  readonly version: number
  readonly report: (percent: number) => void
}

function runStep(database: DatabaseSync, { migration, version, report }: Step): void {
  for (let share = 0, reported = 0; share < 1; ) {
    database.exec('BEGIN IMMEDIATE')
    try {
      if (typeof migration === 'string') database.exec(migration)
      share = typeof migration === 'string' ? 1 : migration(database)
      if (share >= 1) database.exec(`PRAGMA user_version = ${version}`)
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
    const percent = Math.floor(share * REPORTS_PER_STEP) * (100 / REPORTS_PER_STEP)
    if (percent > reported && share < 1) report(percent)
    reported = Math.max(reported, percent)
  }
}
