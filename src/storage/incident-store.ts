import type { IncidentState } from '#contracts/incident.ts'
import type { Incident } from '#domain/incident/incident.ts'
import type { IncidentRows, IncidentStore } from '#domain/incident/incident-store.ts'
import { type Row, text, textOrNull } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** Rows that one page reads at most, so that a filter with few matches costs only milliseconds. */
const ROWS_PER_PAGE_MAX = 5000
/** Sorts after every id: `~` is the last printable ASCII character. */
const AFTER_EVERY_ID = 'inc_~'

const LIVE_STATES = ['open', 'taken', 'unanswered'] as const satisfies readonly IncidentState[]

/** Reads incidents, for the writer and the listeners. */
export function openIncidentRows(database: DatabaseSync): IncidentRows {
  const find = database.prepare('SELECT content FROM incident WHERE id = ? AND account_id = ?')
  const list = database.prepare(`
    SELECT content FROM (
      SELECT id, state, webhook_id, content FROM incident
      WHERE account_id = $account AND id < $before ORDER BY id DESC LIMIT ${ROWS_PER_PAGE_MAX})
    WHERE ($state IS NULL OR state = $state) AND ($webhook IS NULL OR webhook_id = $webhook)
    ORDER BY id DESC LIMIT $limit`)
  const lastRead = database.prepare(`
    SELECT id FROM incident WHERE account_id = $account AND id < $before
    ORDER BY id DESC LIMIT 1 OFFSET ${ROWS_PER_PAGE_MAX - 1}`)
  const live = database.prepare(
    'SELECT content FROM incident WHERE closed_at IS NULL AND account_id = ? ORDER BY id',
  )
  return {
    live: accountId => live.all(accountId).map(incidentOf),
    find(accountId, id) {
      const row = find.get(id, accountId)
      return row === undefined ? undefined : incidentOf(row)
    },
    list({ accountId, state, webhookId, before, limit }) {
      const place = { $account: accountId, $before: before ?? AFTER_EVERY_ID }
      const rows = list.all({ ...place, $state: state, $webhook: webhookId, $limit: limit + 1 })
      const incidents = rows.slice(0, limit).map(incidentOf)
      if (rows.length > limit) return { incidents, next: incidents.at(-1)?.id ?? null }
      // The page is not full. If it read as much as it may, the next page continues after the last row.
      return { incidents, next: textOrNull(lastRead.get(place)?.['id']) }
    },
  }
}

/** Incidents in the database, for the writer. */
export function openIncidentStore(database: DatabaseSync): IncidentStore {
  const get = database.prepare('SELECT content FROM incident WHERE id = ?')
  const closed = database.prepare(
    'SELECT content FROM incident WHERE closed_at > ? AND account_id = ? ORDER BY id',
  )
  const all = database.prepare(
    'SELECT content FROM incident WHERE closed_at IS NULL OR closed_at > ? ORDER BY id',
  )
  const count = database.prepare(
    'SELECT state, count(*) AS count FROM incident WHERE closed_at IS NULL GROUP BY state',
  )
  const rows = openIncidentRows(database)
  const save = database.prepare('INSERT OR REPLACE INTO incident VALUES (?, ?, ?, ?, ?, ?, ?)')
  return {
    ...rows,
    get(id) {
      const row = get.get(id)
      return row === undefined ? undefined : incidentOf(row)
    },
    recent: (accountId, since) => [...rows.live(accountId), ...closed.all(since, accountId).map(incidentOf)],
    all: since => all.all(since).map(incidentOf),
    counts() {
      const counts = new Map<IncidentState, number>(LIVE_STATES.map(state => [state, 0]))
      for (const row of count.all()) counts.set(row['state'] as IncidentState, Number(row['count']))
      return counts
    },
    save(_tx, incident) {
      const { id, accountId, webhookId, state, openedAt, closedAt } = incident
      save.run(id, accountId, webhookId, state, openedAt, closedAt, JSON.stringify(incident))
    },
  }
}

function incidentOf(row: Row): Incident {
  return JSON.parse(text(row['content'])) as Incident
}
