/**
 * Seeded days of drills: phones, network, clock and gateway break, and each day is held against the truth.
 * Each day begins two hours before the drills, and what is broken stays so until the next one.
 */
import { proofOf } from '#domain/drill/drill.ts'
import { localDay, minutesOf } from '#domain/on-call/local-time.ts'
import { DAY, HOUR, MINUTE, Network, type RadioPhone } from '#test/kit/drill-world.ts'
import { Random } from '#test/kit/random.ts'
import { seededSource } from '#test/kit/seeded-source.ts'
import { TestWorld } from '#test/kit/world.ts'

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca'] as const
export const DAYS_OF_TRIAL = 50
const CLOCK_WRONG = 'the clock of the gateway is wrong'
/** Each broken chain takes up to an hour of its ring: of many phones the last one may find no turn in 6 h. */
const NO_TURN = 'drills of other phones took too long'
const MANY_PHONES = 4

export interface Tally {
  days: number
  proven: number
  /** Phones and days on which something kept a text of the phone from coming back, and what was noticed. */
  broken: number
  noticed: number
  /** How often the broken half was named. */
  named: number
  restarts: number
  clockJumps: number
  /** The gateway or a phone was away for hours. */
  absences: number
}

interface Truth {
  readonly mute: ReadonlySet<RadioPhone>
  readonly deaf: ReadonlySet<RadioPhone>
  readonly isSlow: boolean
  /** Something kept drills from running, so that nothing must be noticed. */
  readonly isDisturbed: boolean
}

/** Runs trials until there are so many days. `failed` has the seeds of trials that failed, and why. */
export function runDrillDays(days: number, seed: number): { tally: Tally; failed: readonly string[] } {
  const none = { days: 0, proven: 0, broken: 0, noticed: 0, named: 0 }
  const tally: Tally = { ...none, restarts: 0, clockJumps: 0, absences: 0 }
  const failed: string[] = []
  for (let trial = 0; trial * DAYS_OF_TRIAL < days; trial++) {
    try {
      runTrial(new Random(seed + trial), tally)
    } catch (error) {
      failed.push(`seed ${seed + trial}: ${error}`)
    }
  }
  return { tally, failed }
}

function runTrial(random: Random, tally: Tally): void {
  const zone = ZONES[random.below(ZONES.length)] ?? 'UTC'
  const world = new TestWorld(':memory:', seededSource(random))
  Object.assign(world.settings, { timeZone: () => zone })
  world.wallMs = Date.UTC(2026, 0, 1) + random.below(360) * DAY
  world.restart()
  const net = new Network(1 + random.below(4), { world })
  const hour = [2, 2, 3, 10, 10, 23][random.below(6)] ?? 10
  const at = `${String(hour).padStart(2, '0')}:${random.below(2) === 0 ? '00' : '30'}`
  for (const phone of net.phones) net.plan(phone, { at })
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
  // Two hours before the time of the plan.
  const untilDay = () => ((minutesOf(at) - minutesOf(clock.format(world.wallMs)) + 1320) % 1440) * MINUTE
  net.skip(untilDay())
  for (let day = 0; day < DAYS_OF_TRIAL; day++) runDay(net, { random, tally, untilDay })
  expectOneForADate(net)
  world.database.close()
}

interface Course {
  readonly random: Random
  readonly tally: Tally
  /** Milliseconds until the next day begins. */
  readonly untilDay: () => number
}

function runDay(net: Network, { random, tally, untilDay }: Course): void {
  const { row: last } = net.world.database.prepare('SELECT max(rowid) AS row FROM drill').get() ?? {}
  const zone = net.world.settings.timeZone()
  const day = localDay(net.world.wallMs + 2 * HOUR, zone)
  const truth = breakDay(net, random)
  const pass = (ms: number) => net.pass(ms)
  net.skip(2 * HOUR - 5 * MINUTE)
  pass(5 * MINUTE)
  // The gateway restarts at any point of the drills of this day.
  for (let count = random.below(5) === 0 ? 1 + random.below(3) : 0; count > 0; count--) {
    pass(random.below(25 * 60) * 1000)
    net.restart(random.below(2) === 0 ? 0 : random.below(10 * 60) * 1000)
    tally.restarts += 1
  }
  if (truth.isDisturbed) disturbNow(net, { random, tally, pass })
  const isOver = () => !truth.isDisturbed && hasEnded(net, Number(last ?? 0))
  for (let left = untilDay(); left > HOUR / 2 && !isOver(); left = untilDay()) pass(HOUR / 2)
  net.skip(untilDay())
  tally.days += 1
  for (const phone of net.phones) judgeDay(net, { phone, truth, last: Number(last ?? 0), day, tally })
}

/** Whether each phone had its drill, and all have ended. */
function hasEnded({ world, phones }: Network, last: number): boolean {
  const { had, open } =
    world.database
      .prepare(`
        SELECT count(*) FILTER (WHERE role = 'first' AND rowid > ?) AS had,
          count(*) FILTER (WHERE outcome IS NULL) AS open
        FROM drill`)
      .get(last) ?? {}
  return Number(had) >= phones.length && open === 0
}

/** What is broken on this day: mostly nothing, or one phone. */
function breakDay(net: Network, random: Random): Truth {
  const mute = new Set<RadioPhone>()
  const deaf = new Set<RadioPhone>()
  for (const phone of net.phones) {
    phone.sends = 'sent'
    phone.receives = true
    const kind = random.below(12)
    if (kind === 0) deaf.add(phone)
    if (kind === 1 || kind === 2) mute.add(phone)
    if (kind === 2) deaf.add(phone)
    if (kind === 1) phone.sends = 'eaten'
    // A dead SIM.
    if (kind === 2) phone.sends = { code: random.below(2) === 0 ? 'NO_SIM' : 'RESULT_ERROR_GENERIC_FAILURE' }
    if (deaf.has(phone)) phone.receives = false
  }
  const isSlow = random.below(10) === 0
  net.delayMs = isSlow ? 3 * HOUR : 1000 + random.below(20_000)
  return { mute, deaf, isSlow, isDisturbed: random.below(5) === 0 }
}

interface Disturbed extends Pick<Course, 'random' | 'tally'> {
  readonly pass: (ms: number) => void
}

/** A clock that jumps and comes back, a phone that is away, or a gateway that is off for long. */
function disturbNow(net: Network, { random, tally, pass }: Disturbed): void {
  const kind = random.below(3)
  if (kind === 0) {
    const jumpMs = (1 + random.below(40)) * HOUR * (random.below(2) === 0 ? 1 : -1)
    net.world.wallMs += jumpMs
    pass((1 + random.below(90)) * MINUTE)
    net.world.wallMs -= jumpMs
    tally.clockJumps += 1
  } else if (kind === 1) {
    const phone = net.phones[random.below(net.phones.length)]
    phone?.disconnect()
    pass(random.below(9 * 60) * MINUTE)
    phone?.connect()
    tally.absences += 1
  } else {
    net.restart(random.below(9 * 60) * MINUTE)
    tally.absences += 1
  }
}

interface Judged {
  readonly phone: RadioPhone
  readonly truth: Truth
  /** The last row that there was when the day began. */
  readonly last: number
  /** The local date of its drills. */
  readonly day: number
  readonly tally: Tally
}

function judgeDay(net: Network, { phone, truth, last, day, tally }: Judged): void {
  const { database, batch } = net.world
  const device = batch.fleet.phones.get(phone.id)?.device
  if (device === undefined) throw new Error('a phone is gone')
  const { broken } = proofOf(device)
  const rows = database
    .prepare('SELECT * FROM drill WHERE device_id = ? AND rowid > ? ORDER BY rowid')
    .all(phone.id, last)
  const fail = (what: string) => new Error(`${what}: ${phone.number} ${JSON.stringify({ broken, rows })}`)
  tally.proven += rows.filter(({ outcome }) => outcome === 'proven').length
  const first = rows.find(({ role }) => role === 'first')
  if (first === undefined || first['outcome'] === 'skipped') {
    // While the clock was wrong, this date had its drill; or the clock is in doubt until it is confirmed.
    const had = database.prepare('SELECT 1 FROM drill WHERE device_id = ? AND day = ? AND rowid <= ?')
    const reason = first?.['reason']
    const isExplained =
      reason === CLOCK_WRONG ||
      (reason === NO_TURN && net.phones.length >= MANY_PHONES) ||
      had.get(phone.id, day, last) !== undefined
    if (!truth.isDisturbed && !isExplained) throw fail('no drill')
    return
  }
  const target = net.phones.find(({ id }) => id === first['to_device_id']) ?? phone
  const isBroken = truth.isSlow || truth.mute.has(phone) || truth.deaf.has(target)
  const half = rows.some(({ role, outcome }) => role === 'repeat' && outcome !== 'skipped') && broken?.half
  if (half === 'sending' && !truth.mute.has(phone)) throw fail('it does send')
  if (half === 'receiving' && !truth.deaf.has(target)) throw fail('it does receive')
  if (half === 'sending' || half === 'receiving') tally.named += 1
  if (isBroken) tally.broken += 1
  if (truth.isDisturbed) return
  if (broken !== null && !isBroken) throw fail('a false alarm')
  if (broken === null && isBroken) throw fail('not noticed')
  if (isBroken) tally.noticed += 1
}

function expectOneForADate({ world }: Network): void {
  const rows = world.database
    .prepare(
      "SELECT device_id, day, count(*) AS n FROM drill WHERE role = 'first' GROUP BY 1, 2 HAVING n > 1",
    )
    .all()
  if (rows.length > 0) throw new Error(`two drills for one date: ${JSON.stringify(rows)}`)
  const open = world.database
    .prepare('SELECT device_id FROM drill WHERE outcome IS NULL AND open_ms > 22000000')
    .all()
  if (open.length > 0) throw new Error('a drill never ends')
}
