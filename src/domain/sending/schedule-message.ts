/**
 * Messages that wait for the time of their `sendAt`, or for a clock that may have jumped by mistake. `sendAt`
 * is a time of the wall clock. Its deadline is on the monotonic clock, so a jump of the wall clock moves it.
 */
import type { Deadline } from '#domain/deadlines.ts'
import type { Fleet } from '#domain/fleet.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { invalid } from '#domain/problem.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import { assign, offerWaiting, queueMessage } from '#domain/sending/offer-messages.ts'
import { simulateMessage } from '#domain/sending/simulate-sandbox.ts'
import { DAY_MS, monotonicDeadline } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** How far ahead `sendAt` may be: a text keeps its place in memory until then. */
const SEND_AHEAD_DAYS_MAX = 90

/** How far in the past `sendAt` may be: the caller's clock may be behind. Such a text is sent at once. */
const PAST_MS_MAX = 5 * 60_000

/** Why no message can be planned for this time: it is in the past or too far ahead. Null: one can. */
export function faultOfSendAt(sendAt: number, wallMs: number): string | null {
  const aheadMs = sendAt - wallMs
  if (aheadMs < -PAST_MS_MAX) return 'must not be in the past: leave it out to send at once'
  return aheadMs > SEND_AHEAD_DAYS_MAX * DAY_MS ? `must be at most ${SEND_AHEAD_DAYS_MAX} days ahead` : null
}

/** @throws Problem INVALID_REQUEST as `faultOfSendAt` says */
export function checkSendAt({ now }: Pick<World, 'now'>, sendAt: number): void {
  const fault = faultOfSendAt(sendAt, now.wallMs)
  if (fault !== null) throw invalid([{ path: 'sendAt', message: fault }])
}

/** Lets a message wait until `sendAt`. Its time to live begins then. */
export function scheduleMessage(
  { deadlines, now }: Pick<World, 'deadlines' | 'now'>,
  open: OpenMessage,
  sendAt: number,
): void {
  open.isByRow = true
  waitFor({ deadlines, now }, open, sendAt - now.wallMs)
}

/** Lets a message wait outside of all queues. Its row is looked at then, and after a jump of the clock. */
export function waitFor(
  { deadlines, now }: Pick<World, 'deadlines' | 'now'>,
  open: OpenMessage,
  ms: number,
): void {
  open.queue?.remove(open)
  open.stage = 'scheduled'
  setDue(deadlines, open, now.monoMs + ms)
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

/**
 * Handles the end of a message's time to live by the monotonic clock. Returns whether it goes on: its row
 * says so, or only a jump of the clock has brought the end.
 */
export function outlives(world: World, open: OpenMessage): boolean {
  const message = open.isByRow ? world.messages.find(world.tx, open.id) : undefined
  if (message === undefined) return false
  const { now, deadlines, clock } = world
  if (message.expiresAt > now.wallMs) {
    open.expiresAtMono = monotonicDeadline(message.expiresAt, open.ttlMs, now)
    deadlines.addExpiry(open)
    return true
  }
  const heldMs = open.stage === 'offered' ? 0 : clock.heldMs(now, message.expiresAt)
  if (heldMs > 0) waitFor(world, open, heldMs)
  return heldMs > 0
}

/** Queues a message that waits outside of all queues, if its time has come. */
export function releaseScheduled(world: World, open: OpenMessage): void {
  const { fleet, now, settings, clock } = world
  const message = world.messages.find(world.tx, open.id)
  if (message === undefined) return
  const { sendAt, expiresAt } = message
  if (sendAt !== null && sendAt > now.wallMs) return scheduleMessage(world, open, sendAt)
  if (expiresAt <= now.wallMs) {
    const heldMs = clock.heldMs(now, expiresAt)
    return heldMs > 0 ? waitFor(world, open, heldMs) : endMessage(world, open, 'EXPIRED')
  }
  open.stage = 'resting'
  open.expiresAtMono = monotonicDeadline(expiresAt, open.ttlMs, now)
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
export function followWallClock({ fleet, now, deadlines }: Pick<World, 'fleet' | 'now' | 'deadlines'>): void {
  // Each message finds out itself, from its row, when it is due.
  for (const open of fleet.messages.values())
    if (open.stage === 'scheduled') setDue(deadlines, open, now.monoMs)
}
