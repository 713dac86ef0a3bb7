/** Reads the days that people name in a search: `last night`, `Tuesday`, `24 Nov`, `24.11.2026`. */
import { ENGLISH, type Language, type Sentence, say, sentence } from '#contracts/words.ts'
import { foldText } from '#domain/message/search.ts'
import { localDay, wallMsOf } from '#domain/on-call/local-time.ts'
import { DAY_MS, dayOf } from '#domain/time.ts'

export interface NamedDay {
  /** The words that name it. */
  readonly words: string
  /** The other words. */
  readonly rest: string
  /** Wall clock, both included. */
  readonly since: number
  readonly until: number
}

/** Whose words these are, and their now. */
export interface DayReader {
  readonly language: Language
  readonly timeZone: string
  readonly wallMs: number
}

/** From a local time of one day to that of another, excluded. Days count from today. */
type Span = readonly [from: number, clock: string, to: number, clock: string]

/** Words for a part of a day. In these sentences, commas are between words for the same. */
const PARTS: readonly (readonly [words: Sentence, span: Span])[] = [
  [sentence('last night'), [-1, '20:00', 0, '08:00']],
  [sentence('early today, this morning'), [0, '05:00', 0, '12:00']],
  [sentence('this afternoon'), [0, '12:00', 0, '18:00']],
  [sentence('this evening, tonight'), [0, '18:00', 1, '06:00']],
  [sentence('yesterday evening'), [-1, '18:00', 0, '00:00']],
  [sentence('the day before yesterday'), [-2, '00:00', -1, '00:00']],
]
const WORDS_MAX = 4
const DAYS_BACK = 30
const WEEK = 7

/** The first day in the text; null: it names none. The longest words count: `last Tuesday`, not `Tuesday`. */
export function readDay(typed: string, reader: DayReader): NamedDay | null {
  const words = typed.split(/\s+/).filter(word => word !== '')
  const today = localDay(reader.wallMs, reader.timeZone)
  const calendars = [...new Set([reader.language, ENGLISH])].map(language => knownCalendar(language, today))
  for (let length = Math.min(WORDS_MAX, words.length); length > 0; length--)
    for (let start = 0; start + length <= words.length; start++) {
      const said = words.slice(start, start + length).join(' ')
      const span = calendars.map(calendar => spanOf(said, calendar, today)).find(one => one !== null)
      if (span == null) continue
      const [from, fromClock, to, toClock] = span
      const rest = [...words.slice(0, start), ...words.slice(start + length)].join(' ')
      const since = wallMsOf(today + from, fromClock, reader.timeZone)
      return { words: said, rest, since, until: wallMsOf(today + to, toClock, reader.timeZone) - 1 }
    }
  return null
}

interface Calendar {
  readonly spans: ReadonlyMap<string, Span>
  /** The numbers of the months, 1 to 12, by their names. */
  readonly months: ReadonlyMap<string, number>
  /** Words that may stand before a day: `on`. */
  readonly before: readonly string[]
}

/** By language, those of the day that was asked about last, because it takes long to make one. */
const made = new Map<string, { readonly today: number; readonly calendar: Calendar }>()

function knownCalendar(language: Language, today: number): Calendar {
  const known = made.get(language.tag)
  if (known?.today === today) return known.calendar
  const calendar = calendarOf(language, today)
  made.set(language.tag, { today, calendar })
  return calendar
}

function calendarOf(language: Language, today: number): Calendar {
  const { tag } = language
  const spans = new Map<string, Span>()
  const add = (words: string, span: Span) => {
    for (const one of words.split(', ')) spans.set(plain(one), span)
  }
  const days = (from: number, to: number): Span => [from, '00:00', to, '00:00']
  for (const [words, span] of PARTS) add(say(language, words), span)
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  for (let back = 0; back <= DAYS_BACK; back++) add(relative.format(-back, 'day'), days(-back, 1 - back))
  const monday = -((today + 3) % WEEK)
  for (const weeks of [0, -1]) {
    const first = monday + weeks * WEEK
    add(relative.format(weeks, 'week'), days(first, first + WEEK))
  }
  const weekday = namer(tag, { weekday: 'long' })
  for (let back = 0; back < WEEK; back++) {
    const day = weekday((today - back) * DAY_MS)
    add(day, days(-back, 1 - back))
    const last = back === 0 ? WEEK : back
    add(say(language, 'last {day}', { day }), days(-last, 1 - last))
  }
  const months = new Map<string, number>()
  for (const month of ['long', 'short'] as const) {
    const name = namer(tag, { month })
    for (let number = 1; number <= 12; number++) months.set(plain(name(Date.UTC(2000, number - 1))), number)
  }
  const before = say(language, 'on {day}', { day: '' }).split(', ')
  return { spans, months, before: before.map(word => `${word.trim()} `) }
}

function namer(tag: string, options: Intl.DateTimeFormatOptions): (at: number) => string {
  const format = new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' })
  return at => format.format(at)
}

/** Without what people leave out: capitals, accents, full stops, a comma at the end. */
function plain(words: string): string {
  return foldText(words).replace(/[.,](?= |$)/g, '')
}

function spanOf(said: string, { spans, months, before }: Calendar, today: number): Span | null {
  const lead = before.find(word => foldText(said).startsWith(word)) ?? ''
  const bare = said.slice(lead.length)
  const known = spans.get(plain(said)) ?? spans.get(plain(bare))
  if (known !== undefined) return known
  const date = dateOf(bare, months)
  const day = date === null ? null : lastSuch(date, today)
  return day === null ? null : [day - today, '00:00', day - today + 1, '00:00']
}

type DateParts = readonly [year: number | null, month: number, day: number]

/** `2026-11-24`, `24.11.`, `24.11.2026`, `24 Nov`, `24. November 2026`, `November 24`. */
function dateOf(said: string, months: ReadonlyMap<string, number>): DateParts | null {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(said)
  if (iso !== null) return [Number(iso[1]), Number(iso[2]), Number(iso[3])]
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})?$/.exec(said)
  if (dotted !== null) return [yearOf(dotted[3]), Number(dotted[2]), Number(dotted[1])]
  const [one = '', other = '', year, ...more] = plain(said).split(' ')
  const month = months.get(one) ?? months.get(other)
  const day = months.has(one) ? other : one
  if (month === undefined || more.length > 0 || !/^\d{1,2}$/.test(day)) return null
  return year === undefined || /^\d{4}$/.test(year) ? [yearOf(year), month, Number(day)] : null
}

function yearOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits)
}

/** As whole days since 1970; without a year the last such day. Null: no calendar has it. */
function lastSuch([year, month, day]: DateParts, today: number): number | null {
  const thisYear = new Date(today * DAY_MS).getUTCFullYear()
  for (let one = year ?? thisYear; one >= (year ?? thisYear - 4); one--) {
    const date = new Date(Date.UTC(one, month - 1, day))
    const isThere = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    if (isThere && (year !== null || dayOf(date.getTime()) <= today)) return dayOf(date.getTime())
  }
  return null
}
