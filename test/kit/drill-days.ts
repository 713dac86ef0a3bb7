/**
 * Seeded days of drills: phones, network, clock and gateway break, and each day is held against the truth.
 * Each day begins two hours before the drills, and what is broken stays so until the next one.
 */
import { proofOf } from '#domain/drill/drill.ts'
import { DAY, HOUR, MINUTE, Network, type RadioPhone } from '#test/kit/drill-world.ts'
import { Random } from '#test/kit/random.ts'
import { seededSource } from '#test/kit/seeded-source.ts'
import { TestWorld } from '#test/kit/world.ts'

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca'] as const
const DAYS_OF_TRIAL = 20

interface Tally {
  days: number
  broken: number
  noticed: number
  named: number
  proven: number
}

interface Truth {
  readonly mute: ReadonlySet<RadioPhone>
  readonly deaf: ReadonlySet<RadioPhone>
  readonly isSlow: boolean
  /** Something kept drills from running, so that nothing must be noticed. */
  readonly isDisturbed: boolean
}

/** Runs days until there are so many. @throws Error that names the seed of the trial */
export function runDrillDays(days: number, seed: number): Tally {
  const tally: Tally = { days: 0, broken: 0, noticed: 0, named: 0, proven: 0 }
  for (let trial = 0; tally.days < days; trial++) {
    try {
      runTrial(new Random(seed + trial), tally)
    } catch (error) {
      throw new Error(`seed ${seed + trial}`, { cause: error })
    }
  }
  return tally
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
  const untilDay = () => (untilLocal(world.wallMs, at, zone) - 2 * HOUR + DAY) % DAY
  net.pass(untilDay())
  for (let day = 0; day < DAYS_OF_TRIAL; day++) runDay(net, { random, tally, untilDay })
  expectOneForADate(net)
  world.database.close()
}

/** Milliseconds until this local time comes. */
function untilLocal(nowMs: number, at: string, zone: string): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
  const minutes = (text: string) => {
    const [hours = 0, rest = 0] = text.split(':').map(Number)
    return hours * 60 + rest
  }
  return ((minutes(at) - minutes(clock.format(nowMs)) + 1440) % 1440) * MINUTE
}

interface Course {
  readonly random: Random
  readonly tally: Tally
  /** Milliseconds until the next day begins. */
  readonly untilDay: () => number
}

function runDay(net: Network, { random, tally, untilDay }: Course): void {
  const began = net.world.wallMs
  const truth = breakDay(net, random)
  const disturb = random.below(3)
  const pass = (ms: number) => net.pass(ms)
  pass(2 * HOUR)
  // The gateway restarts at any point of the drills of this day.
  for (let count = disturb === 0 ? random.below(4) : 0; count > 0; count--) {
    pass(random.below(25 * 60) * 1000)
    net.restart(random.below(2) === 0 ? 0 : random.below(10 * 60) * 1000)
  }
  if (truth.isDisturbed) disturbNow(net, random, pass)
  pass(untilDay())
  judgeDay(net, { truth, began, tally })
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

/** A clock that jumps and comes back, a phone that is away, or a gateway that is off for long. */
function disturbNow(net: Network, random: Random, pass: (ms: number) => void): void {
  const kind = random.below(3)
  if (kind === 0) {
    const jumpMs = (1 + random.below(40)) * HOUR * (random.below(2) === 0 ? 1 : -1)
    net.world.wallMs += jumpMs
    pass((1 + random.below(90)) * MINUTE)
    net.world.wallMs -= jumpMs
  } else if (kind === 1) {
    const phone = net.phones[random.below(net.phones.length)]
    phone?.disconnect()
    pass(random.below(9 * 60) * MINUTE)
    phone?.connect()
  } else net.restart(random.below(9 * 60) * MINUTE)
}

interface Judged {
  readonly truth: Truth
  readonly began: number
  readonly tally: Tally
}

function judgeDay(net: Network, { truth, began, tally }: Judged): void {
  tally.days += 1
  for (const phone of net.phones) {
    const device = net.world.batch.fleet.phones.get(phone.id)?.device
    if (device === undefined) throw new Error('a phone is gone')
    const { broken } = proofOf(device)
    const mine = net.drills(phone).filter(({ at }) => Date.parse(at) >= began)
    const target = targetOf(net, phone, began)
    const isBroken = truth.isSlow || truth.mute.has(phone) || truth.deaf.has(target)
    tally.proven += mine.filter(({ outcome }) => outcome === 'proven').length
    if (isBroken) tally.broken += 1
    // After a jump the clock may be known to be wrong for days, until somebody confirms it: its
    // times then are not those of this day.
    const isSkipped = mine.some(({ reason }) => reason === 'the clock of the gateway is wrong')
    if (isSkipped) continue
    const isNew = broken !== null && broken.since >= began
    if (isNew && !isBroken && !truth.isDisturbed)
      throw new Error(`a false alarm: ${broken.half} of ${phone.number}: ${JSON.stringify(mine)}`)
    if (broken?.half === 'sending' && isNew && !truth.mute.has(phone))
      throw new Error(`it does send: ${JSON.stringify(mine)}`)
    if (broken?.half === 'receiving' && isNew && !truth.deaf.has(target))
      throw new Error(`it does receive: ${JSON.stringify(mine)}`)
    if (isNew) tally.named += broken.half === 'sending' || broken.half === 'receiving' ? 1 : 0
    if (!isBroken || truth.isDisturbed) continue
    if (broken === null) throw new Error(`not noticed: ${phone.number} ${JSON.stringify(mine)}`)
    tally.noticed += 1
  }
}

/** The phone to which today's planned drill went, else the next one of the ring, or itself. */
function targetOf({ phones, world }: Network, phone: RadioPhone, began: number): RadioPhone {
  const first = world.database
    .prepare("SELECT to_device_id AS id FROM drill WHERE device_id = ? AND role = 'first' AND at >= ?")
    .all(phone.id, began)
  const next = phones[(phones.indexOf(phone) + 1) % phones.length]
  return phones.find(({ id }) => first.some(row => row['id'] === id)) ?? next ?? phone
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
