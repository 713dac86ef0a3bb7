import * as v from 'valibot'
import { OUTCOME_UNKNOWN_MS, RETRY_DELAYS_MS } from '#contracts/bounds.ts'
import { type AttemptReport, CANCELLED_ON_PHONE } from '#contracts/phone-orders.ts'
import { MessageId } from '#contracts/primitives.ts'
import type { Phone } from '#domain/device/phone.ts'
import { changeByReport, type StatusChange } from '#domain/message/lifecycle.ts'
import { failure, type Message } from '#domain/message/message.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { isOptedOut } from '#domain/message/opt-out.ts'
import { isTemporary, namedFailure } from '#domain/message/phone-failure.ts'
import { changeStatus } from '#domain/sending/change-status.ts'
import { uncountGo, withSent } from '#domain/sending/count-segments.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import { noteDrillReason } from '#domain/sending/note-drill-text.ts'
import { offerMessages, queueMessage } from '#domain/sending/offer-messages.ts'
import { watchReports } from '#domain/sending/watch-reports.ts'
import { dayOf } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** Texts counted that phones reported and that are not in the database. */
const UNKNOWN_REPORTS_MAX = 10_000
/** The log names one such text of a phone in this time, because a phone may report hundreds. */
const UNKNOWN_LOGGED_EVERY_MS = 3_600_000

/**
 * Applies a phone's report about an attempt to its message. The report may come on any connection of the
 * phone that got `go`, and any number of times. A report about an older attempt or from another phone
 * changes nothing. The caller acknowledges every report.
 */
export function recordReport(world: World, phone: Phone, report: AttemptReport): void {
  const message = world.messages.find(world.tx, report.messageId)
  if (message === undefined) noteUnknown(world, phone, report.messageId)
  if (message === undefined || message.deviceId !== phone.id || message.attempt !== report.attempt) return
  const flight = phone.flights.get(message.id)
  if (flight !== undefined && flight.attempt === report.attempt) {
    flight.heardAt = world.now.monoMs
    if (report.state !== 'accepted') flight.progress = 'started'
    else if (flight.progress === 'unreported') flight.progress = 'held'
    if (report.state === 'submitted') {
      flight.submittedAt ??= world.now.monoMs
      watchReports(world, phone)
    }
    if (!phone.can.asksFirst)
      world.deadlines.add(world.now.monoMs + OUTCOME_UNKNOWN_MS, 'unknown', message.id)
  }
  const open = world.fleet.messages.get(message.id)
  // Use the monotonic clock, so that a jump of the wall clock does not end a message early.
  const hasTimeLeft = open !== undefined && world.now.monoMs < open.expiresAtMono
  const reported = changeByReport(message, report, hasTimeLeft)
  if (reported === null) return
  if (message.kind === 'drill' && report.state === 'failed')
    noteDrillReason(world, message.id, namedFailure(report.code, report.detail ?? null).message)
  const isDropped = flight?.isCancelled === true && report.code === CANCELLED_ON_PHONE
  const isUnsent = isDropped || reported.status === 'queued'
  const asked = flight?.isCancelled === true ? changeOfCancelled(reported, report) : reported
  const change: StatusChange =
    isUnsent && isOptedOut(world, message) ? { status: 'failed', failure: failure('OPTED_OUT') } : asked
  if (message.status === 'sending' && report.state === 'failed' && (isTemporary(report.code) || isDropped))
    uncountGo(world, phone, message)
  if (change.status === 'queued') {
    if (open !== undefined) retryLater(world, { phone, message, open, change })
    return
  }
  // The report of delivery arrived before the report of sending. Both events are written.
  const overtook = change.status === 'delivered' && message.status === 'sending'
  const before = overtook ? changeStatus(world, message, { status: 'sent' }) : message
  const next = changeStatus(world, before, change)
  if (open !== undefined) world.fleet.forget(open)
  if (next.sentAt !== null && message.sentAt === null) countSent(world, phone, message)
  offerMessages(world, phone)
}

/**
 * Counts a text that a phone reports and that is not in the database. The phone got it from this gateway, so
 * the database went back to an older state, for example to a backup.
 */
function noteUnknown({ now, health, effects }: World, phone: Phone, messageId: string): void {
  if (!v.is(MessageId, messageId)) return
  if (health.unknownReports.size < UNKNOWN_REPORTS_MAX) health.unknownReports.add(messageId)
  if (now.monoMs - phone.unknownLoggedAtMono < UNKNOWN_LOGGED_EVERY_MS) return
  phone.unknownLoggedAtMono = now.monoMs
  const fields = { deviceId: phone.id, name: phone.device.name, messageId }
  effects.push({ kind: 'log', level: 'warn', event: 'report.unknown_message', fields })
}

/** The change of a cancelled message: if the phone did not send it, it ends and is not tried again. */
function changeOfCancelled(change: StatusChange, { code }: AttemptReport): StatusChange {
  const wasDropped = change.status === 'failed' && code === CANCELLED_ON_PHONE
  return wasDropped || change.status === 'queued'
    ? { status: 'failed', failure: { code: 'CANCELLED', message: 'cancelled: the phone did not send it' } }
    : change
}

/**
 * Queues a message again, as a new attempt, after the phone has proved that it did not start to send. False:
 * the message is no longer `sending`.
 */
export function requeue(world: World, phone: Phone, messageId: string): boolean {
  const message = world.messages.find(world.tx, messageId)
  const open = world.fleet.messages.get(messageId)
  if (message?.status !== 'sending' || open === undefined) return false
  uncountGo(world, phone, message)
  phone.flights.delete(messageId)
  if (isOptedOut(world, message)) {
    endMessage(world, open, 'OPTED_OUT')
    return true
  }
  changeStatus(world, message, { status: 'queued' })
  queueMessage(world, open)
  world.deadlines.addExpiry(open)
  return true
}

interface FailedAttempt {
  readonly phone: Phone
  readonly message: Message
  readonly open: OpenMessage
  readonly change: StatusChange
}

/** Schedules a retry after a failure without transmission, on another phone if there is one. */
function retryLater(world: World, { phone, message, open, change }: FailedAttempt): void {
  const { monoMs, wallMs } = world.now
  const delayMs = RETRY_DELAYS_MS[message.attempt - 1] ?? RETRY_DELAYS_MS.at(-1) ?? 0
  world.fleet.detach(open)
  if (!open.pinned) {
    const { offlineAfterMs } = world.settings
    const { groupId, segments } = open
    const routing = { country: message.country, segments, monoMs, offlineAfterMs, groupId, avoid: phone.id }
    open.deviceId = world.fleet.choose(message.accountId, routing)?.id ?? null
  }
  changeStatus(world, message, { ...change, fields: { notBefore: wallMs + delayMs } })
  world.deadlines.add(monoMs + delayMs, 'retry', open.id)
  world.deadlines.addExpiry(open)
  offerMessages(world, phone)
}

/** Counts a sent message in the phone's figure for today (UTC). */
function countSent(world: World, phone: Phone, message: Message): void {
  const today = dayOf(world.now.wallMs)
  const before = phone.device.sentDay === today ? phone.device.sentCount : 0
  const sentCount = before + (message.kind === 'drill' ? 0 : 1)
  const device = withSent(phone.device, message, world.now.wallMs)
  phone.device = { ...device, sentDay: today, sentCount }
  world.devices.save(world.tx, phone.device)
}
