/**
 * How much an account holds of what has many rows. Triggers on the writer's connection count, so no store can
 * forget to. The totals are in the temporary database: it takes part in each transaction, and is in no file
 * and no log of a cluster. A total is counted over all rows when it is first asked for.
 */
import type { DatabaseSync } from '#storage/sqlite.ts'

interface Counted {
  readonly table: string
  /** The column that changes how much a row counts; null: none does. */
  readonly changes: string | null
  /** SQL for the account of a row, and for how much the row counts. */
  readonly account: (row: string) => string
  readonly size: (row: string) => string
  /** SQL for the total of an account, after `SELECT`. */
  readonly count: string
}

/** SQL for what is kept of an alert's request. `octet_length` reads the length without the text. */
export function requestBytes(row: string): string {
  const bytes = ['body', 'fields', 'headers'].map(name => `octet_length(${row}.${name})`)
  return `coalesce(${bytes.join(' + ')}, 0)`
}

const OWN = (row: string) => `${row}.account_id`
const SEEN = 'webhook_seen'

const COUNTED = {
  deliveries: {
    table: 'notification_delivery',
    changes: 'status',
    account: OWN,
    size: row => `(${row}.status = 'pending')`,
    count: "count(*) AS total FROM notification_delivery WHERE account_id = ? AND status = 'pending'",
  },
  audit: {
    table: 'audit',
    changes: null,
    account: OWN,
    size: () => '1',
    count: 'count(*) AS total FROM audit WHERE account_id = ?',
  },
  received: {
    table: 'received',
    changes: null,
    account: OWN,
    size: () => '1',
    count: 'count(*) AS total FROM received WHERE account_id = ?',
  },
  optOuts: {
    table: 'opt_out',
    changes: null,
    account: OWN,
    size: () => '1',
    count: 'count(*) AS total FROM opt_out WHERE account_id = ?',
  },
  bodies: {
    table: SEEN,
    changes: 'body',
    account: row => `(SELECT account_id FROM webhook WHERE id = ${row}.webhook_id)`,
    size: requestBytes,
    count: `coalesce(sum(${requestBytes(SEEN)}), 0) AS total FROM ${SEEN}
      WHERE webhook_id IN (SELECT id FROM webhook WHERE account_id = ?)`,
  },
} as const satisfies Readonly<Record<string, Counted>>

type CountedName = keyof typeof COUNTED
/** How much the account holds now. */
export type AccountTotals = (name: CountedName, accountId: string) => number

export function openAccountTotals(database: DatabaseSync): AccountTotals {
  database.exec(`
    CREATE TEMP TABLE IF NOT EXISTS account_total (
      name TEXT NOT NULL, account_id TEXT NOT NULL, total INTEGER NOT NULL, PRIMARY KEY (name, account_id)
    ) STRICT, WITHOUT ROWID;
    DELETE FROM temp.account_total;
    ${Object.entries(COUNTED).map(triggersOf).join('\n')}`)
  const find = database.prepare('SELECT total FROM temp.account_total WHERE name = ? AND account_id = ?')
  const note = database.prepare('INSERT INTO temp.account_total VALUES (?, ?, ?)')
  const { deliveries, audit, received, optOuts, bodies } = COUNTED
  const counts = {
    deliveries: database.prepare(`SELECT ${deliveries.count}`),
    audit: database.prepare(`SELECT ${audit.count}`),
    received: database.prepare(`SELECT ${received.count}`),
    optOuts: database.prepare(`SELECT ${optOuts.count}`),
    bodies: database.prepare(`SELECT ${bodies.count}`),
  }
  return (name, accountId) => {
    const known = find.get(name, accountId)
    if (known !== undefined) return Number(known['total'])
    const total = Number(counts[name].get(accountId)?.['total'])
    note.run(name, accountId, total)
    return total
  }
}

function triggersOf([name, { table, changes, account, size }]: readonly [string, Counted]): string {
  const make = (event: string, row: string, change: string) => `
    CREATE TEMP TRIGGER IF NOT EXISTS ${name}_${event.slice(0, 6)} AFTER ${event} ON main.${table} BEGIN
      UPDATE account_total SET total = total + ${change}
      WHERE name = '${name}' AND account_id = ${account(row)};
    END;`
  const [before, after] = [size('OLD'), size('NEW')]
  return [
    make('INSERT', 'NEW', after),
    make('DELETE', 'OLD', `-1 * ${before}`),
    changes === null ? '' : make(`UPDATE OF ${changes}`, 'NEW', `${after} - ${before}`),
  ].join('')
}
