import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { DrillResource } from '#contracts/drill.ts'
import { sentence } from '#contracts/words.ts'
import { isClockWrong } from '#domain/clock/believed-clock.ts'
import type { Phone } from '#domain/device/phone.ts'
import { DRILL_WAIT_MS_MAX, type Drill, describeDrill, type StoredPlan } from '#domain/drill/drill.ts'
import { localDay } from '#domain/on-call/local-time.ts'
import { limitReached } from '#domain/problem.ts'
import { referencedPhone } from '#domain/sending/change-device.ts'
import { type DrillSlot, lastSlot, nextSlot } from '#domain/sending/drill-slots.ts'
import { chooseWay, isHindrance, isUnderWay, senderHindrance } from '#domain/sending/drill-way.ts'
import { beginDrill, mayBegin, NO_ROOM, problemOf, skipPlanned } from '#domain/sending/run-drills.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

const BY_HAND_PER_HOUR_MAX = 3
const LOOK_MS = MINUTE_MS
/** Times of a plan are of the wall clock, which may be set. */
const LOOK_MS_MAX = HOUR_MS
/** A planned drill waits so long for those of other phones; then only for those of the same two. */
const TURN_MS_MAX = HOUR_MS

const CLOCK_WRONG = sentence('the clock of the gateway is wrong').english
const GATEWAY_OFF = sentence('the gateway was off').english
const NO_TURN = sentence('drills of other phones took too long').english

/**
 * Begins a drill by hand.
 *
 * @throws Problem NOT_FOUND; CONFLICT (under way, paused, at its cap, no number, no phone that receives);
 * NO_DEVICE_AVAILABLE; RATE_LIMIT_EXCEEDED; SERVICE_UNAVAILABLE
 */
export function startDrill(world: World, input: CommandInput<'drill.start'>): DrillResource {
  const phone = referencedPhone(world, input)
  const hindrance = senderHindrance(world, phone)
  if (hindrance !== null) throw problemOf(hindrance)
  const way = chooseWay(world, phone, false)
  if (isHindrance(way)) throw problemOf(way)
  checkRate(world, phone)
  const asked = { by: 'hand', day: null, role: 'first', firstId: null } as const
  const drill = beginDrill(world, phone, { ...asked, way, simSlot: phone.device.drill?.simSlot ?? null })
  return describeDrill(drill)
}

function checkRate({ drills, now }: World, phone: Phone): void {
  const begun = drills.byHand(phone.id, now.wallMs - DAY_MS)
  const words = (most: number, isHour: boolean) =>
    isHour
      ? `a phone may have ${most} drills by hand in an hour: wait, or plan them`
      : `a phone may have ${most} drills by hand in a day: wait, or plan them`
  const bounds = [
    { most: ACCOUNT_BOUNDS.drills.most, spanMs: DAY_MS },
    { most: BY_HAND_PER_HOUR_MAX, spanMs: HOUR_MS },
  ]
  for (const { most, spanMs } of bounds) {
    const recent = begun.filter(at => at > now.wallMs - spanMs && at <= now.wallMs)
    const retryAfterMs = (recent.at(-most) ?? now.wallMs) + spanMs - now.wallMs
    const resetAtMs = now.wallMs + retryAfterMs
    if (recent.length >= most)
      throw limitReached(words(most, spanMs === HOUR_MS), { limit: most, resetAtMs, retryAfterMs })
  }
}

export function listDrills(world: World, input: CommandInput<'drill.list'>): readonly DrillResource[] {
  return world.drills.list(referencedPhone(world, input).id).map(describeDrill)
}

/** Begins the planned drill of a phone that is due, or looks again when the next one is. */
export function watchPlan(world: World, deviceId: string): void {
  const phone = world.fleet.phones.get(deviceId)
  const plan = phone?.device.drill
  if (phone === undefined || plan == null) return void world.drillMemory.hindered.delete(deviceId)
  const { now, settings, deadlines } = world
  const where = { deviceId, zone: settings.timeZone() }
  const isWaiting = runDue(world, phone, { plan, slot: lastSlot(plan, where, now.wallMs), zone: where.zone })
  const untilNextMs = isWaiting ? LOOK_MS : nextSlot(plan, where, now.wallMs).at - now.wallMs
  deadlines.add(now.monoMs + Math.min(untilNextMs, LOOK_MS_MAX), 'drill-plan', deviceId)
}

interface Planned {
  readonly plan: StoredPlan
  readonly slot: DrillSlot | null
  readonly zone: string
}

/** True: a drill is due and cannot begin yet. */
function runDue(world: World, phone: Phone, { plan, slot, zone }: Planned): boolean {
  const { now, drillMemory } = world
  const isMonthly = plan.every === 'month'
  const today = localDay(now.wallMs, zone)
  const day = slot === null ? null : isMonthly ? Math.max(slot.day, today) : slot.day
  if (
    slot === null ||
    day === null ||
    isDone(world.drills.planned(phone.id, { from: slot.day, until: day }), day)
  ) {
    drillMemory.hindered.delete(phone.id)
    return false
  }
  const lateMs = now.wallMs - slot.at
  const isWrong = isClockWrong(now.wallMs, world.clock.facts(now))
  const isMissed = !isMonthly && lateMs > DRILL_WAIT_MS_MAX && !isWrong
  const words = isMissed ? null : isWrong ? CLOCK_WRONG : begin(world, phone, { day, lateMs })
  if (words === null && !isMissed) return false
  const known = drillMemory.hindered.get(phone.id)
  const before = known?.day === day ? known : null
  const hindered = { day, since: before?.since ?? now.monoMs, words: words ?? before?.words ?? GATEWAY_OFF }
  if (!isMissed && now.monoMs - hindered.since < DRILL_WAIT_MS_MAX) {
    drillMemory.hindered.set(phone.id, hindered)
    return true
  }
  drillMemory.hindered.delete(phone.id)
  skipPlanned(world, phone, hindered)
  return false
}

/** Whether this date had its drill, or a monthly plan has one since its time came. */
function isDone(planned: readonly Drill[], day: number): boolean {
  return planned.some(one => one.day === day || one.outcome !== 'skipped')
}

/** Begins the drill of this date. Null: it has begun; else why it cannot. */
function begin(world: World, phone: Phone, { day, lateMs }: { day: number; lateMs: number }): string | null {
  const underWay = world.drills.open(phone.device.accountId).filter(isUnderWay)
  if (underWay.length > 0 && lateMs < TURN_MS_MAX) return NO_TURN
  const hindrance = senderHindrance(world, phone)
  if (hindrance !== null) return hindrance.words
  const way = chooseWay(world, phone, true)
  if (isHindrance(way)) return way.words
  const ends = new Set([phone.id, way.target.id])
  if (underWay.some(one => ends.has(one.deviceId) || ends.has(one.toDeviceId ?? ''))) return NO_TURN
  const asked = { by: 'plan', day, role: 'first', firstId: null } as const
  const simSlot = phone.device.drill?.simSlot ?? null
  return mayBegin(() => beginDrill(world, phone, { ...asked, way, simSlot })) ? null : NO_ROOM
}
