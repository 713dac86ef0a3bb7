/** The last day of a phone as 48 half-hours. */
import { t } from '#console/language.ts'
import { spanWords } from '#console/time-words.ts'
import type { PhoneHalfHour } from '#contracts/device-history.ts'

export type Cell = 'good' | 'wait' | 'bad' | 'off'

export const CELLS = 48
const HALF_HOUR_MS = 1_800_000
/** A shorter absence, such as a restart of the phone, is not shown. */
const OFFLINE_MINUTES_MIN = 3

/** The 48 half-hours before the current one, oldest first. */
export function cellsOf(rows: readonly PhoneHalfHour[], now: number): readonly Cell[] {
  const first = Math.floor(now / HALF_HOUR_MS) - CELLS
  const cells = new Array<Cell>(CELLS).fill('off')
  for (const { at, failed, offlineMinutes } of rows) {
    const index = Date.parse(at) / HALF_HOUR_MS - first
    if (cells[index] === undefined) continue
    cells[index] = failed > 0 ? 'bad' : offlineMinutes >= OFFLINE_MINUTES_MIN ? 'wait' : 'good'
  }
  return cells
}

/** The same in a sentence, for people who do not see it. */
export function stripWords(rows: readonly PhoneHalfHour[], now: number): string {
  const cells = cellsOf(rows, now)
  const first = new Date((Math.floor(now / HALF_HOUR_MS) - CELLS) * HALF_HOUR_MS).toISOString()
  const day = rows.filter(({ at }) => at >= first)
  const sum = (count: (row: PhoneHalfHour) => number) => day.reduce((all, row) => all + count(row), 0)
  const offlineMs = cells.filter(cell => cell === 'off').length * HALF_HOUR_MS
  const awayMs = offlineMs + sum(row => row.offlineMinutes) * 60_000
  const values = { sent: sum(row => row.sent), failed: sum(row => row.failed), time: spanWords(awayMs) }
  return awayMs === 0
    ? t('Last 24 hours: {sent} sent, {failed} failed, always online', values)
    : t('Last 24 hours: {sent} sent, {failed} failed, offline for {time}', values)
}

/** SVG paths that fill the cells, one for each kind; the picture is 48 wide and 1 high. */
export function stripPaths(cells: readonly Cell[]): readonly (readonly [Cell, string])[] {
  const path = (kind: Cell) =>
    cells.map((cell, index) => (cell === kind ? `M${index + 0.1} 0h.8v1h-.8z` : '')).join('')
  return (['good', 'wait', 'bad', 'off'] as const).map(kind => [kind, path(kind)] as const)
}
