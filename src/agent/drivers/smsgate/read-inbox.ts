/** Texts that the phone received. */
import { hash } from 'node:crypto'
import * as v from 'valibot'
import type { Clock } from '#agent/clock.ts'
import type { Incoming } from '#agent/drivers/driver.ts'
import { PhoneCallError } from '#agent/drivers/smsgate/call-phone.ts'
import type { PhoneLink } from '#agent/drivers/smsgate/phone-link.ts'
import type { Received } from '#agent/journal-record.ts'
import { SIMS_MAX, SMSGATE_INBOX_BACK_MS, SMSGATE_INBOX_TEXTS_MAX } from '#contracts/bounds.ts'

/** Received texts in one page of the app's inbox. */
export const SMSGATE_INBOX_PAGE = 100
/** Texts that one reading hands in. The next one goes on. */
const HANDED_IN_MAX = 500
/** How often a week is read although the inbox did not grow: a deletion hides the growth … */
const WEEK_EVERY_MS = 600_000
/** … and how often the whole inbox is. */
const WHOLE_EVERY_MS = 86_400_000
const SINCE_BEFORE_NEWEST_MS = 3_600_000
/** A newest text that is further ahead shows that the clock of this machine is behind. */
const AHEAD_MS_MAX = 86_400_000
/** Characters kept of an id's hash, 48 bits: a new text is taken for a known one once in 10⁹ texts. */
const KEY_LENGTH = 8

const Text = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  type: v.fallback(v.string(), 'SMS'),
  sender: v.fallback(v.nullable(v.string()), null),
  simNumber: v.fallback(v.nullable(v.number()), null),
  /** For an SMS, the whole text. */
  contentPreview: v.fallback(v.string(), ''),
  /** The service centre's time, which may be wrong. NaN: unknown. */
  createdAt: v.pipe(
    v.unknown(),
    v.transform(time => Date.parse(String(time))),
  ),
})
type Text = v.InferOutput<typeof Text>

/** What the journal keeps. */
const Cursor = v.object({
  /** Earlier versions, and the journal of a new leader, have none: not all texts on the phone are noted. */
  app: v.optional(v.string(), ''),
  sinceMs: v.optional(v.number()),
  floorMs: v.optional(v.nullable(v.number()), null),
  keys: v.optional(v.string(), ''),
  /** Where `app` is left out: ids. */
  seen: v.optional(v.array(v.string()), []),
  /** Earlier versions: the time of the newest text, instead of `sinceMs`. */
  newestMs: v.optional(v.number(), 0),
})

interface Known {
  /** The app's version: another one may make other ids. Empty: not all texts on the phone are noted. */
  readonly app: string
  /** If the keys tell nothing, older texts are the owner's: from an hour before the newest text, or now. */
  readonly sinceMs: number
  /** The inbox is too long: texts up to this time are not looked at. */
  readonly floorMs: number | null
  /** Keys of the texts that were handed in, or that are the owner's. */
  readonly keys: ReadonlySet<string>
}

/** The cursor, and what was read since the agent started. */
interface Place {
  readonly cursor: string | null
  /** Null: the phone was just added. */
  readonly known: Known | null
  /** How many texts the inbox had when all were known. Null: not known yet. */
  readonly total: number | null
  /** When a week, and the whole inbox, were read, monotonic milliseconds. */
  readonly weekMs: number
  readonly wholeMs: number
}

interface Reading {
  /** Keys of all texts, newest text first. */
  readonly keys: string[]
  readonly fresh: Map<string, Text>
  newestMs: number
  oldestMs: number
  /** How many texts the inbox had at the start. */
  total: number | null
  /** `partly`: the phone fell silent, or there is more to read. `cut`: the inbox is too long. */
  end: 'partly' | 'cut' | 'whole'
}

/**
 * Hands in each text once. The app sorts by the service centre's time, so a new text may stand anywhere in
 * the inbox. A reading goes on until a page has nothing new and as many texts are found as the inbox grew by.
 * What is on the phone when it is added is its owner's: it is noted, and not handed in.
 */
export class PhoneInbox {
  readonly #link: Pick<PhoneLink, 'seen' | 'call'>
  readonly #clock: Clock
  #place = placeAt(null, 0)

  constructor(link: Pick<PhoneLink, 'seen' | 'call'>, clock: Clock) {
    this.#link = link
    this.#clock = clock
  }

  async read(cursor: string | null): Promise<Incoming> {
    const phone = this.#link.seen
    const unchanged = { messages: [], cursor }
    if (phone === null || phone.receiveTrouble !== null) return unchanged
    const wallMs = this.#clock.wallMs()
    // The journal decides: it may not have kept what the last reading found.
    const place = this.#place.cursor === cursor ? this.#place : placeAt(cursor, wallMs)
    const { known } = place
    const isNoted = known?.app === phone.appVersion
    const nowMs = this.#clock.monotonicMs()
    const isWhole = !isNoted || nowMs - place.wholeMs >= WHOLE_EVERY_MS
    const isWeek = isWhole || nowMs - place.weekMs >= WEEK_EVERY_MS
    const weekAgoMs = wallMs - SMSGATE_INBOX_BACK_MS
    const backToMs = isWeek ? weekAgoMs : Number.POSITIVE_INFINITY
    const reading = await this.#readInbox(place, {
      backToMs: isWhole ? Number.NEGATIVE_INFINITY : backToMs,
      freshMax: isNoted ? HANDED_IN_MAX : Number.POSITIVE_INFINITY,
    })
    const { fresh, total } = reading
    const isPartly = reading.end === 'partly'
    if (!isNoted && isPartly) return unchanged
    const found = place.total === null ? null : place.total + fresh.size
    const isUnchanged = isNoted && fresh.size === 0
    const next =
      isUnchanged && !isWhole ? known : { ...knownAfter(known, reading, weekAgoMs), app: phone.appVersion }
    this.#place = {
      cursor: isUnchanged ? cursor : writeCursor(next),
      known: next,
      total: isPartly ? found : total,
      weekMs: isWeek && !isPartly ? nowMs : place.weekMs,
      wholeMs: isWhole && !isPartly ? nowMs : place.wholeMs,
    }
    const texts = isNoted ? [...fresh.values()] : handedInAnew(known, reading)
    const sms = texts.filter(({ type }) => type === 'SMS').toSorted((a, b) => timeOf(a) - timeOf(b))
    return { messages: sms.map(receivedOf), cursor: this.#place.cursor }
  }

  async #readInbox(place: Place, limits: { backToMs: number; freshMax: number }): Promise<Reading> {
    const known = place.known?.keys ?? new Set()
    const floorMs = place.known?.floorMs ?? Number.NEGATIVE_INFINITY
    const wallMs = this.#clock.wallMs()
    const oldestMs = Number.POSITIVE_INFINITY
    const reading: Reading = { keys: [], fresh: new Map(), newestMs: 0, oldestMs, total: null, end: 'partly' }
    for (let offset = 0; offset < SMSGATE_INBOX_TEXTS_MAX; offset += SMSGATE_INBOX_PAGE) {
      const page = await this.#readPage(offset)
      // If a text is deleted meanwhile, the next page begins after a text that was not read.
      if (page === null || (page.total ?? 0) < (reading.total ?? 0)) return reading
      reading.total ??= page.total
      const freshBefore = reading.fresh.size
      for (const text of page.texts) {
        const key = keyOf(text.id)
        const timeMs = text.createdAt
        if (timeMs <= floorMs) continue
        reading.keys.push(key)
        if (timeMs <= wallMs) reading.newestMs = Math.max(reading.newestMs, timeMs)
        if (timeMs < reading.oldestMs) reading.oldestMs = timeMs
        if (!known.has(key)) reading.fresh.set(key, text)
      }
      const { size } = reading.fresh
      const isGrowthFound = place.total === null || page.total === null || page.total - place.total <= size
      const isAllKnown = size === freshBefore && isGrowthFound && reading.oldestMs < limits.backToMs
      if (page.length < SMSGATE_INBOX_PAGE || isAllKnown) return { ...reading, end: 'whole' }
      if (size >= limits.freshMax) return reading
    }
    return { ...reading, end: 'cut' }
  }

  /** Null: the phone cannot be asked now. */
  async #readPage(offset: number) {
    const query = new URLSearchParams({ type: 'SMS', limit: String(SMSGATE_INBOX_PAGE) })
    if (offset > 0) query.set('offset', String(offset))
    try {
      const { httpStatus, json, totalCount } = await this.#link.call({
        method: 'GET',
        path: `/inbox?${query}`,
      })
      if (httpStatus !== 200 || !Array.isArray(json)) return null
      const texts = json.flatMap(one => {
        const read = v.safeParse(Text, one)
        return read.success ? [read.output] : []
      })
      return { texts, length: json.length, total: totalCount }
    } catch (error) {
      if (error instanceof PhoneCallError) return null
      throw error
    }
  }
}

/**
 * The new texts of a phone whose inbox is noted again. Usually the known keys tell them. If all ids changed,
 * or not all texts were noted, texts that are older than the newest known one may be the owner's.
 */
function handedInAnew(known: Known | null, { keys, fresh }: Reading): Text[] {
  if (known === null) return []
  const texts = [...fresh.values()]
  if (known.app !== '' && keys.some(key => known.keys.has(key))) return texts
  return texts.filter(text => !(text.createdAt < known.sinceMs))
}

function knownAfter(known: Known | null, reading: Reading, weekAgoMs: number): Omit<Known, 'app'> {
  const keys = new Set(known?.keys)
  // The oldest first, and what is on the phone last: the first ones are dropped.
  for (const key of reading.keys.toReversed()) {
    keys.delete(key)
    keys.add(key)
  }
  for (const key of keys) {
    if (keys.size <= 2 * SMSGATE_INBOX_TEXTS_MAX) break
    keys.delete(key)
  }
  return {
    sinceMs: Math.max(known?.sinceMs ?? 0, reading.newestMs - SINCE_BEFORE_NEWEST_MS),
    floorMs: reading.end === 'cut' ? Math.min(reading.oldestMs, weekAgoMs) : (known?.floorMs ?? null),
    keys,
  }
}

function writeCursor({ keys, ...rest }: Known): string {
  return JSON.stringify({ ...rest, keys: [...keys].join('') } satisfies v.InferInput<typeof Cursor>)
}

function placeAt(cursor: string | null, wallMs: number): Place {
  const never = Number.NEGATIVE_INFINITY
  return { cursor, known: readCursor(cursor, wallMs), total: null, weekMs: never, wholeMs: never }
}

function readCursor(cursor: string | null, wallMs: number): Known | null {
  try {
    if (cursor === null) return null
    const { app, floorMs, keys, seen, ...times } = v.parse(Cursor, JSON.parse(cursor))
    const isAhead = times.newestMs > wallMs && times.newestMs - wallMs < AHEAD_MS_MAX
    const newestMs = isAhead ? wallMs : times.newestMs
    return {
      app,
      sinceMs: times.sinceMs ?? newestMs - SINCE_BEFORE_NEWEST_MS,
      floorMs,
      keys: new Set([...(keys.match(/.{8}/g) ?? []), ...seen.map(keyOf)]),
    }
  } catch {
    return null
  }
}

const keyOf = (id: string) => hash('sha256', id, 'base64url').slice(0, KEY_LENGTH)
const timeOf = (text: Text) => text.createdAt || 0

function receivedOf(text: Text): Received {
  const { id, sender, contentPreview, simNumber, createdAt } = text
  return {
    id,
    from: sender?.slice(0, 64) ?? null,
    message: contentPreview.slice(0, 10_000),
    at: Number.isNaN(createdAt) ? null : new Date(createdAt).toISOString(),
    simSlot: simNumber !== null && simNumber >= 1 && simNumber <= SIMS_MAX ? simNumber : null,
  }
}
