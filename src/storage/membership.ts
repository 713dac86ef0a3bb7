import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { DataDirectory } from '#storage/data-directory.ts'
import { openWritable, readOnce } from '#storage/database.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** To which cluster a copy of the database belongs, and which part of the log it holds. */
export interface Membership {
  readonly clusterId: string
  /** The last entry in this copy; entries count from 1. */
  readonly entry: number
  /** The hash of that entry as it is in the log. Each entry holds the hash of the one before. */
  readonly hash: Uint8Array
}

/** Null: the database belongs to no cluster. */
export function readMembership(database: DatabaseSync): Membership | null {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'membership'").get()
  const row = table && database.prepare('SELECT cluster_id, entry, hash FROM membership').get()
  if (row === undefined) return null
  const { cluster_id: clusterId, entry, hash } = row
  return { clusterId: String(clusterId), entry: Number(entry), hash: hash as Uint8Array }
}

/** Makes the database a copy of this cluster. Null: of none. */
export function writeMembership(database: DatabaseSync, membership: Membership | null): void {
  if (membership === null) return database.exec('DELETE FROM membership')
  const { clusterId, entry, hash } = membership
  database.prepare('INSERT OR REPLACE INTO membership VALUES (1, ?, ?, ?)').run(clusterId, entry, hash)
}

export function hashOfEntry(value: Uint8Array): Uint8Array {
  return createHash('sha256').update(value).digest()
}

/** The data belongs to a cluster, so only a member of it that leads may write. */
export class BelongsToCluster extends Error {
  readonly code = 'BELONGS_TO_CLUSTER'

  constructor(clusterId: string) {
    super(
      `this data is a copy of the cluster ${clusterId}: run this on the gateway that leads ` +
        '(roost cluster status); to serve it alone, run roost cluster leave first',
    )
  }
}

/** The membership of a data directory whose database is closed; null: of none, or there is no database. */
export function membershipOf({ database: file }: Pick<DataDirectory, 'database'>): Membership | null {
  return existsSync(file) ? readOnce(file, readMembership) : null
}

/** Changes the membership of a data directory, if it has a database. The caller holds the lock. */
export function changeMembership(directory: DataDirectory, membership: Membership | null): void {
  if (membership === null && membershipOf(directory) === null) return
  const database = openWritable(directory.database)
  try {
    writeMembership(database, membership)
  } finally {
    database.close()
  }
}

/**
 * The tables that belong to one copy of the database: where its file is, what this file counted, and which
 * entries of a cluster's log it holds. All other tables are the same in all members of a cluster.
 */
export const MEMBER_TABLES: ReadonlySet<string> = new Set([
  'place',
  'commit_count',
  'commit_loss',
  'membership',
])
