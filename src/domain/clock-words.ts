/** Times of texts that Roost writes itself. */

/** The time and place of the reader. */
export interface Reader {
  readonly nowMs: number
  readonly timeZone: string
}

/** `17:48` on a wall clock of this zone. */
export function clockTime(wallMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'short' }).format(wallMs)
}

/**
 * `17:48` on the reader's wall clock; `2026-01-31 17:48` on another day. In a zone without a name of its own,
 * which servers often have although their reader lives elsewhere, `17:48 UTC`.
 */
export function clockOf(wallMs: number, { nowMs, timeZone }: Reader): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const [day, clock] = format.format(wallMs).split(' ')
  const isToday = format.format(nowMs).startsWith(`${day} `)
  return `${isToday ? clock : `${day} ${clock}`}${timeZone === 'UTC' ? ' UTC' : ''}`
}
