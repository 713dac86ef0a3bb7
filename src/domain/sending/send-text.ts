import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { isDeviceGroup } from '#contracts/device-group.ts'
import type { NewMessage } from '#contracts/message.ts'
import { planOf } from '#domain/account/plan-of.ts'
import type { UsageKind } from '#domain/account/usage.ts'
import type { Phone } from '#domain/device/phone.ts'
import { type Message, rankOf, ttlMsOf } from '#domain/message/message.ts'
import { openMessageOf } from '#domain/message/message-queue.ts'
import { isOptedOut, refuseOptedOut } from '#domain/message/opt-out.ts'
import { regionMatches } from '#domain/phone-number/parse-phone-number.ts'
import { notFound, Problem, whyFull } from '#domain/problem.ts'
import { offerWaiting } from '#domain/sending/offer-messages.ts'
import { checkSendAt, scheduleMessage } from '#domain/sending/schedule-message.ts'
import { refuseSandbox, simulateMessage } from '#domain/sending/simulate-sandbox.ts'
import type { World } from '#domain/world.ts'

/** A text to send, and what no caller can choose. */
export interface TextToSend extends NewMessage {
  /** Whether the owner wrote down the number. Otherwise a call did, and its country must be allowed. */
  readonly isToPerson?: boolean
  /** Whether it goes even if the day's quota is used up. It counts in any case. */
  readonly isOwed?: boolean
  /** The phone that gets it first, if one was chosen already; null: none can send it now. */
  readonly phone?: Phone | null
}

/**
 * Sends a text, whichever door it comes through: runs all checks that can refuse it, counts it, writes its
 * row and queues it. The phone gets its offer after the commit.
 *
 * @param prepare writes what belongs to the message, after all checks and before a phone can get it
 * @throws Problem as `checkText`; RATE_LIMIT_EXCEEDED
 */
export function sendText(world: World, text: TextToSend, prepare?: (message: Message) => void): Message {
  const phone = checkText(world, text)
  countText(world, text)
  const message = newMessage(world, text, phone)
  prepare?.(message)
  storeMessage(world, message)
  return message
}

/** Counts a text towards the daily limit: in memory, until the end of the transaction. */
function countText(world: World, text: TextToSend): void {
  // The owner's own proof counts at the SIM's caps alone.
  if (text.kind === 'drill') return
  const { kind, limit } = quotaOf(world, text)
  const spent = { kind, count: 1, limit: text.isOwed ? -1 : limit, wallMs: world.now.wallMs }
  world.usage.spend(world.tx, text.accountId, spent)
}

/** How a text counts, and how many there may be in a day; -1: as many as one likes. */
export function quotaOf(
  world: World,
  { accountId, kind, test }: Pick<NewMessage, 'accountId' | 'kind' | 'test'>,
): { kind: UsageKind; limit: number } {
  const { smsPerDay, twoFactorPerDay } = planOf(world, accountId)
  if (test) return { kind: 'sandbox', limit: smsPerDay === -1 ? -1 : ACCOUNT_BOUNDS.sandboxTexts.most }
  return kind === '2fa' ? { kind: 'twoFactor', limit: twoFactorPerDay } : { kind: 'sms', limit: smsPerDay }
}

/**
 * Runs all checks except the daily limit. Writes nothing. Returns the phone for the message, if there is one.
 *
 * @throws Problem INVALID_REQUEST (`sendAt`), FORBIDDEN (country, opted out), NOT_FOUND (phone),
 * NO_DEVICE_AVAILABLE, SERVICE_UNAVAILABLE (too many open messages)
 */
export function checkText(world: World, text: TextToSend): Phone | null {
  if (text.sendAt !== null) checkSendAt(world, text.sendAt)
  if (!text.test && text.kind !== 'webhook' && text.isToPerson !== true) checkCountry(world, text)
  if (isOptedOut(world, text)) throw refuseOptedOut([text.phoneNumber])
  checkRoom(world, text.accountId, { count: 1, isUrgent: rankOf(text) < 2 })
  if (text.phone !== undefined) return text.phone
  const named = findNamed(world, text)
  return text.test ? refuseSandbox(text) : findPhone(world, text, named)
}

/** Refuses a number of a country that gets no texts. @throws Problem FORBIDDEN */
function checkCountry({ settings, fleet }: World, input: NewMessage): void {
  const { countries } = settings
  const country = input.country ?? ''
  // A short code has no country. It belongs to the one of the SIM.
  const own = country === '+' ? fleet.countriesOf(input.accountId) : [country]
  const isAllowed = own.some(one => countries.some(allowed => regionMatches(one, allowed)))
  if (countries.length === 0 || isAllowed) return
  const whose = own.join(', ') || 'a short code'
  const message = `${whose} gets no texts: see messages.countries in the configuration`
  throw new Problem('FORBIDDEN', message, { reason: 'COUNTRY_NOT_ALLOWED' })
}

/** The share of the room that is left to codes, alerts and messages of high priority. */
const URGENT_SHARE = 0.1

type Rooms = Pick<World, 'fleet' | 'settings'>

/** How many messages that are not final memory has room for: of all accounts, and of this one. */
function roomOf({ fleet, settings }: Rooms, accountId: string, isUrgent: boolean) {
  const { messagesOpenMax } = settings
  const { most } = ACCOUNT_BOUNDS.openTexts
  const share = isUrgent ? 1 : 1 - URGENT_SHARE
  const own = isUrgent ? most * (1 + URGENT_SHARE) : most
  const half = fleet.hasPhonesBeside(accountId) ? (messagesOpenMax / 2) * share : own
  return { all: messagesOpenMax * share, own: Math.floor(Math.min(own, half)) }
}

/** Whether memory has room for one more urgent message of the account. */
export function hasRoom(world: Rooms, accountId: string, count = 1): boolean {
  const { all, own } = roomOf(world, accountId, true)
  return world.fleet.messages.size + count <= all && world.fleet.openCount(accountId) + count <= own
}

/**
 * Refuses further messages for which memory has no room.
 *
 * @throws Problem SERVICE_UNAVAILABLE
 */
export function checkRoom(
  world: Rooms,
  accountId: string,
  { count, isUrgent }: { readonly count: number; readonly isUrgent: boolean },
): void {
  const { all, own } = roomOf(world, accountId, isUrgent)
  const isFull = world.fleet.messages.size + count > all
  if (!isFull && world.fleet.openCount(accountId) + count <= own) return
  const message = 'too many messages wait for a phone: try again in a minute, or connect another phone'
  const why = isFull ? message : whyFull({ ...ACCOUNT_BOUNDS.openTexts, most: own })
  throw new Problem('SERVICE_UNAVAILABLE', why, { retryAfterS: 60 })
}

/**
 * The phone that the caller named; null: none, or a group of phones. A sandbox message reaches no phone, but
 * what it names must exist, too.
 */
function findNamed(world: Pick<World, 'fleet'>, { accountId, deviceId }: NewMessage): Phone | null {
  if (deviceId === null) return null
  if (isDeviceGroup(deviceId)) {
    if (world.fleet.groupOf(accountId, deviceId) === undefined) throw notFound('group of phones')
    return null
  }
  const named = world.fleet.phoneOf(accountId, deviceId)
  if (named === undefined) throw notFound('device')
  return named
}

/** The phone for the message. Null: it waits for any phone, as it is scheduled or none can send it now. */
function findPhone(world: World, input: NewMessage, named: Phone | null): Phone | null {
  const { fleet, now, settings } = world
  const { monoMs } = now
  const { offlineAfterMs } = settings
  if (input.sendAt !== null) return named
  if (named !== null) {
    if (input.queueIfOffline) return named
    if (!named.isConnected(monoMs, offlineAfterMs)) throw noDevice(input.kind, 'this phone is not connected')
    if (!named.hasRoomFor(input.segments)) throw noDevice(input.kind, 'this phone has reached its cap')
    return named
  }
  const { accountId, country, segments, deviceId: groupId } = input
  const chosen = fleet.choose(accountId, { country, segments, monoMs, offlineAfterMs, groupId })
  if (chosen !== null || input.queueIfOffline) return chosen
  const group = fleet.groupOf(accountId, groupId)
  const isOnlyGroup = group?.isOpenToAll(monoMs) === false
  const phones = isOnlyGroup ? [...group.phones] : [...fleet.phonesOf(accountId)]
  const connected = phones.filter(phone => phone.isConnected(monoMs, offlineAfterMs))
  if (connected.some(phone => phone.hasRoomFor(segments))) return null
  if (connected.length > 0) throw noDevice(input.kind, 'all connected phones have reached their caps')
  throw noDevice(
    input.kind,
    isOnlyGroup
      ? `no phone of the group ${group.row.name} is connected`
      : phones.length === 0
        ? 'no phone is paired, so none is connected'
        : 'none of your phones is connected',
  )
}

function noDevice(kind: NewMessage['kind'], reason: string): Problem {
  const advice =
    kind === '2fa' ? 'one-time codes are not queued' : 'set queueIfOffline to true to queue the message'
  return new Problem('NO_DEVICE_AVAILABLE', `${reason}; ${advice}`, { retryAfterS: 30 })
}

/** A message as it is first stored: queued, without an attempt. */
function newMessage(world: World, asked: NewMessage, phone: Phone | null): Message {
  const at = world.now.wallMs
  const { sendAt, deviceId: target } = asked
  const isForGroup = target !== null && isDeviceGroup(target)
  return {
    // What is no field of a message, such as `ttlMs`, has no column and ends with this transaction.
    ...asked,
    id: world.source.id('msg_', at),
    pinned: target !== null && !isForGroup,
    deviceGroupId: isForGroup ? target : null,
    createdAt: at,
    expiresAt: Math.max(at, sendAt ?? 0) + (asked.ttlMs ?? world.settings.messageTtlMs),
    status: 'queued',
    deviceId: phone?.id ?? null,
    attempt: 0,
    notBefore: 0,
    sentAt: null,
    deliveredAt: null,
    failure: null,
    timeline: [{ status: 'queued', at }],
  }
}

/** Stores a new message and adds it to memory: queue, deadline, and an offer to its phone. */
function storeMessage(world: World, message: Message): void {
  world.messages.insert(world.tx, message)
  world.dayCounts.accept(message)
  const { fleet, deadlines, now } = world
  const open = openMessageOf(message, now.monoMs + ttlMsOf(message))
  fleet.addMessage(open)
  if (message.sendAt !== null) return scheduleMessage(world, open, message.sendAt)
  deadlines.addExpiry(open)
  if (message.test) return simulateMessage(world, open)
  fleet.enqueue(open)
  offerWaiting(world, open)
}
