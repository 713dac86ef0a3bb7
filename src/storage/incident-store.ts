import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { IncidentState } from '#contracts/incident.ts'
import { NUMBER_MAX, NUMBER_MIN } from '#domain/incident/free-number.ts'
import type { Incident, IncidentEntry, IncidentHead, IncidentThing } from '#domain/incident/incident.ts'
import type { IncidentPlace, IncidentRows, IncidentStore } from '#domain/incident/incident-store.ts'
import { numberOrNull, optional, type Row, text, textOrNull } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** Rows that one page reads at most, so that a filter with few matches costs only milliseconds. */
const ROWS_PER_PAGE_MAX = 5000
/** Closed incidents of an account among which those of a webhook are looked for, the newest ones. */
const KNOWN_MAX = 200
/** Characters of the timelines on one page: a full one has 100,000, and others wait while they are read. */
const PAGE_LENGTH_MAX = 500_000
/** Sorts after every id: `~` is the last printable ASCII character. */
const AFTER_EVERY_ID = 'inc_~'

const LIVE_STATES = ['open', 'taken', 'unanswered'] as const satisfies readonly IncidentState[]

/** Reads incidents, for the writer and the listeners. */
export function openIncidentRows(database: DatabaseSync): IncidentRows {
  const find = database.prepare('SELECT content, timeline FROM incident WHERE id = ? AND account_id = ?')
  const list = database.prepare(`
    SELECT content, timeline FROM (
      SELECT id, state, webhook_id, content, timeline FROM incident
      WHERE account_id = $account AND id < $before ORDER BY id DESC LIMIT ${ROWS_PER_PAGE_MAX})
    WHERE ($state IS NULL OR state = $state) AND ($webhook IS NULL OR webhook_id = $webhook)
    ORDER BY id DESC LIMIT $limit`)
  const lastRead = database.prepare(`
    SELECT id FROM incident WHERE account_id = $account AND id < $before
    ORDER BY id DESC LIMIT 1 OFFSET ${ROWS_PER_PAGE_MAX - 1}`)
  const live = database.prepare(
    'SELECT content FROM incident WHERE closed_at IS NULL AND account_id = ? ORDER BY id',
  )
  const incidentOf = openIncidentOf(database)
  return {
    live: accountId => live.all(accountId).map(headOf),
    find: (accountId, id) => optional(find.get(id, accountId), incidentOf),
    list({ accountId, state, webhookId, before, limit }) {
      const place = { $account: accountId, $before: before ?? AFTER_EVERY_ID }
      const rows = list.all({ ...place, $state: state, $webhook: webhookId, $limit: limit + 1 })
      const incidents = firstOf(rows.slice(0, limit)).map(row => withTimeline(headOf(row), row, []))
      if (rows.length > incidents.length) return { incidents, next: incidents.at(-1)?.id ?? null }
      // The page is not full. If it read as much as it may, the next page continues after the last row.
      return { incidents, next: textOrNull(lastRead.get(place)?.['id']) }
    },
  }
}

/** Incidents in the database, for the writer. */
export function openIncidentStore(database: DatabaseSync): IncidentStore {
  const get = database.prepare('SELECT content, timeline FROM incident WHERE id = ?')
  const count = database.prepare(
    'SELECT state, count(*) AS count FROM incident WHERE closed_at IS NULL GROUP BY state',
  )
  const incidentOf = openIncidentOf(database)
  return {
    ...openIncidentRows(database),
    ...openPlaces(database),
    ...openQueries(database),
    get: id => optional(get.get(id), incidentOf),
    counts() {
      const counts = new Map<IncidentState, number>(LIVE_STATES.map(state => [state, 0]))
      for (const row of count.all()) counts.set(row['state'] as IncidentState, Number(row['count']))
      return counts
    },
    save: openSave(database),
  }
}

type Places = Pick<
  IncidentStore,
  'countLive' | 'ofWebhook' | 'aboutThing' | 'numbers' | 'lastClosed' | 'spare'
>

/** What an alert asks. */
function openPlaces(database: DatabaseSync): Places {
  const countLive = database.prepare(
    'SELECT count(*) AS count FROM incident WHERE closed_at IS NULL AND account_id = ?',
  )
  const ofWebhook = database.prepare(
    'SELECT id, state, alert_at FROM incident WHERE closed_at IS NULL AND webhook_id = ? ORDER BY id',
  )
  const findThing = (which: string) =>
    database.prepare(`
      SELECT id, state, alert_at, is_over FROM incident_thing JOIN incident ON id = incident_id
      WHERE incident_thing.account_id = ? AND incident_thing.webhook_id = ? AND incident_thing.key = ?
        ${which} ORDER BY id`)
  const aboutThing = findThing('')
  // The release before noted no names.
  const former = findThing('AND name IS NULL')
  const numbers = database.prepare(`
    WITH RECURSIVE each (number) AS (
      SELECT ${NUMBER_MIN} UNION ALL SELECT number + 1 FROM each WHERE number < ${NUMBER_MAX})
    SELECT number,
      (SELECT closed_at FROM incident WHERE account_id = $account AND number = each.number
        ORDER BY closed_at DESC LIMIT 1) AS closed_at,
      EXISTS (SELECT 1 FROM incident WHERE account_id = $account AND number = each.number
        AND closed_at IS NULL) AS is_live
    FROM each`)
  const lastClosed = database.prepare(`
    SELECT content FROM incident WHERE account_id = ? AND number = ? AND closed_at NOT NULL
    ORDER BY closed_at DESC LIMIT 1`)
  const spare = database.prepare(`
    SELECT id FROM (
      SELECT id, state = 'unanswered' AS is_first, count(*) OVER (PARTITION BY webhook_id) AS count
      FROM incident WHERE closed_at IS NULL AND account_id = ?)
    ORDER BY is_first DESC, iif(is_first, 0, count) DESC, id LIMIT 1`)
  return {
    countLive: accountId => Number(countLive.get(accountId)?.['count']),
    ofWebhook: webhookId => ofWebhook.all(webhookId).map(placeOf),
    aboutThing({ accountId, id }, { key, formerKey }) {
      const rows = key === null ? [] : aboutThing.all(accountId, id, key)
      const found = rows.length > 0 || formerKey === undefined ? rows : former.all(accountId, id, formerKey)
      return found.map(row => ({ ...placeOf(row), isOver: row['is_over'] === 1 }))
    },
    numbers: accountId =>
      numbers.all({ $account: accountId }).flatMap(row => {
        const isLive = row['is_live'] === 1
        const closedAt = isLive ? null : numberOrNull(row['closed_at'])
        return isLive || closedAt !== null ? [{ number: Number(row['number']), closedAt }] : []
      }),
    lastClosed(accountId, number) {
      const row = lastClosed.get(accountId, number)
      return row === undefined ? undefined : headOf(row)
    },
    spare: accountId => textOrNull(spare.get(accountId)?.['id']) ?? undefined,
  }
}

type Queries = Pick<IncidentStore, 'due' | 'overdue' | 'withText' | 'knownOf' | 'ended' | 'lately'>

function openQueries(database: DatabaseSync): Queries {
  const due = database.prepare('SELECT id FROM incident WHERE due_at NOT NULL')
  const overdue = database.prepare(
    'SELECT id FROM incident WHERE closed_at IS NULL AND account_id = ? AND due_at <= ?',
  )
  const withText = database.prepare(`
    SELECT id FROM incident WHERE closed_at IS NULL AND account_id = ? AND state = 'open'
      AND instr(content, ?)`)
  const closed = `
    SELECT content FROM (
      SELECT content, webhook_id FROM incident
      WHERE closed_at NOT NULL AND account_id = $account AND closed_at > $since
      ORDER BY closed_at DESC LIMIT ${KNOWN_MAX}) WHERE webhook_id = $webhook`
  const knownOf = database.prepare(`
    SELECT content FROM incident WHERE closed_at IS NULL AND webhook_id = $webhook UNION ALL ${closed}`)
  const ended = database.prepare(`${closed} AND instr(content, '"ended":[')`)
  const lately = database.prepare('SELECT id FROM incident WHERE closed_at IS NULL OR closed_at > ?')
  const idOf = (row: Row) => text(row['id'])
  return {
    due: () => due.all().map(idOf),
    overdue: (accountId, wallMs) => overdue.all(accountId, wallMs).map(idOf),
    // Of what stands in `content`, only `pending` names messages.
    withText: (accountId, messageId) => withText.all(accountId, messageId).map(idOf),
    knownOf: ({ accountId, id }, since) =>
      knownOf.all({ $account: accountId, $webhook: id, $since: since }).map(headOf),
    ended: ({ accountId, id }, since) =>
      ended.all({ $account: accountId, $webhook: id, $since: since }).map(headOf),
    lately: since => lately.all(since).map(idOf),
  }
}

function openSave(database: DatabaseSync): IncidentStore['save'] {
  const save = database.prepare(`
    INSERT INTO incident
      (id, account_id, webhook_id, state, opened_at, closed_at, number, alert_at, due_at, content, timeline)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, opened_at = excluded.opened_at,
      closed_at = excluded.closed_at, alert_at = excluded.alert_at, due_at = excluded.due_at,
      content = excluded.content, timeline = excluded.timeline`)
  const saveThing = database.prepare('INSERT OR REPLACE INTO incident_thing VALUES (?, ?, ?, ?, ?, ?, ?)')
  const removeThing = database.prepare('DELETE FROM incident_thing WHERE incident_id = ? AND key = ?')
  const removeThings = database.prepare('DELETE FROM incident_thing WHERE incident_id = ?')
  const trim = database.prepare(`
    DELETE FROM incident WHERE id IN (
      SELECT id FROM incident WHERE account_id = ? AND closed_at NOT NULL
      ORDER BY closed_at DESC LIMIT -1 OFFSET ${ACCOUNT_BOUNDS.closedIncidents.most})`)
  return (tx, incident, before) => {
    const { things, timeline, ...head } = incident
    const { id, accountId, webhookId, state, openedAt, closedAt, number, alertAt, dueAt } = head
    const columns = [id, accountId, webhookId, state, openedAt, closedAt, number, alertAt, dueAt] as const
    save.run(...columns, JSON.stringify(head), JSON.stringify(timeline))
    if (closedAt !== null) {
      if (before !== null && before.closedAt !== null) return
      removeThings.run(id)
      if (trim.run(accountId).changes !== 0) tx.hasWiped = true
      return
    }
    if (before?.things === things) return
    const known = new Map(before?.things.map((thing, place) => [thing.key ?? '', { thing, place }]))
    for (const [place, thing] of things.entries()) {
      const key = thing.key ?? ''
      const stored = known.get(key)
      known.delete(key)
      const { isOver, name } = stored?.thing ?? {}
      if (stored?.place === place && isOver === thing.isOver && name === thing.name) continue
      saveThing.run(id, key, place, accountId, webhookId, Number(thing.isOver), thing.name ?? null)
    }
    for (const key of known.keys()) removeThing.run(id, key)
  }
}

function openIncidentOf(database: DatabaseSync): (row: Row) => Incident {
  const things = database.prepare(
    'SELECT key, name, is_over FROM incident_thing WHERE incident_id = ? ORDER BY place',
  )
  return row => {
    const head = headOf(row)
    return withTimeline(head, row, things.all(head.id).map(thingOf))
  }
}

function withTimeline(head: IncidentHead, row: Row, things: readonly IncidentThing[]): Incident {
  return { ...head, things, timeline: JSON.parse(text(row['timeline'])) as IncidentEntry[] }
}

/** The first rows, up to `PAGE_LENGTH_MAX`, and at least one. */
function firstOf(rows: readonly Row[]): readonly Row[] {
  let length = 0
  const end = rows.findIndex(({ timeline }) => {
    length += text(timeline).length
    return length > PAGE_LENGTH_MAX
  })
  return end === -1 ? rows : rows.slice(0, Math.max(1, end))
}

function headOf(row: Row): IncidentHead {
  return JSON.parse(text(row['content'])) as IncidentHead
}

function thingOf(row: Row): IncidentThing {
  const name = textOrNull(row['name'])
  return { key: text(row['key']) || null, ...(name !== null && { name }), isOver: row['is_over'] === 1 }
}

function placeOf(row: Row): IncidentPlace {
  return {
    id: text(row['id']),
    state: row['state'] as IncidentPlace['state'],
    alertAt: Number(row['alert_at']),
  }
}
