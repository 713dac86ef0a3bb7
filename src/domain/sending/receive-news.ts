import { RECEIVED_PER_MINUTE_MAX } from '#contracts/bounds.ts'
import { cleanWords } from '#contracts/clean-words.ts'
import type { PhoneConnection } from '#contracts/phone-commands.ts'
import type { IncomingText, PhoneNews } from '#contracts/phone-orders.ts'
import { cleanOrNull, cleanSims, TROUBLE_LENGTH_MAX } from '#domain/device/clean-details.ts'
import type { Phone } from '#domain/device/phone.ts'
import { noteRang } from '#domain/device/ring.ts'
import { describeReceived } from '#domain/inbox/describe-received.ts'
import type { ReceivedMessage } from '#domain/inbox/inbox-store.ts'
import { writeEvent } from '#domain/notification/write-event.ts'
import { writeForwards } from '#domain/notification/write-forwards.ts'
import { limitReached } from '#domain/problem.ts'
import { answerIncident } from '#domain/sending/answer-incident.ts'
import { heedWords } from '#domain/sending/manage-opt-out.ts'
import { offerMessages } from '#domain/sending/offer-messages.ts'
import { isCurrent, openPhoneSession, recordPhoneDetails } from '#domain/sending/open-phone-session.ts'
import { readJournal } from '#domain/sending/read-journal.ts'
import { recordReport } from '#domain/sending/record-report.ts'
import { refuseConnection } from '#domain/sending/refuse-connection.ts'
import { sendOrder, sendOrderOn } from '#domain/sending/send-order.ts'
import { senderNumber } from '#domain/sending/sender-number.ts'
import { setTrouble } from '#domain/sending/set-trouble.ts'
import { startSending } from '#domain/sending/start-sending.ts'
import { takeDrillText } from '#domain/sending/take-drill-text.ts'
import { noteReport } from '#domain/sending/watch-reports.ts'
import type { World } from '#domain/world.ts'

const SENDER_LENGTH_MAX = 64

/** A flooding phone without a connection may report again after this time. */
const FLOOD_PAUSE_MS = 60_000

export interface FromPhone {
  readonly deviceId: string
  /** Null: the news came in an HTTP request, whose response acknowledges it. */
  readonly connection: PhoneConnection | null
  readonly news: PhoneNews
}

/**
 * Handles news from a phone. On a connection outside the phone's current session only `report` is accepted.
 * News from a phone that asks before it sends always comes on a connection.
 */
export function receiveNews(world: World, { deviceId, connection, news }: FromPhone): void {
  const phone = world.fleet.phones.get(deviceId)
  if (connection !== null && news.type === 'opened') {
    if (phone !== undefined && isCurrent(phone, connection))
      return refuseSecondOpening(world, phone, connection)
    return openPhoneSession(world, { deviceId, connection, news })
  }
  if (phone === undefined) return
  const isAccepted = connection === null ? !phone.can.asksFirst : isCurrent(phone, connection)
  if (isAccepted) hear(world, phone)
  if (news.type === 'report') {
    noteReport(world, phone)
    recordReport(world, phone, news)
    const { messageId, attempt, state } = news
    if (connection !== null) sendOrderOn(world, connection, { type: 'ack', messageId, attempt, state })
  } else if (isAccepted) receiveCurrent(world, phone, { connection, news })
}

/** Handles all other news, which counts only if it comes from the phone's current session. */
function receiveCurrent(
  world: World,
  phone: Phone,
  { connection, news }: Pick<FromPhone, 'connection' | 'news'>,
): void {
  switch (news.type) {
    case 'opened':
      return recordPhoneDetails(world, phone, news)
    case 'journal':
      return readJournal(world, phone, news)
    case 'begin':
      return beginSending(world, phone, news)
    case 'telemetry':
      return recordTelemetry(world, phone, news)
    case 'received': {
      if (!phone.receiveLimit.take(1, world.now.monoMs).taken) return refuseFlood(world, phone, connection)
      const received = takeDrillText(world, phone, news.text) ? null : recordReceived(world, phone, news)
      if (received !== null) handleReceived(world, phone, received)
      noteReceives(world, phone)
      if (connection !== null) sendOrderOn(world, connection, { type: 'ack-received', id: news.id })
      return
    }
    case 'rang':
      return noteRang(world, phone, news)
  }
}

/** Carries out an answer to an incident. Any other text may ask for no more texts, and is passed on. */
function handleReceived(world: World, phone: Phone, received: ReceivedMessage): void {
  const sender = senderNumber(world, phone, received)
  if (answerIncident(world, received, sender)) return
  heedWords(world, received, sender)
  writeForwards(world, received, sender)
}

/**
 * Refuses a second `opened` on a connection, because connections identify sessions. Otherwise a `go` in
 * transit would belong to two sessions, and `accepted` in the second journal would prove nothing.
 */
function refuseSecondOpening(world: World, phone: Phone, connection: PhoneConnection): void {
  const reason = 'this connection has already sent hello'
  refuseConnection(world, phone, { connection, why: 'protocol-error', reason })
}

/**
 * Closes the connection of a phone that reports more texts than any radio can receive. Nothing is
 * acknowledged, so the phone keeps them and reports them later.
 *
 * @throws Problem RATE_LIMIT_EXCEEDED for a phone without a connection
 */
function refuseFlood(world: World, phone: Phone, connection: PhoneConnection | null): void {
  const reason = `more than ${RECEIVED_PER_MINUTE_MAX} received texts a minute: report the rest later`
  if (connection === null)
    throw limitReached(reason, {
      limit: RECEIVED_PER_MINUTE_MAX,
      resetAtMs: world.now.wallMs + FLOOD_PAUSE_MS,
      retryAfterMs: FLOOD_PAUSE_MS,
    })
  refuseConnection(world, phone, { connection, why: 'flooding', reason })
}

/** Records that these phones answered a ping. */
export function hearPhones(world: World, deviceIds: readonly string[]): void {
  for (const deviceId of deviceIds) {
    const phone = world.fleet.phones.get(deviceId)
    if (phone?.session != null) hear(world, phone)
  }
}

/**
 * Notes that the gateway heard from the phone, or from the agent that calls it. A phone that has connected
 * and not reported its journal yet does not count: it may never do so.
 */
function hear(world: Pick<World, 'now'>, phone: Phone): void {
  if (phone.session?.synced === false) return
  phone.heardAtMono = world.now.monoMs
  if (phone.unreachableSinceMono === null) phone.lastSeenAt = world.now.wallMs
}

/** A phone that hands in a text has shown that it does. */
function noteReceives(world: World, phone: Phone): void {
  if (phone.device.receives === true) return
  phone.device = { ...phone.device, receives: true }
  world.devices.save(world.tx, phone.device)
}

function recordTelemetry(
  world: World,
  phone: Phone,
  news: Extract<PhoneNews, { readonly type: 'telemetry' }>,
): void {
  phone.device = {
    ...phone.device,
    battery: news.battery === null ? null : Math.round(news.battery),
    charging: news.charging,
    signal: news.signal === null ? null : Math.round(news.signal),
    sims: news.sims === null ? phone.device.sims : cleanSims(news.sims),
    receives: news.receives ?? phone.device.receives,
    lastSeenAt: phone.lastSeenAt,
  }
  world.devices.save(world.tx, phone.device)
  world.fleet.noteCountries(phone)
  if (news.receiveTrouble !== undefined)
    phone.receiveTrouble = cleanOrNull(news.receiveTrouble, TROUBLE_LENGTH_MAX)
  if (news.trouble !== undefined) setTrouble(world, phone, news.trouble)
  if (news.busy === null || news.busy === phone.reportsBusy) return
  phone.reportsBusy = news.busy
  offerMessages(world, phone)
}

/**
 * Answers a phone that asks to begin. After `go` the phone may transmit. So `go` leaves only after its
 * commit, once for each attempt, and only for a message that was offered in this session and is not final.
 */
function beginSending(
  world: World,
  phone: Phone,
  news: Extract<PhoneNews, { readonly type: 'begin' }>,
): void {
  const { messageId, attempt } = news
  const flight = phone.flights.get(messageId)
  const isOffered =
    flight?.message.stage === 'offered' && flight.session === phone.session?.id && flight.attempt === attempt
  if (world.stopping || !isOffered) return sendOrder(world, phone, { type: 'no', messageId, attempt })
  const mayGo = startSending(world, phone, flight) !== null
  sendOrder(world, phone, { type: mayGo ? 'go' : 'no', messageId, attempt })
  if (!mayGo) offerMessages(world, phone)
}

/** Stores a text that a phone received, unless the phone reported it before, and notifies its account.
 * Null: it did. */
function recordReceived(world: World, phone: Phone, incoming: IncomingText): ReceivedMessage | null {
  const { wallMs } = world.now
  const received = {
    id: world.source.id('rcv_', wallMs),
    deviceId: phone.id,
    accountId: phone.device.accountId,
    phoneMessageId: incoming.id,
    from: cleanWords(incoming.from, SENDER_LENGTH_MAX),
    // Format characters stay: texts in Arabic or with emoji need them.
    text: incoming.text.replace(/[[\p{Cc}\p{Cs}]--[\n\r\t]]/gv, ''),
    simSlot: incoming.simSlot,
    receivedAt: wallMs,
    sentAt: incoming.sentAt,
  }
  if (!world.inbox.insert(world.tx, received)) return null
  world.dayCounts.receive(received.accountId, wallMs)
  writeReceivedEvent(world, received)
  return received
}

function writeReceivedEvent(world: World, received: ReceivedMessage): void {
  const { id: messageId, ...data } = describeReceived(received)
  writeEvent(world, {
    accountId: received.accountId,
    subjectId: messageId,
    ownUrl: null,
    facts: { event: 'sms.received', at: received.receivedAt, data: { messageId, ...data } },
  })
}
