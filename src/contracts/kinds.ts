/**
 * The kinds of things that have ids. From this list come the prefixes of ids, what the audit list calls a
 * thing, and which tables are emptied when an account is removed.
 */
interface Kind {
  readonly prefix: string
  /** The table with a row for each, which has the column `account_id`; absent: other code knows the rows. */
  readonly table?: string
  /** The column with the name that a person chose, or `content`, whose JSON has it; absent: it has none. */
  readonly name?: 'name' | 'email' | 'content'
}

export const KINDS = {
  account: { prefix: 'acc_' },
  message: { prefix: 'msg_' },
  received: { prefix: 'rcv_' },
  event: { prefix: 'evt_' },
  override: { prefix: 'ovr_' },
  session: { prefix: 'ses_', table: 'session' },
  incident: { prefix: 'inc_', table: 'incident' },
  drill: { prefix: 'dri_', table: 'drill' },
  webhook: { prefix: 'whk_', table: 'webhook', name: 'name' },
  device: { prefix: 'dev_', table: 'device', name: 'name' },
  key: { prefix: 'key_', table: 'api_key', name: 'name' },
  user: { prefix: 'usr_', table: 'user', name: 'email' },
  person: { prefix: 'per_', table: 'person', name: 'content' },
  group: { prefix: 'grp_', table: 'people_group', name: 'content' },
  rota: { prefix: 'rot_', table: 'rota', name: 'content' },
  policy: { prefix: 'pol_', table: 'policy', name: 'content' },
  'device-group': { prefix: 'dgr_', table: 'device_group', name: 'content' },
  forward: { prefix: 'fwd_', table: 'forward', name: 'content' },
} as const satisfies Readonly<Record<string, Kind>>

export type KindName = keyof typeof KINDS
export type IdPrefix = (typeof KINDS)[KindName]['prefix']

/** Those with a table. Rows that refer to another kind are removed before it, so they stand before it. */
export const KINDS_IN_TABLES = Object.values<Kind>(KINDS).filter(
  (kind): kind is Kind & { readonly table: string } => kind.table !== undefined,
)
