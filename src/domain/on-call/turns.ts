/**
 * Whose turn it is. A turn begins at the hour of the handover, in local time, whatever the clocks do. Turns
 * are counted from `anchorAt`, so who is on call depends on nothing but the rota and the time. Overrides are
 * in the order in which they were made: the last one that covers a time counts. `machineZone` is the zone of
 * a rota without one.
 */
import { localDay, minutesOf, wallMsOf } from '#domain/on-call/local-time.ts'
import type { Rota } from '#domain/on-call/on-call-store.ts'
import { DAY_MS } from '#domain/time.ts'

/** A span in which one person is on call. Wall-clock milliseconds. */
export interface Duty {
  readonly personId: string
  readonly from: number
  readonly until: number
  /** Whether the person stands in for the one whose turn it is. */
  readonly isOverride: boolean
}

type Schedule = Pick<Rota, 'people' | 'days' | 'handover' | 'timeZone'>

/** When the turns of a rota begin. */
interface Grid {
  /** The local day on which turn 0 begins. */
  readonly firstDay: number
  readonly days: number
  readonly clock: string
  readonly zone: string
}

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Who is on call, and until when: until another person is, at most until the next handover. */
export function onCallAt(rota: Rota, atMs: number, machineZone: string): { personId: string; until: number } {
  const grid = gridOf(rota, machineZone)
  const turn = turnAt(grid, atMs)
  const { personId, until } = dutiesOf(rota, grid, turn).find(duty => duty.until > atMs) as Duty
  return { personId, until }
}

/** The next person in the order of turns who is not on call now; null if the rota has nobody else. */
export function nextOnCall(rota: Rota, atMs: number, machineZone: string): string | null {
  const turn = turnAt(gridOf(rota, machineZone), atMs)
  const { personId } = onCallAt(rota, atMs, machineZone)
  return rota.people.map((_, i) => ownerOf(rota, turn + 1 + i)).find(id => id !== personId) ?? null
}

/**
 * Who is on call in the turn of this time and in the next ones, `turns` in all: in order and without a gap.
 * The first one may have begun before. A turn with overrides has several entries.
 */
export function turnsFrom(
  rota: Rota,
  { atMs, turns, machineZone }: { atMs: number; turns: number; machineZone: string },
): readonly Duty[] {
  const grid = gridOf(rota, machineZone)
  const first = turnAt(grid, atMs)
  return Array.from({ length: turns }, (_, i) => dutiesOf(rota, grid, first + i))
    .flat()
    .filter(({ until }) => until > atMs)
}

/**
 * The `anchorAt` of a new rota: the first of `people` is on call since the last handover. With the rota
 * `before` a change: whoever's turn it was keeps it, or the next one who is still in the rota. Handovers stay
 * where they were if `days`, `handover` and `timeZone` did.
 */
export function anchorFor(
  rota: Schedule & { readonly before?: Rota },
  atMs: number,
  machineZone: string,
): number {
  const { before } = rota
  const isSameGrid =
    before?.days === rota.days && before.handover === rota.handover && before.timeZone === rota.timeZone
  const grid = isSameGrid ? gridOf(before, machineZone) : newGrid(rota, atMs, machineZone)
  return startOf(grid, turnAt(grid, atMs) - keptIndex(rota, atMs, machineZone))
}

/** A grid that begins at the last handover on the weekday that the rota names. */
function newGrid(rota: Schedule, atMs: number, machineZone: string): Grid {
  const weekly = gridOf({ ...rota, days: 7, anchorAt: atMs }, machineZone)
  return { ...weekly, days: rota.days, firstDay: weekly.firstDay + 7 * turnAt(weekly, atMs) }
}

/** The place in the changed list of whoever's turn it was, or of the next one who is still in it. */
function keptIndex(
  { people, before }: { readonly people: readonly string[]; readonly before?: Rota },
  atMs: number,
  machineZone: string,
): number {
  if (before === undefined) return 0
  const turn = turnAt(gridOf(before, machineZone), atMs)
  const kept = before.people.map((_, i) => ownerOf(before, turn + i)).find(id => people.includes(id))
  return kept === undefined ? 0 : people.indexOf(kept)
}

/**
 * `anchorAt` is the instant of a handover. Where the zone has changed since, by its rules or because the
 * machine moved, the grid begins at the nearest handover. Turns of whole weeks keep their weekday.
 */
function gridOf(rota: Omit<Schedule, 'people'> & Pick<Rota, 'anchorAt'>, machineZone: string): Grid {
  const { days, anchorAt, timeZone } = rota
  const zone = timeZone ?? machineZone
  const [weekday = '', clock = ''] = rota.handover.split(' ')
  const nearest = localDay(anchorAt - minutesOf(clock) * 60_000 + DAY_MS / 2, zone)
  // Day 0, 1970-01-01, was a Thursday. The sum is the days from 3 before to 3 after, plus 3.
  const shift = (((WEEKDAYS.indexOf(weekday) - nearest) % 7) + 7) % 7
  const firstDay = days % 7 === 0 ? nearest + shift - 3 : nearest
  return { firstDay, days, clock, zone }
}

function startOf({ firstDay, days, clock, zone }: Grid, turn: number): number {
  return wallMsOf(firstDay + turn * days, clock, zone)
}

/** The last turn that has begun. A clock that goes back over midnight makes the local day go back, too. */
function turnAt(grid: Grid, atMs: number): number {
  let turn = Math.floor((localDay(atMs, grid.zone) + 1 - grid.firstDay) / grid.days)
  while (startOf(grid, turn) > atMs) turn--
  return turn
}

/** Whose turn this is, without overrides. */
function ownerOf({ people }: Pick<Rota, 'people'>, turn: number): string {
  return people[((turn % people.length) + people.length) % people.length] as string
}

/** The parts of a turn, each with another person than the one before. */
function dutiesOf(rota: Rota, grid: Grid, turn: number): Duty[] {
  const start = startOf(grid, turn)
  const end = startOf(grid, turn + 1)
  const owner = ownerOf(rota, turn)
  const bounds = rota.overrides
    .flatMap(({ from, until }) => [from, until])
    .filter(at => at > start && at < end)
  const cuts = [...new Set([start, ...bounds, end])].sort((a, b) => a - b)
  const duties: Duty[] = []
  for (const [i, until] of cuts.slice(1).entries()) {
    const from = cuts[i] as number
    const override = rota.overrides.findLast(one => one.from <= from && from < one.until)
    const personId = override?.personId ?? owner
    const last = duties.at(-1)
    const isSame = last?.personId === personId
    if (isSame) duties.pop()
    duties.push({ personId, from: isSame ? last.from : from, until, isOverride: personId !== owner })
  }
  return duties
}
