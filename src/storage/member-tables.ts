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
