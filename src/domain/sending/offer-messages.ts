/**
 * Offers a phone its next messages, while it has a free sending slot and its pace allows. An offer is not
 * stored, because it is not binding: only the answer to the phone's `begin` is (receive-news.ts). A phone
 * that does not ask before it sends is woken instead, and fetches its messages (hand-over.ts).
 */
import { CODE_VALIDITY_LEFT_MS_MIN, OFFER_LEASE_MS } from '#contracts/bounds.ts'
import type { MessageToSend } from '#contracts/phone-orders.ts'
import type { Deadline } from '#domain/deadlines.ts'
import type { Flight, Phone, PhoneSession } from '#domain/device/phone.ts'
import { isHome } from '#domain/device/routing.ts'
import { isKnownMute } from '#domain/drill/drill.ts'
import type { Message } from '#domain/message/message.ts'
import { firstOf, type OpenMessage } from '#domain/message/message-queue.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import { sendOrder } from '#domain/sending/send-order.ts'
import { textToSend } from '#domain/two-factor/code-text.ts'
import type { World } from '#domain/world.ts'

/** Offers the phone its next messages, or marks it to be woken. Call this when an offer may be possible. */
export function offerMessages(world: World, phone: Phone): void {
  const { session } = phone
  if (world.stopping) return
  if (!session?.synced || phone.isPaused) return
  if (phone.segmentsLeft <= 0) return
  noteGroups(world, phone, true)
  if (phone.reportsBusy) return
  if (!phone.can.asksFirst) {
    // It is woken at the end of the transaction, if a message still waits for it then.
    if (phone.hasFreeSlot) world.fleet.toWake.add(phone)
    return
  }
  for (let open = chooseNext(world, phone); open !== undefined; open = chooseNext(world, phone))
    offer(world, { phone, session, open })
}

/**
 * Chooses the next message for the phone, and takes its segments from the phone's pace. Undefined: none
 * now.
 */
export function chooseNext(world: World, phone: Phone): OpenMessage | undefined {
  while (phone.hasFreeSlot) {
    const open = nextFor(world, phone)
    if (open === undefined) return undefined
    if (isTooLate(world, open)) {
      endMessage(world, open, 'EXPIRED')
      continue
    }
    const pace = phone.pacing.take(open.segments, world.now.monoMs)
    if (pace.taken) return open
    offerWhenPaceAllows(world, phone, pace.readyAt)
    return undefined
  }
  return undefined
}

/** Makes all offers that are possible in the account, after a phone or a message became available. */
export function offerToAll(world: World, accountId: string): void {
  const { fleet, now } = world
  for (const phone of fleet.phonesToOffer(accountId, now.monoMs)) offerMessages(world, phone)
  for (const { queue, row } of fleet.groupsOf(accountId))
    if (queue.length > 0)
      for (const phone of fleet.phonesToOffer(accountId, now.monoMs, row.id)) offerMessages(world, phone)
}

/** Looks at the groups of a phone again that can send now, or no longer can. */
function noteGroups({ fleet, deadlines, now }: World, phone: Phone, canSend: boolean): void {
  for (const group of fleet.groupsWith(phone)) {
    if (canSend !== (group.row.downSince !== null)) continue
    if (canSend) group.openToAllAtMono = null
    deadlines.add(now.monoMs, 'group', group.row.id)
  }
}

/**
 * Offers the messages that phones gave back, then wakes phones that fetch messages. This runs once, after all
 * commands of the transaction. So each account's phones are checked once, and a phone is woken once. And if
 * many phones disconnect at once, no message is offered to one of them.
 */
export function offerReleasedMessages(world: World): void {
  const { accountsToOffer, toWake } = world.fleet
  for (const accountId of accountsToOffer) offerToAll(world, accountId)
  accountsToOffer.clear()
  for (const phone of toWake) wake(world, phone)
  toWake.clear()
}

/** Wakes the phone if there is a waiting message that it may take now. */
function wake(world: World, phone: Phone): void {
  const { monoMs } = world.now
  const next = phone.hasFreeSlot ? nextFor(world, phone) : undefined
  if (next === undefined) return
  const readyAt = phone.pacing.readyAt(next.segments, monoMs)
  if (readyAt > monoMs) return offerWhenPaceAllows(world, phone, readyAt)
  sendOrder(world, phone, { type: 'wake' })
  if (phone.wokenAtMono !== null) return
  phone.wokenAtMono = monoMs
  world.deadlines.add(monoMs + OFFER_LEASE_MS, 'wake', phone.id)
}

/** Whether the message is a code that would expire before a person could type it. Such a code is not sent. */
export function isTooLate(world: Pick<World, 'now'>, open: OpenMessage): boolean {
  const needed = open.rank === 0 ? CODE_VALIDITY_LEFT_MS_MIN : 0
  return open.expiresAtMono - world.now.monoMs <= needed
}

/** Offers a message that has just begun to wait, first to its own phone, then to any idle phone. */
export function offerWaiting(world: World, open: OpenMessage): void {
  const own = phoneOf(world, open)
  if (own !== undefined) offerMessages(world, own)
  if (open.pinned || (own !== undefined && willFetch(world, own, open))) return
  for (const phone of world.fleet.phonesToOffer(open.accountId, world.now.monoMs, open.groupId)) {
    if (open.stage !== 'waiting') return
    if (phone !== own) offerMessages(world, phone)
  }
}

/** Whether the phone will be woken and may fetch the message at once. */
function willFetch(world: World, phone: Phone, open: OpenMessage): boolean {
  const { fleet, now } = world
  if (open.stage !== 'waiting' || !fleet.toWake.has(phone)) return false
  const next = nextFor(world, phone)
  return next !== undefined && phone.pacing.readyAt(next.segments, now.monoMs) <= now.monoMs
}

/** Queues a message for its phone. If that phone cannot send and the message is not pinned: for any phone. */
export function queueMessage(world: World, open: OpenMessage): void {
  const phone = phoneOf(world, open)
  const canSend =
    phone?.canSendSoon(world.now.monoMs, world.settings.offlineAfterMs) && phone.hasRoomFor(open.segments)
  if (!open.pinned && open.deviceId !== null && !canSend) assign(world, open, null)
  world.fleet.enqueue(open)
}

/** Withdraws an offer that was not begun, for example because its lease or session ended. */
export function withdrawOffer(world: World, phone: Phone, open: OpenMessage): void {
  phone.flights.delete(open.id)
  phone.pacing.refund(open.segments)
  queueMessage(world, open)
}

/**
 * Ends an offer that was not begun within its lease. The message returns to the queue, for another phone if
 * there is one.
 */
export function endLease(world: World, deadline: Deadline): void {
  const open = world.fleet.messages.get(deadline.id)
  const phone = open === undefined ? undefined : phoneOf(world, open)
  const flight = phone?.flights.get(deadline.id)
  if (open === undefined || phone === undefined || flight === undefined || open.stage !== 'offered') return
  if (world.now.monoMs < flight.offeredAt + OFFER_LEASE_MS) return
  sendOrder(world, phone, { type: 'no', messageId: open.id, attempt: flight.attempt })
  withdrawOffer(world, phone, open)
  if (!open.pinned) {
    world.fleet.unqueue(open)
    assign(world, open, null)
    world.fleet.enqueue(open)
    const { accountId, groupId } = open
    for (const other of world.fleet.phonesToOffer(accountId, world.now.monoMs, groupId))
      if (other !== phone) offerMessages(world, other)
    // If another phone will fetch the message, do not offer it to the same phone first. What else waits for
    // that phone is offered when the other has had its time.
    const woken = [...world.fleet.toWake].filter(
      other => other !== phone && other.device.accountId === open.accountId,
    )
    if (woken.some(other => willFetch(world, other, open)))
      return offerWhenPaceAllows(world, phone, world.now.monoMs + OFFER_LEASE_MS)
  }
  offerMessages(world, phone)
}

/**
 * Assigns a waiting message to a phone, in memory and on disk. Once a phone got `go`, the row keeps that
 * phone until another one gets `go`: a late report must still match its phone.
 */
export function assign(world: World, open: OpenMessage, deviceId: string | null): void {
  open.deviceId = deviceId
  if (open.attempt === 0) world.messages.assign(world.tx, open.id, deviceId)
}

/** Lets any phone send the messages that wait for this phone, except those pinned to it. */
export function releaseQueue(world: World, deviceId: string): void {
  const phone = world.fleet.phones.get(deviceId)
  if (phone === undefined) return
  noteGroups(world, phone, false)
  // A mute phone may now have to send what it left to this one.
  if (phone.queue.length === 0) return void world.fleet.accountsToOffer.add(phone.device.accountId)
  for (const open of phone.queue.drain()) {
    assign(world, open, null)
    world.fleet.enqueue(open)
  }
  offerToAll(world, phone.device.accountId)
}

function phoneOf(world: Pick<World, 'fleet'>, open: OpenMessage): Phone | undefined {
  return open.deviceId === null ? undefined : world.fleet.phones.get(open.deviceId)
}

/**
 * Sets the deadline at which the phone's pace allows the next offer. A phone has at most one such deadline.
 */
function offerWhenPaceAllows(world: Pick<World, 'deadlines'>, phone: Phone, readyAtMono: number): void {
  if (phone.paceReadyAtMono !== null && phone.paceReadyAtMono <= readyAtMono) return
  phone.paceReadyAtMono = readyAtMono
  world.deadlines.add(readyAtMono, 'pace', phone.id)
}

function offer(world: World, to: { phone: Phone; session: PhoneSession; open: OpenMessage }): void {
  const { phone, session, open } = to
  const { now } = world
  world.fleet.unqueue(open)
  if (open.deviceId !== phone.id) assign(world, open, phone.id)
  const message = world.messages.find(world.tx, open.id)
  if (message === undefined) throw new Error(`open message ${open.id} has no row`)
  open.stage = 'offered'
  phone.usedAtMono = now.monoMs
  const flight: Flight = {
    message: open,
    attempt: open.attempt + 1,
    session: session.id,
    offeredAt: now.monoMs,
    heardAt: now.monoMs,
    submittedAt: null,
    isOverdue: false,
    progress: 'unreported',
  }
  phone.flights.set(open.id, flight)
  world.deadlines.add(now.monoMs + OFFER_LEASE_MS, 'lease', open.id)
  sendOrder(world, phone, { type: 'offer', message: contentOf(world, { message, flight }) })
}

/** The message as a phone needs it. */
export function contentOf(
  world: World,
  { message, flight }: { readonly message: Message; readonly flight: Flight },
): MessageToSend {
  return {
    messageId: message.id,
    attempt: flight.attempt,
    phoneNumber: message.phoneNumber,
    text: textToSend(world, message),
    segments: message.segments,
    simSlot: message.simSlot,
    ttlMs: Math.max(0, Math.floor(flight.message.expiresAtMono - world.now.monoMs)),
    // To a phone it is a text like any other: an older agent knows no other kinds.
    kind: message.kind === 'drill' ? 'sms' : message.kind,
  }
}

/**
 * The next message for the phone: the first of its own queues, the unassigned messages and those of groups
 * for which it may send. If these are empty, the first of the longest queue of another phone.
 */
function nextFor(world: World, phone: Phone): OpenMessage | undefined {
  const { accountId } = phone.device
  const { fleet, now } = world
  const room = phone.roomLeft
  const own = [phone.pinned.firstOfAtMost(room), phone.queue.firstOfAtMost(room)]
  const shared = [fleet.unassigned(accountId).firstOfAtMost(room)]
  for (const group of fleet.groupsOf(accountId))
    if (group.phones.has(phone) || group.isOpenToAll(now.monoMs)) shared.push(group.queue.firstOfAtMost(room))
  // Texts of others would not leave through it either.
  if (isKnownMute(phone.device)) return firstOf([...own, ...shared.filter(open => !isForOthers(world, open))])
  return firstOf([...own, ...shared]) ?? fromLongestQueue(world, phone)
}

/** Whether a phone that is not known to be mute can send the message soon. */
function isForOthers({ fleet, now, settings }: World, open: OpenMessage | undefined): boolean {
  if (open === undefined) return false
  const { country, segments, groupId } = open
  const routing = { country, segments, groupId, monoMs: now.monoMs, offlineAfterMs: settings.offlineAfterMs }
  const best = fleet.choose(open.accountId, routing)
  return best !== null && !isKnownMute(best.device)
}

/** The message that an idle phone may take over from the phone with the longest queue. */
function fromLongestQueue(world: World, idle: Phone): OpenMessage | undefined {
  let longest = 0
  let found: OpenMessage | undefined
  for (const phone of world.fleet.queueingPhones(idle.device.accountId)) {
    if (phone === idle || phone.queue.segments <= longest) continue
    const head = phone.queue.firstOfAtMost(idle.roomLeft)
    if (head === undefined) continue
    // Leave the message to a phone with a SIM of the recipient's country if that phone can send it soon,
    // because a text from a foreign SIM costs more.
    const staysHome = isHome(phone, head.country) && !isHome(idle, head.country)
    if (staysHome && phone.canSendSoon(world.now.monoMs, world.settings.offlineAfterMs)) continue
    longest = phone.queue.segments
    found = head
  }
  return found
}
