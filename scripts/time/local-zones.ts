/** Local times of two zones by the rules of the European Union and of the United States, for checks. */
const HOUR = 3_600_000
const DAY = 24 * HOUR

export type Zone = 'Berlin' | 'NewYork'

/** The milliseconds of a local time at which no clock changes. `day`: its date, as midnight in UTC. */
export function localMs(zone: Zone, day: number, clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  const local = day + hours * HOUR + minutes * 60_000
  return local - aheadMs(zone, local - aheadMs(zone, local))
}

/** How far the zone’s clocks are ahead of UTC. */
function aheadMs(zone: Zone, atMs: number): number {
  const year = new Date(atMs).getUTCFullYear()
  /** The first Sunday from this day on. */
  const sunday = (month: number, date: number) => {
    const day = Date.UTC(year, month - 1, date)
    return day + ((7 - new Date(day).getUTCDay()) % 7) * DAY
  }
  const [winter, from, until] =
    zone === 'Berlin'
      ? [1, sunday(3, 25) + HOUR, sunday(10, 25) + HOUR]
      : [-5, sunday(3, 8) + 7 * HOUR, sunday(11, 1) + 6 * HOUR]
  return (atMs >= from && atMs < until ? winter + 1 : winter) * HOUR
}
