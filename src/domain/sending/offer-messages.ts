/**
 * Offers a phone what it should send next, as long as it has a free sending slot and its pace allows. Nothing
 * is written: an offer binds nobody. Only the phone's `begin` is answered by a commit (begin-sending.ts).
 */

import { CODE_VALIDITY_LEFT_MS_MIN, OFFER_LEASE_MS } from '#contracts/bounds.ts'
import type { Deadline } from '#domain/deadlines.ts'
import type { Phone, Session } from '#domain/device/phone.ts'
import { firstOf, type OpenMessage } from '#domain/message/message-queue.ts'
import { isHome } from '#domain/message/routing.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import { textToSend } from '#domain/two-factor/text-to-send.ts'
import type { World } from '#domain/world.ts'

export function offerMessages(world: World, phone: Phone): void {
  const { session } = phone
  if (world.stopping) return
  while (session?.synced && !phone.device.paused && !phone.saysBusy && phone.hasFreeSlot) {
    const open = nextFor(world, phone)
    if (open === undefined) return
    if (isTooLate(world, open)) {
      endMessage(world, open, 'EXPIRED')
      continue
    }
    const pace = phone.pacing.take(open.segments, world.now.monoMs)
    if (!pace.taken) return pumpAt(world, phone, pace.readyAt)
    offer(world, { phone, session, open })
  }
}

/** Every phone of the account may have work now: one was added, came back, or a message became free. */
export function offerToAll(world: World, accountId: string): void {
  for (const phone of world.fleet.phonesOf(accountId)) offerMessages(world, phone)
}

/**
 * Offers what closed connections freed, when all commands of the transaction are done: of many phones that go
 * at once none is offered what another one left, and each account's phones are looked at once.
 */
export function offerWhatWasFreed(world: World): void {
  const { freed } = world.fleet
  for (const accountId of freed) offerToAll(world, accountId)
  freed.clear()
}

/** A code that could not be typed in time any more is not sent at all. */
export function isTooLate(world: World, open: OpenMessage): boolean {
  const needed = open.rank === 0 ? CODE_VALIDITY_LEFT_MS_MIN : 0
  return open.expiresAtMono - world.now.monoMs <= needed
}

/** Offers a message that just became free: to its own phone first, then to whichever is idle. */
export function offerFreed(world: World, open: OpenMessage): void {
  const own = phoneOf(world, open)
  if (own !== undefined) offerMessages(world, own)
  if (open.pinned) return
  for (const phone of world.fleet.phonesOf(open.accountId)) {
    if (open.place !== 'waiting') return
    if (phone !== own) offerMessages(world, phone)
  }
}

/** Lets a message wait: with its phone, or with nobody when that one is gone or paused and was not named. */
export function letWait(world: World, open: OpenMessage): void {
  const isHere = phoneOf(world, open)?.canSendSoon(world.now.monoMs, world.settings.offlineAfterMs)
  if (!open.pinned && open.deviceId !== null && !isHere) assign(world, open, null)
  world.fleet.enqueue(open)
}

/** Takes an offer back that was not begun: its lease is over, or its session is. */
export function withdrawOffer(world: World, phone: Phone, open: OpenMessage): void {
  phone.flights.delete(open.id)
  phone.pacing.refund(open.segments)
  letWait(world, open)
}

/** An offer that was not begun in its lease goes back to the queue, for another phone when there is one. */
export function endLease(world: World, deadline: Deadline): void {
  const open = world.fleet.messages.get(deadline.id)
  const phone = open === undefined ? undefined : phoneOf(world, open)
  const flight = phone?.flights.get(deadline.id)
  if (open === undefined || phone === undefined || flight === undefined || open.place !== 'offered') return
  if (world.now.monoMs < flight.offeredAt + OFFER_LEASE_MS) return
  const { session } = phone
  if (session !== null) {
    const frame = { type: 'no', messageId: open.id, attempt: flight.attempt } as const
    world.effects.push({ kind: 'frame', connection: session.connection, frame })
  }
  withdrawOffer(world, phone, open)
  if (!open.pinned) {
    phone.queue.remove(open)
    assign(world, open, null)
    world.fleet.enqueue(open)
    for (const other of world.fleet.phonesOf(open.accountId)) if (other !== phone) offerMessages(world, other)
  }
  offerMessages(world, phone)
}

/**
 * Binds a waiting message to a phone, in memory and on disk. Once a phone was told `go`, the row keeps that
 * phone until another one is: a late word of it must still be known as its own.
 */
export function assign(world: World, open: OpenMessage, deviceId: string | null): void {
  open.deviceId = deviceId
  if (open.attempt === 0) world.messages.assign(world.tx, open.id, deviceId)
}

function phoneOf(world: World, open: OpenMessage): Phone | undefined {
  return open.deviceId === null ? undefined : world.fleet.phones.get(open.deviceId)
}

/** One deadline a phone is enough, however often it is asked to take what its pace does not allow yet. */
function pumpAt(world: World, phone: Phone, readyAtMono: number): void {
  if (phone.pumpAtMono !== null && phone.pumpAtMono <= readyAtMono) return
  phone.pumpAtMono = readyAtMono
  world.deadlines.add(readyAtMono, 'pump', phone.id)
}

function offer(world: World, to: { phone: Phone; session: Session; open: OpenMessage }): void {
  const { phone, session, open } = to
  const { now } = world
  world.fleet.queueOf(open).remove(open)
  if (open.deviceId !== phone.id) assign(world, open, phone.id)
  const message = world.messages.find(world.tx, open.id)
  if (message === undefined) throw new Error(`open message ${open.id} has no row`)
  const attempt = open.attempt + 1
  open.place = 'offered'
  phone.usedAtMono = now.monoMs
  phone.flights.set(open.id, {
    message: open,
    attempt,
    session: session.id,
    offeredAt: now.monoMs,
    heardAt: now.monoMs,
  })
  world.deadlines.add(now.monoMs + OFFER_LEASE_MS, 'lease', open.id)
  world.effects.push({
    kind: 'frame',
    connection: session.connection,
    frame: {
      type: 'offer',
      messageId: message.id,
      attempt,
      phoneNumber: message.phoneNumber,
      message: textToSend(world, message),
      segments: message.segments,
      simSlot: message.simSlot,
      ttlMs: Math.max(0, Math.floor(open.expiresAtMono - now.monoMs)),
      kind: message.kind,
    },
  })
}

/** The phone's own queue and what nobody has yet; with both empty, the head of the longest other queue. */
function nextFor(world: World, phone: Phone): OpenMessage | undefined {
  const { accountId } = phone.device
  const own = [phone.pinned.first(), phone.queue.first(), world.fleet.unassigned(accountId).first()]
  return firstOf(own) ?? fromLongestQueue(world, phone)
}

function fromLongestQueue(world: World, idle: Phone): OpenMessage | undefined {
  let longest = 0
  let taken: OpenMessage | undefined
  for (const phone of world.fleet.queueingPhones(idle.device.accountId)) {
    if (phone === idle || phone.queue.segments <= longest) continue
    const head = phone.queue.first()
    if (head === undefined) continue
    // A phone abroad does not take what a phone at home will send soon: it would cost money.
    const staysHome = isHome(phone, head.country) && !isHome(idle, head.country)
    if (staysHome && phone.canSendSoon(world.now.monoMs, world.settings.offlineAfterMs)) continue
    longest = phone.queue.segments
    taken = head
  }
  return taken
}
