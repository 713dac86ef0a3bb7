/** What phones that the gateway reaches had in their hands, for the journal of a new leader. */
import { SMSGATE_INBOX_BACK_MS, SMSGATE_INBOX_TEXTS_MAX } from '#contracts/bounds.ts'
import type { MessageToSend } from '#contracts/phone-orders.ts'
import type { MessageKind } from '#contracts/primitives.ts'
import { instant } from '#domain/time.ts'
import { SERIALS_PER_MS } from '#storage/message-serial.ts'
import { numberOrNull, text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** Delivery reports are followed for this long after a text was sent. */
const REPORTS_FOLLOWED_MS = 86_400_000
/** A witness must be so new that the app still has it: it keeps texts for a day. */
const WITNESS_MS = 43_200_000

export interface HandedOver {
  readonly deviceId: string
  readonly texts: readonly (Omit<MessageToSend, 'text' | 'isCancelled'> & {
    readonly message: string
    readonly acceptedAt: string
    readonly state: 'submitting' | 'sent'
    readonly at: string
  })[]
  /** A text that the phone sent; null: none lately. */
  readonly witness: { readonly messageId: string; readonly attempt: number } | null
  /** Texts that the phone received before this time were handed in, or belong to its owner; wall clock. */
  readonly heardSinceMs: number
  /** The phone's ids of the texts from it that the database has. */
  readonly heardIds: readonly string[]
}

export function readHandedOver(database: DatabaseSync, nowMs: number): HandedOver[] {
  const devices = database.prepare(
    "SELECT id, paired_at FROM device WHERE removed_at IS NULL AND protocol = 'smsgate' ORDER BY id",
  )
  const columns = 'id, attempt, phone_number, text, segments, sim_slot, kind, expires_at, status, sent_at'
  const sending = database.prepare(`
    SELECT ${columns} FROM message INDEXED BY message_open
    WHERE (status IN ('queued', 'sending') OR (test = 1 AND status = 'sent'))
      AND status = 'sending' AND device_id = ?`)
  const sent = database.prepare(
    `SELECT ${columns} FROM message WHERE serial > ? AND device_id = ? AND status = 'sent'`,
  )
  const witness = database.prepare(`
    SELECT id, attempt FROM message WHERE serial > ? AND device_id = ? AND status IN ('sent', 'delivered')
    ORDER BY serial DESC LIMIT 1`)
  const heard = database.prepare(
    'SELECT phone_message_id, received_at FROM received WHERE device_id = ? ORDER BY id DESC LIMIT ?',
  )
  return devices.all().map(device => {
    const id = text(device['id'])
    const known = witness.get((nowMs - WITNESS_MS) * SERIALS_PER_MS, id)
    const rows = [...sending.all(id), ...sent.all((nowMs - REPORTS_FOLLOWED_MS) * SERIALS_PER_MS, id)]
    const received = heard.all(id, SMSGATE_INBOX_TEXTS_MAX)
    const last = numberOrNull(received[0]?.['received_at'] ?? null) ?? nowMs
    return {
      deviceId: id,
      texts: rows.map(row => ({
        messageId: text(row['id']),
        attempt: Number(row['attempt']),
        phoneNumber: text(row['phone_number']),
        message: text(row['text']),
        segments: Number(row['segments']),
        simSlot: numberOrNull(row['sim_slot']),
        kind: text(row['kind']) as MessageKind,
        ttlMs: Math.max(0, Number(row['expires_at']) - nowMs),
        acceptedAt: instant(nowMs),
        state: row['status'] === 'sending' ? ('submitting' as const) : ('sent' as const),
        at: instant(numberOrNull(row['sent_at']) ?? nowMs),
      })),
      witness:
        known === undefined ? null : { messageId: text(known['id']), attempt: Number(known['attempt']) },
      heardSinceMs: Math.max(Number(device['paired_at']), Math.min(last, nowMs) - SMSGATE_INBOX_BACK_MS),
      heardIds: received.map(row => text(row['phone_message_id'])),
    }
  })
}
