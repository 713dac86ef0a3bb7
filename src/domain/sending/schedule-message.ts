/**
 * Messages that wait for the time of their `sendAt`. It is a time of the wall clock. Its deadline is on the
 * monotonic clock, so a jump of the wall clock moves the deadline.
 */
import type { Deadline } from '#domain/deadlines.ts'
import type { Fleet } from '#domain/fleet.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { invalid } from '#domain/problem.ts'
import { assign, offerWaiting, queueMessage } from '#domain/sending/offer-messages.ts'
import { simulateMessage } from '#domain/sending/simulate-sandbox.ts'
import { DAY_MS, monotonicDeadline } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** How far ahead `sendAt` may be: a text keeps its place in memory until then. */
const SEND_AHEAD_DAYS_MAX = 90
/** How far in the past `sendAt` may be: the caller's clock may be behind. Such a text is sent at once. */
const PAST_MS_MAX = 5 * 60_000
/** Smaller jumps, and clocks that drift, change a deadline only when it ends. */
const JUMP_MS_MIN = 1000

/** @throws Problem INVALID_REQUEST for a time in the past or too far ahead */
export function checkSendAt({ now }: Pick<World, 'now'>, sendAt: number): void {
  const aheadMs = sendAt - now.wallMs
  if (aheadMs < -PAST_MS_MAX)
    throw invalid([{ path: 'sendAt', message: 'must not be in the past: leave it out to send at once' }])
  if (aheadMs > SEND_AHEAD_DAYS_MAX * DAY_MS)
    throw invalid([{ path: 'sendAt', message: `must be at most ${SEND_AHEAD_DAYS_MAX} days ahead` }])
}

/** Lets a message wait until `sendAt`. Its time to live begins then. */
export function scheduleMessage(
  { deadlines, now }: Pick<World, 'deadlines' | 'now'>,
  open: OpenMessage,
  sendAt: number,
): void {
  open.stage = 'scheduled'
  setDue(deadlines, open, now.monoMs + (sendAt - now.wallMs))
}

/** A deadline of another time than `expiresAtMono` is obsolete. */
function setDue(deadlines: World['deadlines'], open: OpenMessage, at: number): void {
  open.expiresAtMono = at
  deadlines.add(at, 'due', open.id)
}

/** Whether the deadline is the newest one of its scheduled message. */
export function isDue({ messages }: Fleet, { id, at }: Deadline): boolean {
  const open = messages.get(id)
  return open?.stage === 'scheduled' && open.expiresAtMono === at
}

/** Queues a scheduled message if its time has come. */
export function releaseScheduled(world: World, open: OpenMessage): void {
  const { fleet, now, settings } = world
  const message = world.messages.find(world.tx, open.id)
  if (message?.sendAt == null) return
  if (message.sendAt > now.wallMs) return scheduleMessage(world, open, message.sendAt)
  open.stage = 'resting'
  open.expiresAtMono = monotonicDeadline(message.expiresAt, open.ttlMs, now)
  world.deadlines.addExpiry(open)
  if (message.test) return simulateMessage(world, open)
  if (!open.pinned) {
    const { accountId, country } = message
    const { monoMs } = now
    const { offlineAfterMs } = settings
    const { groupId, segments } = open
    const chosen = fleet.choose(accountId, { country, segments, monoMs, offlineAfterMs, groupId })
    assign(world, open, chosen?.id ?? null)
  }
  queueMessage(world, open)
  offerWaiting(world, open)
}

/** Sets the deadlines of scheduled messages again after the wall clock has jumped. */
export function followWallClock(world: Pick<World, 'fleet' | 'now' | 'deadlines'>): void {
  const { fleet, now, deadlines } = world
  const aheadMs = now.wallMs - now.monoMs
  if (Math.abs(aheadMs - fleet.wallAheadMs) < JUMP_MS_MIN) return
  fleet.wallAheadMs = aheadMs
  // Each message finds out itself, from its row, when it is due.
  for (const open of fleet.messages.values())
    if (open.stage === 'scheduled') setDue(deadlines, open, now.monoMs)
}
