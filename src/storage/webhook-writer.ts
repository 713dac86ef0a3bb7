import type { Move } from '#domain/clock/believed-clock.ts'
import { type Gathered, STORM_DELAY_MS_MAX, type StormKind, TEXT_DELAYS_MS } from '#domain/webhook/storm.ts'
import type { WebhookStore } from '#domain/webhook/webhook-store.ts'
import { insertInto, updateOf, valuesOf, without } from '#storage/columns.ts'
import { numberOrNull, optional, text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'
import { openWebhookRows, readStorms, WEBHOOK_COLUMNS } from '#storage/webhook-reader.ts'

const DELAYS = TEXT_DELAYS_MS.map((ms, step) => `WHEN ${step} THEN ${ms}`).join(' ')
const MOVES = [
  `UPDATE webhook SET ${moved('heard_at')}, ${moved('noticed_at')}`,
  `UPDATE webhook_trigger SET ${moved('at')} WHERE webhook_id IN (SELECT id FROM webhook)`,
  `UPDATE webhook_storm SET ${moved('last_alert_at')},
    ${moved('next_at', `next_at - CASE step ${DELAYS} ELSE ${STORM_DELAY_MS_MAX} END`)}`,
]

/** Mails of a webhook that are known again. A server that sends one again does so after fewer others. */
const MAILS_MAX = 1000

/** Webhooks and their triggers in the database, for the writer. */
export function openWebhookStore(database: DatabaseSync): WebhookStore {
  const storms = openStormStore(database)
  const chosen = without(WEBHOOK_COLUMNS, 'heardAt', 'silentAt', 'noticedAt')
  const more = ['token_hash', 'mail_hash', 'total', 'rejected', 'day', 'on_day'].map(name => ({ name }))
  const insert = database.prepare(insertInto('webhook', [...chosen, ...more]))
  const changing = without(chosen, 'id', 'accountId', 'tokenHint', 'createdAt')
  const save = database.prepare(updateOf('webhook', changing))
  const saveToken = database.prepare(
    'UPDATE webhook SET token_hash = ?, mail_hash = ?, token_hint = ?, updated_at = ? WHERE id = ?',
  )
  const remove = database.prepare('DELETE FROM webhook WHERE id = ?')
  const forget = database.prepare('DELETE FROM webhook_trigger WHERE webhook_id = ? AND at <= ?')
  const removeMails = database.prepare('DELETE FROM taken_mail WHERE webhook_id = ?')
  const hold = database.prepare(`
    UPDATE webhook SET held_count = held_count + ?, held_text = ?, held_hash = ? WHERE id = ?`)
  const release = database.prepare(`
    UPDATE webhook SET held_count = 0, held_text = NULL, held_hash = NULL WHERE id = ?`)
  return {
    ...openWebhookRows(database),
    ...openReadings(database),
    ...storms.rows,
    ...openTriggerCounts(database),
    insert(_tx, webhook, { tokenHash, mailHash }) {
      insert.run(...valuesOf(webhook, chosen), tokenHash, mailHash, 0, 0, 0, 0)
    },
    save: (_tx, webhook) => void save.run(...valuesOf(webhook, changing), webhook.id),
    saveToken(_tx, { id, tokenHint, updatedAt }, { tokenHash, mailHash }) {
      saveToken.run(tokenHash, mailHash, tokenHint, updatedAt, id)
    },
    remove(tx, id) {
      remove.run(id)
      for (const kind of ['gathered', 'held'] as const) storms.end(id, kind)
      tx.hasWiped = true
      forget.run(id, Number.MAX_SAFE_INTEGER)
      removeMails.run(id)
    },
    prune: (_tx, id, { since }) => void forget.run(id, since),
    move(_tx, move) {
      storms.move(move)
      return readStorms(database)
    },
    holdBack: (_tx, id, { count, text, requestHash }) => void hold.run(count, text, requestHash, id),
    releaseHeld(tx, id) {
      release.run(id)
      storms.end(id, 'held')
      tx.hasWiped = true
    },
  }
}

function openTriggerCounts(
  database: DatabaseSync,
): Pick<WebhookStore, 'accept' | 'pass' | 'noteMail' | 'countOwn' | 'reject'> {
  const accept = database.prepare(`
    INSERT INTO webhook_trigger (webhook_id, at, request_hash, message_ids, incident_id, is_free, thing)
    VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const noteMail = database.prepare('INSERT OR REPLACE INTO taken_mail VALUES (?, ?, ?)')
  const forgetMails = database.prepare(`
    DELETE FROM taken_mail WHERE webhook_id = $id AND at <= max($since, coalesce(
      (SELECT at FROM taken_mail WHERE webhook_id = $id ORDER BY at DESC LIMIT 1 OFFSET ${MAILS_MAX}), 0))`)
  const count = database.prepare(`
    UPDATE webhook SET total = total + 1, on_day = CASE day WHEN $day THEN on_day + 1 ELSE 1 END, day = $day,
      last_triggered_at = coalesce($at, last_triggered_at) WHERE id = $id`)
  const reject = database.prepare('UPDATE webhook SET rejected = rejected + ? WHERE id = ?')
  return {
    accept(_tx, { webhookId, at, requestHash, messageIds, incidentId, isFree, thing }, day) {
      accept.run(webhookId, at, requestHash, JSON.stringify(messageIds), incidentId, Number(isFree), thing)
      count.run({ $id: webhookId, $day: day, $at: at })
    },
    pass(_tx, webhookId, { at, requestHash, thing }) {
      accept.run(webhookId, at, requestHash, '', null, 1, thing)
    },
    noteMail(_tx, id, { mailHash, since, until }) {
      noteMail.run(id, mailHash, until)
      forgetMails.run({ $id: id, $since: since })
    },
    reject: (_tx, id, rejections) => void reject.run(rejections, id),
    countOwn: (_tx, id, day) => void count.run({ $id: id, $day: day, $at: null }),
  }
}

function openReadings(database: DatabaseSync): Pick<WebhookStore, 'saveReadings' | 'saveGuesses'> {
  const saveReadings = database.prepare('UPDATE webhook SET readings = ? WHERE id = ?')
  const saveGuesses = database.prepare('UPDATE webhook SET guesses = ? WHERE id = ?')
  return {
    saveReadings: (_tx, id, readings) => void saveReadings.run(JSON.stringify(readings), id),
    saveGuesses: (_tx, id, guesses) => void saveGuesses.run(JSON.stringify(guesses), id),
  }
}

/** How far a time moves. `base`: when its wait began. */
function moved(column: string, base = column): string {
  return `${column} = ${column} + CASE WHEN ${base} >= $since THEN $ms ELSE 0 END`
}

/** What webhooks have gathered, and how long they have been silent, for the writer. */
function openStormStore(database: DatabaseSync) {
  const hear = database.prepare('UPDATE webhook SET heard_at = ?, silent_at = ? WHERE id = ?')
  const notice = database.prepare('UPDATE webhook SET noticed_at = ? WHERE id = ?')
  const find = database.prepare('SELECT * FROM webhook_storm WHERE webhook_id = ? AND kind = ?')
  const save = database.prepare('INSERT OR REPLACE INTO webhook_storm VALUES (?, ?, ?, ?, ?, ?)')
  const end = database.prepare('DELETE FROM webhook_storm WHERE webhook_id = ? AND kind = ?')
  const moves = MOVES.map(sql => database.prepare(sql))
  const moveSilence = database.prepare(
    'UPDATE webhook SET silent_at = silent_at + ? WHERE silent_at NOT NULL',
  )
  const rows: Pick<WebhookStore, 'storm' | 'saveStorm' | 'saveSilence' | 'noteNotice'> = {
    storm: (id, kind) =>
      optional(find.get(id, kind), row => ({
        ...(JSON.parse(text(row['gathered'])) as Gathered),
        lastAlertAt: Number(row['last_alert_at']),
        nextAt: numberOrNull(row['next_at']),
        step: Number(row['step']),
      })),
    saveStorm(tx, { id, kind, isTold = false }, { lastAlertAt, nextAt, step, ...gathered }) {
      save.run(id, kind, lastAlertAt, nextAt, step, JSON.stringify(gathered))
      if (isTold) tx.hasWiped = true
    },
    saveSilence: (_tx, { id, heardAt, silentAt }) => void hear.run(heardAt, silentAt, id),
    noteNotice: (_tx, id, at) => void notice.run(at, id),
  }
  return {
    rows,
    end: (id: string, kind: StormKind) => void end.run(id, kind),
    /** Moves the times of storms, silences and triggers. */
    move({ since, ms, silenceMs }: Move) {
      const values = { $since: Math.max(since, 0), $ms: ms }
      for (const one of moves) one.run(values)
      moveSilence.run(silenceMs)
    },
  }
}
