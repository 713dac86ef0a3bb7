import type { DueDelivery, SenderExchange, SenderOrders } from '#contracts/notification-delivery.ts'
import {
  NOTIFICATION_LANES_LOOKED_AT_MAX,
  NOTIFICATION_LANES_PAUSE_MS,
  NOTIFICATION_RETRY_AFTER_MS_MAX,
} from '#contracts/notification-limits.ts'
import type { Delivery } from '#domain/notification/notification-store.ts'
import { recordAttempt } from '#domain/notification/record-attempt.ts'
import { signingSetting } from '#domain/notification/set-notification.ts'
import type { World } from '#domain/world.ts'

/** Records what the sender reports, then hands it what is due, at most as much as it has room for. */
export function exchangeDeliveries(world: World, { results, room }: SenderExchange): SenderOrders {
  for (const reported of results) recordAttempt(world, reported)
  const { notifications, tx, now } = world
  notifications.pullIn(tx, now.wallMs + NOTIFICATION_RETRY_AFTER_MS_MAX)
  const deliveries: DueDelivery[] = []
  const sawAll = takeInTurn(world, room, deliveries)
  const nextAt = notifications.nextDueAt(tx, now.wallMs)
  const dueInMs = nextAt === null ? null : nextAt - now.wallMs
  if (sawAll || room === 0) return { deliveries, nextInMs: dueInMs }
  return { deliveries, nextInMs: Math.min(dueInMs ?? Infinity, NOTIFICATION_LANES_PAUSE_MS) }
}

/** Goes round the lanes from where the last look ended; false when there were too many for one look. */
function takeInTurn(world: World, room: number, into: DueDelivery[]): boolean {
  const { outbox, notifications, tx } = world
  const start = outbox.lastLane
  let lane = start
  let wrapped = false
  for (let looks = 0; looks < NOTIFICATION_LANES_LOOKED_AT_MAX; looks++) {
    if (into.length >= room) return true
    const next = notifications.nextLane(tx, lane)
    if (next === undefined || (wrapped && next > start)) {
      if (wrapped || start === '') return true
      wrapped = true
      lane = ''
      continue
    }
    lane = next
    outbox.lastLane = lane
    takeLane(world, { lane, room: room - into.length }, into)
  }
  return false
}

function takeLane(
  world: World,
  from: { readonly lane: string; readonly room: number },
  into: DueDelivery[],
): void {
  const { outbox, notifications, tx, now } = world
  const { lane } = from
  let room = Math.min(from.room, outbox.roomOf(lane))
  if (room === 0) return
  const due = notifications.due(tx, { lane, now: now.wallMs, limit: room + outbox.heldOf(lane) })
  for (const delivery of due) {
    if (room === 0) return
    if (outbox.holds(delivery.id)) continue
    const order = orderOf(world, delivery)
    if (order === null) {
      notifications.save(tx, { ...delivery, status: 'cancelled' })
      continue
    }
    outbox.hold(delivery.id, lane)
    into.push(order)
    room -= 1
  }
}

/** Null when it has nowhere to go any more. */
function orderOf(world: World, delivery: Delivery): DueDelivery | null {
  const { id, body, attempts, accountId, ownUrl } = delivery
  const setting = signingSetting(world, accountId)
  const url = ownUrl ?? (setting.enabled ? setting.url : null)
  return url === null ? null : { id, attempt: attempts + 1, url, secret: setting.secret, body }
}
