/** Counts what each phone sends, for the caps of its SIM. A `go` counts before it leaves. */
import { isCapped, segmentsLeft, withSegments } from '#domain/device/cap.ts'
import type { Phone } from '#domain/device/phone.ts'
import type { Message } from '#domain/message/message.ts'
import { offerMessages, releaseQueue } from '#domain/sending/offer-messages.ts'
import { DAY_MS, dayOf } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** A jump of the wall clock is noticed so late at most. */
const LOOKED_AT_MS = 3_600_000

/** Counts a `go`. False: a cap has no room for it, and nothing was counted. */
export function countSegments(world: World, phone: Phone, segments: number): boolean {
  if (isCapped(phone.device)) {
    phone.segmentsLeft = segmentsLeft(phone.device, world.now.wallMs)
    if (phone.segmentsLeft < segments) return false
  }
  add(world, phone, { day: dayOf(world.now.wallMs), segments })
  if (phone.segmentsLeft <= 0) releaseQueue(world, phone.id)
  return true
}

/** Takes back a `go` of which is proved that nothing was sent. */
export function uncountSegments(world: World, phone: Phone, { timeline, segments }: Message): void {
  const at = timeline.findLast(({ status }) => status === 'sending')?.at ?? world.now.wallMs
  add(world, phone, { day: dayOf(at), segments: -segments })
}

/** Without a cap, the count is written with the phone's next row. */
function add(world: World, phone: Phone, { day, segments }: { day: number; segments: number }): void {
  phone.device = { ...phone.device, segmentDays: withSegments(phone.device.segmentDays, day, segments) }
  if (!isCapped(phone.device)) return
  phone.segmentsLeft = segmentsLeft(phone.device, world.now.wallMs)
  world.devices.save(world.tx, phone.device)
}

/** Looks at the caps of a phone: at midnight, and after a change. While it has one, it looks again. */
export function watchCap(world: World, phone: Phone): void {
  const { now, deadlines } = world
  phone.segmentsLeft = segmentsLeft(phone.device, now.wallMs)
  phone.isCapWatched = false
  if (phone.segmentsLeft <= 0) releaseQueue(world, phone.id)
  else offerMessages(world, phone)
  addCapDeadline(deadlines, phone, now)
}

export function addCapDeadline(
  deadlines: Pick<World['deadlines'], 'add'>,
  phone: Phone,
  { wallMs, monoMs }: World['now'],
): void {
  if (!isCapped(phone.device) || phone.isCapWatched) return
  phone.isCapWatched = true
  const untilMidnightMs = DAY_MS - (wallMs % DAY_MS)
  deadlines.add(monoMs + Math.min(untilMidnightMs, LOOKED_AT_MS), 'cap', phone.id)
}
