/** Local times without a library of time zones, to check the code that uses one. */

const WORDS = ['year', 'month', 'day', 'hour', 'minute', 'weekday'] as const
const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-03-29 03:30 Sun` in this zone. Such words sort by time, apart from an hour that comes twice. */
export function localWords(atMs: number, zone: string): string {
  const format = formats.get(zone) ?? makeFormat(zone)
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]))
  const [year, month, day, hour, minute, weekday] = WORDS.map(type => parts.get(type))
  return `${year}-${month}-${day} ${hour}:${minute} ${weekday}`
}

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  formats.set(timeZone, format)
  return format
}

/** Days that have begun at this hour since 1970-01-01, in local time. */
export function daysBegun(atMs: number, { hour, zone }: { hour: string; zone: string }): number {
  const words = localWords(atMs, zone)
  return Date.parse(words.slice(0, 10)) / 86_400_000 - (words.slice(11, 16) < hour ? 1 : 0)
}

/** Whether this is the moment at which clocks of the zone reach this hour, or pass it by as they change. */
export function reaches(atMs: number, { hour, zone }: { hour: string; zone: string }): boolean {
  const words = localWords(atMs, zone)
  const date = words.slice(0, 10)
  return localWords(atMs - 60_000, zone) < `${date} ${hour}` && `${date} ${hour}` <= words
}

/** Half hours, whole hours, Ramadan: their clocks change in different ways. */
export const ODD_ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Africa/Casablanca',
] as const
