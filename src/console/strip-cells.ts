/** The last day of a phone as 48 half-hours. */
import { t } from '#console/language.ts'
import { spanWords } from '#console/time-words.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { PhoneHalfHour } from '#contracts/device-history.ts'

/** good: online. wait: away for minutes. bad: failures. off: offline. none: nothing is known of that time. */
export type Cell = 'good' | 'wait' | 'bad' | 'off' | 'none'
export type PhoneNow = Pick<DeviceListItem, 'status' | 'lastSeen'>

export const CELLS = 48
export const HALF_HOUR_MS = 1_800_000
const HALF_HOUR_MINUTES = 30
/** The gateway has written the last half-hour, and open pages have asked for it, after this time. */
export const RECORDED_MS = 120_000
/** A shorter absence, such as a restart of the phone, is not shown. */
const OFFLINE_MINUTES_MIN = 3

/** What the cells mean. Each has a shape of its own, so that nobody needs the colours. */
export const STRIP_KEYS: readonly (readonly [kind: Cell, word: string])[] = [
  ['good', t('online')],
  ['wait', t('away for minutes')],
  ['off', t('offline')],
  ['bad', t('failures')],
  ['none', t('no data')],
]

interface PastCell {
  readonly kind: Cell
  readonly offlineMinutes: number
}
const ONLINE: PastCell = { kind: 'good', offlineMinutes: 0 }

/** The last 48 half-hours, oldest first. The last one is the current one: the phone as it is now. */
function pastOf(rows: readonly PhoneHalfHour[], phone: PhoneNow, now: number): readonly PastCell[] {
  const first = Math.floor(now / HALF_HOUR_MS) - CELLS + 1
  const isOff = phone.status === 'offline'
  // Without a row, as after a restart, an offline phone was away since it was last seen.
  const goneFrom = isOff
    ? Math.floor(Date.parse(phone.lastSeen) / HALF_HOUR_MS) + 1
    : Number.POSITIVE_INFINITY
  const known = new Map(rows.map(row => [Date.parse(row.at) / HALF_HOUR_MS, row]))
  const currentMs = now % HALF_HOUR_MS
  return Array.from({ length: CELLS }, (_, index): PastCell => {
    const row = known.get(first + index)
    const isLatest = index === CELLS - 2 && row === undefined && currentMs < RECORDED_MS
    if (index === CELLS - 1 || isLatest)
      return isOff ? { kind: 'off', offlineMinutes: Math.round(currentMs / 60_000) } : ONLINE
    if (row !== undefined) return { kind: kindOf(row), offlineMinutes: row.offlineMinutes }
    const isGone = first + index >= goneFrom
    return { kind: isGone ? 'off' : 'none', offlineMinutes: isGone ? HALF_HOUR_MINUTES : 0 }
  })
}

function kindOf({ failed, offlineMinutes }: PhoneHalfHour): Cell {
  if (failed > 0) return 'bad'
  if (offlineMinutes >= HALF_HOUR_MINUTES) return 'off'
  return offlineMinutes >= OFFLINE_MINUTES_MIN ? 'wait' : 'good'
}

export function cellsOf(rows: readonly PhoneHalfHour[], phone: PhoneNow, now: number): readonly Cell[] {
  return pastOf(rows, phone, now).map(({ kind }) => kind)
}

/** The same in a sentence, for a pointer that rests on it, and for people who do not see it. */
export function stripWords(rows: readonly PhoneHalfHour[], phone: PhoneNow, now: number): string {
  const cells = pastOf(rows, phone, now)
  const first = new Date((Math.floor(now / HALF_HOUR_MS) - CELLS + 1) * HALF_HOUR_MS).toISOString()
  const day = rows.filter(({ at }) => at >= first)
  const sum = (count: (row: PhoneHalfHour) => number) => day.reduce((all, row) => all + count(row), 0)
  const awayMs = cells.reduce((all, { offlineMinutes }) => all + offlineMinutes, 0) * 60_000
  const unknownMs = cells.filter(({ kind }) => kind === 'none').length * HALF_HOUR_MS
  const counts = { sent: sum(row => row.sent), failed: sum(row => row.failed) }
  const values = { ...counts, time: spanWords(awayMs), unknown: spanWords(unknownMs) }
  if (unknownMs > 0)
    return awayMs === 0
      ? t('Last 24 hours: {sent} sent, {failed} failed, no data for {unknown}', values)
      : t('Last 24 hours: {sent} sent, {failed} failed, offline for {time}, no data for {unknown}', values)
  return awayMs === 0
    ? t('Last 24 hours: {sent} sent, {failed} failed, always online', values)
    : t('Last 24 hours: {sent} sent, {failed} failed, offline for {time}', values)
}

/** Failures stand out, short bars are away for a part of the time, offline is hollow, no data is a dash. */
const SHAPES: Readonly<Record<Cell, string>> = {
  good: ' .3h.8v.7h-.8z',
  wait: ' .7h.8v.3h-.8z',
  bad: ' 0h.8v1h-.8z',
  off: ' .3h.8v.7h-.8z',
  none: ' .9h.8v.1h-.8z',
}

/** SVG paths that draw the cells, one for each kind that is there; each cell is 1 wide and 1 high. */
export function stripPaths(cells: readonly Cell[]): readonly (readonly [Cell, string])[] {
  const path = (kind: Cell) =>
    cells.map((cell, index) => (cell === kind ? `M${index + 0.1}${SHAPES[kind]}` : '')).join('')
  return STRIP_KEYS.map(([kind]) => [kind, path(kind)] as const)
}
