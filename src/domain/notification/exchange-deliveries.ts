import { NOTIFICATION_LANES_KNOWN_MAX, NOTIFICATION_RETRY_AFTER_MS_MAX } from '#contracts/bounds.ts'
import type { DueDelivery, SenderExchange, SenderOrders } from '#contracts/notification-delivery.ts'
import { ADAPTERS } from '#domain/forward/adapters.ts'
import type { Delivery } from '#domain/notification/notification-store.ts'
import { recordAttempt } from '#domain/notification/record-attempt.ts'
import { signingSetting } from '#domain/notification/set-notification.ts'
import { readCallback } from '#domain/notification/twilio-callback.ts'
import type { World } from '#domain/world.ts'

/** Targets visited in one exchange with the sender, some µs each. The next exchange visits the others. */
export const NOTIFICATION_LANES_VISITED_MAX = 1024
/** Pause between two such exchanges while more targets wait, so that other callers are served. */
const NOTIFICATION_LANES_PAUSE_MS = 50

/** Records the results that the sender reports, and returns due deliveries, at most `room`. */
export function exchangeDeliveries(world: World, { results, room }: SenderExchange): SenderOrders {
  const { notifications, outbox, tx, now } = world
  // A computer without a hardware clock sets its time minutes after boot. That jump must not count as time in
  // which targets failed.
  const setForwardMs = outbox.setForwardMs(now)
  if (setForwardMs > 0) notifications.delayFailing(tx, { ms: setForwardMs, now: now.wallMs })
  for (const reported of results) recordAttempt(world, reported)
  const { agenda } = outbox
  if (notifications.makeDue(tx, now.wallMs + NOTIFICATION_RETRY_AFTER_MS_MAX) > 0) agenda.forget()
  const deliveries: DueDelivery[] = []
  collectDeliveries(world, room, deliveries)
  if (agenda.hasReady || agenda.mustReload(now.wallMs))
    return { deliveries, nextInMs: NOTIFICATION_LANES_PAUSE_MS }
  return { deliveries, nextInMs: agenda.nextAt === null ? null : agenda.nextAt - now.wallMs }
}

/** Adds due deliveries to `into`, from one lane after another, until it has `room` of them. */
function collectDeliveries(world: World, room: number, into: DueDelivery[]): void {
  const { outbox, notifications, tx, now } = world
  const { agenda } = outbox
  let isReloaded = false
  for (let visits = 0; visits < NOTIFICATION_LANES_VISITED_MAX && into.length < room; visits++) {
    const lane = agenda.next(now.wallMs)
    if (lane !== undefined) {
      collectFromLane(world, { lane, room: room - into.length }, into)
      continue
    }
    if (isReloaded || !agenda.mustReload(now.wallMs)) return
    agenda.load(notifications.lanesDue(tx, NOTIFICATION_LANES_KNOWN_MAX + 1))
    isReloaded = true
  }
}

function collectFromLane(
  world: World,
  from: { readonly lane: string; readonly room: number },
  into: DueDelivery[],
): void {
  const { outbox, notifications, tx, now } = world
  const { lane } = from
  let room = Math.min(from.room, outbox.roomOf(lane))
  // The lane continues when the sender reports the result of a delivery that it holds.
  if (room === 0) return
  // Deliveries that the sender holds are still due in the rows, so read as many more.
  const limit = room + outbox.heldOf(lane)
  const due = notifications.due(tx, { lane, now: now.wallMs, limit })
  for (const delivery of due) {
    if (room === 0) break
    if (outbox.holds(delivery.id)) continue
    const order = orderOf(world, delivery)
    if (order === null) {
      notifications.save(tx, { ...delivery, status: 'cancelled' })
      continue
    }
    if (!outbox.hold(delivery.id, delivery)) return
    into.push(order)
    room -= 1
  }
  // If the rows reached the limit, more may be due. Otherwise the lane waits until its next delivery is due.
  if (due.length === limit) {
    if (outbox.roomOf(lane) > 0) outbox.agenda.addReady(lane)
    return
  }
  const nextAt = notifications.nextDueAt(tx, { lane, now: now.wallMs })
  if (nextAt !== null) outbox.agenda.addLater(lane, nextAt)
}

/** The delivery as the sender needs it. Null: its target no longer exists. */
function orderOf(world: World, delivery: Delivery): DueDelivery | null {
  const { id, body, attempts, accountId, ownUrl } = delivery
  // The account was removed, and this row is soon.
  if (world.accounts.find(world.tx, accountId) === undefined) return null
  if (delivery.forwardId !== null) return orderOfForward(world, delivery, delivery.forwardId)
  const setting = signingSetting(world, accountId)
  const url = ownUrl ?? (setting.enabled ? setting.url : null)
  if (url === null) return null
  const isSandbox = ownUrl !== null && JSON.parse(body).data?.test === true
  const order = { id, attempt: attempts + 1, url, isSandbox, secret: setting.secret, body }
  return { ...order, ...readCallback(ownUrl, body) }
}

function orderOfForward(
  { forwards }: World,
  { id, body, attempts, accountId }: Delivery,
  forwardId: string,
): DueDelivery | null {
  const forward = forwards.find(accountId, forwardId)
  if (forward === undefined || !forward.enabled) return null
  const { from, message, receivedAt, sentAt } = JSON.parse(body).data
  const request = ADAPTERS[forward.kind].request(forward, { id, from, text: message, receivedAt, sentAt })
  // A receiver that knows no id of its own can still tell a repeat.
  const named =
    request.via === 'http' ? { ...request, headers: { ...request.headers, 'x-webhook-id': id } } : request
  return { id, attempt: attempts + 1, url: '', isSandbox: false, secret: '', body: '', request: named }
}
