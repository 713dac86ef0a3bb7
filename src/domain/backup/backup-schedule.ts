/** When nightly backups are due, what they are called, and which of them are kept. */
import { DAY_MS } from '#domain/time.ts'

const NAME = /^roost-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z\.backup$/

export interface BackupsKept {
  /** For how many days (UTC) the newest backup of the day is kept. Days without a backup do not count. */
  readonly days: number
  /** The same for weeks, which begin on Monday. */
  readonly weeks: number
}

/** `roost-2026-11-22T033000Z.backup` */
export function backupName(wallMs: number): string {
  const [seconds = ''] = new Date(wallMs).toISOString().split('.')
  return `roost-${seconds.replaceAll(':', '')}Z.backup`
}

/** The time in the name of a backup, in milliseconds since 1970. Null: this is not the name of a backup. */
function timeOf(name: string): number | null {
  const [, day, hours, minutes, seconds] = NAME.exec(name) ?? []
  const wallMs = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`)
  return Number.isNaN(wallMs) ? null : wallMs
}

/** The time of the newest backup among these file names. Null: there is no backup. */
export function newestBackup(names: readonly string[]): number | null {
  const times = names.map(timeOf).filter(time => time !== null)
  return times.length === 0 ? null : Math.max(...times)
}

/** The backups to remove: never other files, and never the newest backup. */
export function expiredBackups(names: readonly string[], { days, weeks }: BackupsKept): readonly string[] {
  const backups = names
    .map(name => ({ name, madeAt: timeOf(name) ?? Number.NaN }))
    .filter(({ madeAt }) => !Number.isNaN(madeAt))
    .sort((a, b) => b.madeAt - a.madeAt)
  // The first day of the epoch was a Thursday.
  const weekOf = (dayNumber: number) => Math.floor((dayNumber + 3) / 7)
  const keptDays = new Set<number>()
  const keptWeeks = new Set<number>()
  return backups.flatMap(({ name, madeAt }) => {
    const day = Math.floor(madeAt / DAY_MS)
    const isDaily = keepFirst(keptDays, day, days)
    const isWeekly = keepFirst(keptWeeks, weekOf(day), weeks)
    return isDaily || isWeekly ? [] : [name]
  })
}

/**
 * Whether to keep a backup for its day or week (`span`). Backups come newest first, so the first backup of a
 * span is its newest. It is kept if fewer than `most` spans are in `kept`, and its span is added there.
 */
function keepFirst(kept: Set<number>, span: number, most: number): boolean {
  if (kept.has(span) || kept.size >= most) return false
  kept.add(span)
  return true
}

/** The last time before `wallMs` that the clock of this machine showed `at` (`HH:MM`). */
export function lastDueAt(wallMs: number, at: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const due = new Date(wallMs)
  due.setHours(hours, minutes, 0, 0)
  if (due.getTime() > wallMs) due.setDate(due.getDate() - 1)
  return due.getTime()
}
