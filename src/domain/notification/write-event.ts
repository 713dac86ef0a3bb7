import { planOf } from '#domain/account/plan-of.ts'
import { type EventFacts, eventBody } from '#domain/notification/event-body.ts'
import type { Delivery } from '#domain/notification/notification-store.ts'
import type { World } from '#domain/world.ts'

/** An event to store, and the target that gets it. */
export interface NewEvent {
  readonly accountId: string
  /** What the event is about, as in `Delivery`. */
  readonly subjectId: string
  /** The message's own URL, which gets the event instead of the account's. */
  readonly ownUrl: string | null
  /** The forward that passes a received text on, instead of both. */
  readonly forwardId?: string
  readonly facts: EventFacts
}

/** Stores an event for its receiver, if any, in the transaction that caused it. */
export function writeEvent(world: World, event: NewEvent): void {
  if (event.ownUrl === null && !isWanted(world, event)) return
  addDelivery(world, event)
}

/** Writes an event even if the account has not subscribed to it. */
export function addDelivery(world: World, event: NewEvent): Delivery {
  const { accountId, subjectId, ownUrl, forwardId = null, facts } = event
  const createdAt = world.now.wallMs
  const delivery: Delivery = {
    id: world.source.id('evt_', createdAt),
    accountId,
    event: facts.event,
    subjectId,
    ownUrl,
    forwardId,
    // Ids of forwards and of accounts differ in their prefixes.
    lane: forwardId ?? laneOf(accountId, ownUrl),
    body: eventBody(facts),
    createdAt,
    status: isGone(world, event) ? 'cancelled' : 'pending',
    attempts: 0,
    tries: 0,
    nextAt: 0,
    sentTo: null,
    responseStatus: null,
    error: null,
    log: [],
  }
  world.notifications.insert(world.tx, delivery)
  world.outbox.agenda.addReady(delivery.lane)
  world.effects.push({ kind: 'notifications' })
  return delivery
}

/** Whether the message's own URL answered 410. Its later events are stored as cancelled, for a replay. */
function isGone({ notifications, tx }: World, { ownUrl, subjectId }: NewEvent): boolean {
  return ownUrl !== null && notifications.isGone(tx, subjectId)
}

/** The lane of a delivery: the account's own lane, or one for each origin that its messages name. */
export function laneOf(accountId: string, ownUrl: string | null): string {
  return ownUrl === null ? accountId : `${accountId} ${URL.parse(ownUrl)?.origin ?? ''}`
}

function isWanted(world: World, { accountId, facts }: NewEvent): boolean {
  const setting = world.notifications.setting(world.tx, accountId)
  if (setting?.url == null || !setting.enabled || !setting.events.includes(facts.event)) return false
  return planOf(world, accountId).notifications
}
