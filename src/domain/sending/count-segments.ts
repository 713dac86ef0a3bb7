/**
 * Counts what each phone sends, for the caps of its SIM. Under a cap a `go` counts before it leaves, so that
 * no cap is passed. Without one, a text counts when it was sent, in the row that is written then anyway.
 */
import { isCapped, segmentsLeft, withSegments } from '#domain/device/cap.ts'
import type { Device, Phone } from '#domain/device/phone.ts'
import type { Message } from '#domain/message/message.ts'
import { offerMessages, releaseQueue } from '#domain/sending/offer-messages.ts'
import { DAY_MS, dayOf } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

type Caps = Pick<Device, 'smsPerDayMax' | 'smsPerMonthMax' | 'monthStartsOn'>

/** A jump of the wall clock is noticed so late at most. */
const LOOKED_AT_MS = 3_600_000

/** Counts a `go` under a cap. False: the cap has no room for it, and nothing was counted. */
export function countGo(world: World, phone: Phone, segments: number): boolean {
  const { wallMs } = world.now
  if (!isCapped(phone.device)) return true
  phone.segmentsLeft = segmentsLeft(phone.device, wallMs)
  if (phone.segmentsLeft < segments) return false
  add(world, phone, { day: dayOf(wallMs), segments })
  if (phone.segmentsLeft <= 0) releaseQueue(world, phone.id)
  return true
}

/** Takes back a `go` under a cap of which is proved that nothing was sent. */
export function uncountGo(world: World, phone: Phone, { timeline, segments }: Message): void {
  if (!isCapped(phone.device)) return
  const at = timeline.findLast(({ status }) => status === 'sending')?.at ?? world.now.wallMs
  add(world, phone, { day: dayOf(at), segments: -segments })
}

/** The device after a text that was sent without a cap. */
export function withSent(device: Device, { segments }: Message, wallMs: number): Device {
  if (isCapped(device)) return device
  return { ...device, segmentDays: withSegments(device.segmentDays, dayOf(wallMs), segments) }
}

/** The device after a change of its caps: what it is sending counts from now on, or when it is sent. */
export function withCaps({ device, flights }: Phone, caps: Partial<Caps>, wallMs: number): Device {
  const changed = { ...device, ...caps }
  if (isCapped(device) === isCapped(changed)) return changed
  let sending = 0
  for (const { message } of flights.values()) if (message.stage === 'sending') sending += message.segments
  const segments = isCapped(changed) ? sending : -sending
  return { ...changed, segmentDays: withSegments(device.segmentDays, dayOf(wallMs), segments) }
}

function add(world: World, phone: Phone, { day, segments }: { day: number; segments: number }): void {
  phone.device = { ...phone.device, segmentDays: withSegments(phone.device.segmentDays, day, segments) }
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
