/** Texts that the phone received. */
import * as v from 'valibot'
import type { Incoming } from '#agent/drivers/driver.ts'
import { PhoneCallError } from '#agent/drivers/smsgate/call-phone.ts'
import type { PhoneLink } from '#agent/drivers/smsgate/phone-link.ts'
import type { Received } from '#agent/journal-record.ts'
import { SIMS_MAX, SMSGATE_INBOX_OVERLAP_MS } from '#contracts/bounds.ts'

/** Received texts in one page of the app's inbox, and pages read in one pass. */
export const SMSGATE_INBOX_PAGE = 100
const SMSGATE_INBOX_PAGES_MAX = 100

const Text = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  type: v.string(),
  sender: v.string(),
  simNumber: v.optional(v.nullable(v.number()), null),
  /** For an SMS, the whole text. */
  contentPreview: v.string(),
  createdAt: v.pipe(
    v.string(),
    v.check(time => !Number.isNaN(Date.parse(time))),
  ),
})
type Text = v.InferOutput<typeof Text>

/** How far the inbox was read: the time of the newest text, and the ids of the texts shortly before it. */
const Cursor = v.object({ newestMs: v.number(), seen: v.array(v.string()) })
type Cursor = v.InferOutput<typeof Cursor>

/**
 * Reads texts that are new since the cursor. Texts may appear late, so each call also reads again the texts
 * shortly before the newest one (by the phone's clock) and returns each id once. The first call only
 * records the end of the inbox, because older texts belong to the owner, not to the gateway.
 */
export async function readInbox(link: PhoneLink, cursor: string | null): Promise<Incoming> {
  const unchanged = { messages: [], cursor }
  if (link.seen === null || link.seen.receiveTrouble !== null) return unchanged
  const known = readCursor(cursor)
  const texts = await readSince(link, known === null ? null : known.newestMs - SMSGATE_INBOX_OVERLAP_MS)
  if (texts === null) return unchanged
  const seen = new Set(known?.seen)
  const unseen = texts.filter(text => !seen.has(text.id))
  if (known !== null && unseen.length === 0) return unchanged
  const next = cursorAfter(known, texts)
  if (known === null) return { messages: [], cursor: next }
  const sms = unseen.filter(text => text.type === 'SMS')
  return { messages: sms.toSorted((a, b) => timeOf(a) - timeOf(b)).map(receivedOf), cursor: next }
}

/** Null: the phone cannot be asked now. If `sinceMs` is null, only the newest page is read. */
async function readSince(link: PhoneLink, sinceMs: number | null): Promise<Text[] | null> {
  const texts = new Map<string, Text>()
  const pages = sinceMs === null ? 1 : SMSGATE_INBOX_PAGES_MAX
  try {
    for (let page = 0; page < pages; page++) {
      const query = new URLSearchParams({ type: 'SMS', limit: String(SMSGATE_INBOX_PAGE) })
      if (sinceMs !== null) query.set('from', new Date(Math.max(0, sinceMs)).toISOString())
      if (page > 0) query.set('offset', String(page * SMSGATE_INBOX_PAGE))
      const { httpStatus, json } = await link.call({ method: 'GET', path: `/inbox?${query}` })
      if (httpStatus !== 200 || !Array.isArray(json)) return null
      for (const one of json) {
        const read = v.safeParse(Text, one)
        if (read.success) texts.set(read.output.id, read.output)
      }
      if (json.length < SMSGATE_INBOX_PAGE) break
    }
  } catch (error) {
    if (error instanceof PhoneCallError) return null
    throw error
  }
  return [...texts.values()]
}

function cursorAfter(known: Cursor | null, texts: readonly Text[]): string {
  const newestMs = Math.max(known?.newestMs ?? 0, ...texts.map(timeOf))
  // The next call reads from here on, so it needs no ids of earlier texts.
  const recent = texts.filter(text => timeOf(text) >= newestMs - SMSGATE_INBOX_OVERLAP_MS)
  return JSON.stringify({ newestMs, seen: recent.map(text => text.id) } satisfies Cursor)
}

function readCursor(cursor: string | null): Cursor | null {
  try {
    return cursor === null ? null : v.parse(Cursor, JSON.parse(cursor))
  } catch {
    return null
  }
}

const timeOf = (text: Text) => Date.parse(text.createdAt)

function receivedOf(text: Text): Received {
  const { id, sender, contentPreview, simNumber } = text
  return {
    id,
    from: sender.slice(0, 64),
    message: contentPreview.slice(0, 10_000),
    at: new Date(timeOf(text)).toISOString(),
    simSlot: simNumber !== null && simNumber >= 1 && simNumber <= SIMS_MAX ? simNumber : null,
  }
}
