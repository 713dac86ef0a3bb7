import { OUTCOME_UNKNOWN_MS, RETRY_DELAYS_MS, SANDBOX_STEP_MS, SYNC_MS_MAX } from '#contracts/bounds.ts'
import type { BelievedClock } from '#domain/clock/believed-clock.ts'
import { Deadlines } from '#domain/deadlines.ts'
import { segmentsLeft } from '#domain/device/cap.ts'
import { Pacing } from '#domain/device/pacing.ts'
import { type Device, Phone, type PhoneSession } from '#domain/device/phone.ts'
import { type DeviceGroup, PhoneGroup } from '#domain/device/phone-group.ts'
import { Fleet } from '#domain/fleet.ts'
import { type Message, ttlMsOf } from '#domain/message/message.ts'
import { type OpenMessage, openMessageOf, QUEUEABLE_FIELDS } from '#domain/message/message-queue.ts'
import { addCapDeadline } from '#domain/sending/count-segments.ts'
import { scheduleMessage, waitFor } from '#domain/sending/schedule-message.ts'
import type { Settings } from '#domain/settings.ts'
import { monotonicDeadline, type Now } from '#domain/time.ts'

export interface StoredFleet {
  readonly devices: Iterable<Device>
  readonly groups: Iterable<DeviceGroup>
  /** Messages that are not final, in any order. Sandbox messages count as open while `sent`, too. */
  readonly messages: Iterable<StoredMessage>
}

/** The fields of a message that are read at each start. */
export const STORED_FIELDS = [...QUEUEABLE_FIELDS, 'test', 'status', 'notBefore'] as const
export type StoredMessage = Pick<Message, (typeof STORED_FIELDS)[number]>

export interface RestoreContext {
  readonly now: Now
  readonly clock: Pick<BelievedClock, 'heldMs'>
  readonly settings: Settings
  /** The memory of the transaction that failed; null when the writer starts. */
  readonly before: Fleet | null
}

export interface RestoredFleet {
  readonly fleet: Fleet
  readonly deadlines: Deadlines
}

/**
 * Builds the memory from the rows: when the writer starts, and after a failed transaction. State without rows
 * (sockets and pace) comes from the earlier fleet, if there is one. Offers are dropped: they are not
 * binding, and phones ignore a repeated offer.
 */
export function restoreFleet(stored: StoredFleet, context: RestoreContext): RestoredFleet {
  const fleet = new Fleet()
  const deadlines = new Deadlines()
  for (const device of stored.devices) {
    const phone = restorePhone(device, context)
    fleet.add(phone)
    phone.segmentsLeft = segmentsLeft(device, context.now.wallMs)
    addCapDeadline(deadlines, phone, context.now)
    // A phone without a session can get nothing until it connects.
    if (phone.session !== null) {
      deadlines.add(context.now.monoMs, 'pace', phone.id)
      deadlines.add(context.now.monoMs + SYNC_MS_MAX, 'sync', phone.id)
      deadlines.add(context.now.monoMs, 'reports', phone.id)
    }
    if (!phone.isReachable && device.announcedOnline)
      deadlines.add(
        (phone.unreachableSinceMono ?? phone.heardAtMono) + context.settings.offlineAfterMs,
        'offline',
        phone.id,
      )
  }
  for (const row of stored.groups) {
    const group = new PhoneGroup(row)
    group.openToAllAtMono = context.before?.groups.get(row.id)?.openToAllAtMono ?? null
    fleet.addGroup(group)
    deadlines.add(context.now.monoMs, 'group', row.id)
  }
  for (const message of stored.messages) restoreMessage(message, { fleet, deadlines }, context)
  fleet.rings = context.before?.committedRings ?? []
  fleet.committedRings = fleet.rings
  for (const { ringId } of fleet.rings) deadlines.add(context.now.monoMs, 'ring', ringId)
  return { fleet, deadlines }
}

function restorePhone(device: Device, context: RestoreContext): Phone {
  const { now, settings } = context
  const known = context.before?.phones.get(device.id)
  const pace = device.segmentsPerMinute ?? settings.segmentsPerMinute
  const pacing = known?.pacing ?? new Pacing(pace, settings.segmentsBurst, now.monoMs)
  pacing.changePace(pace, now.monoMs)
  const phone = new Phone(device, pacing, known?.heardAtMono ?? now.monoMs)
  if (known !== undefined) {
    phone.session = committedSession(known, context.before)
    phone.newestConnection = known.newestConnection
    phone.reportsBusy = known.reportsBusy
    phone.reportedTrouble = known.reportedTrouble
    phone.finding = known.finding
    phone.reportedAtMono = known.reportedAtMono
    phone.receiveTrouble = known.receiveTrouble
    phone.unreachableSinceMono = known.unreachableSinceMono
    phone.lastSeenAt = known.lastSeenAt
    phone.usedAtMono = known.usedAtMono
  }
  return phone
}

/** The session as of the last commit: orders of the failed transaction were never sent. */
function committedSession({ session }: Phone, before: Fleet | null): PhoneSession | null {
  const undone = session === null ? undefined : before?.uncommittedSessions.get(session)
  if (session === null || undone === 'opened') return null
  if (undone === 'synced') session.synced = false
  return session
}

function restoreMessage(
  message: StoredMessage,
  into: RestoredFleet,
  { now, settings, before, clock }: RestoreContext,
): void {
  const { fleet, deadlines } = into
  const known = before?.messages.get(message.id)
  const isRead = known === undefined || known.stage === 'scheduled'
  const expiresAtMono = isRead
    ? monotonicDeadline(message.expiresAt, ttlMsOf(message), now)
    : known.expiresAtMono
  const open = openMessageOf(message, expiresAtMono)
  open.isByRow = known?.isByRow ?? true
  // Drop each `go` of the failed transaction, because no phone got it.
  open.goes = known?.goes.filter(go => go.attempt <= message.attempt) ?? open.goes
  fleet.addMessage(open)
  const { sendAt, status, attempt } = message
  if (sendAt !== null && sendAt > now.wallMs && status === 'queued' && attempt === 0)
    return scheduleMessage({ deadlines, now }, open, sendAt)
  const isOver = isRead && status === 'queued' && message.expiresAt <= now.wallMs
  const heldMs = isOver ? clock.heldMs(now, message.expiresAt) : 0
  if (heldMs > 0) return waitFor({ deadlines, now }, open, heldMs)
  deadlines.addExpiry(open)
  const phone = open.deviceId === null ? undefined : fleet.phones.get(open.deviceId)
  if (message.test) {
    open.stage = message.status === 'queued' ? 'resting' : 'sending'
    deadlines.add(now.monoMs + SANDBOX_STEP_MS, 'sandbox', open.id)
  } else if (message.status === 'sending') {
    restoreFlight(open, phone, { deadlines, now })
  } else if (message.notBefore > now.wallMs) {
    // If the wall clock went back, a retry still waits at most the longest delay.
    deadlines.add(monotonicDeadline(message.notBefore, Math.max(...RETRY_DELAYS_MS), now), 'retry', open.id)
  } else {
    const canSend = phone?.canSendSoon(now.monoMs, settings.offlineAfterMs)
    // The row of a retried message names the phone that got the last `go`. Any other phone may send it, too.
    if (!open.pinned && open.attempt > 0 && !canSend) open.deviceId = null
    fleet.enqueue(open)
  }
}

/**
 * Restores a message that got `go`. The wait for the phone's report begins now if the phone has a session,
 * otherwise when the message expires.
 */
function restoreFlight(
  open: OpenMessage,
  phone: Phone | undefined,
  { deadlines, now }: { readonly deadlines: Deadlines; readonly now: Now },
): void {
  open.stage = 'sending'
  phone?.flights.set(open.id, {
    message: open,
    attempt: open.attempt,
    session: '',
    offeredAt: 0,
    heardAt: -1,
    submittedAt: null,
    isOverdue: false,
    progress: 'unreported',
  })
  const awaitedSince = phone?.session ? Math.min(now.monoMs, open.expiresAtMono) : open.expiresAtMono
  deadlines.add(awaitedSince + OUTCOME_UNKNOWN_MS, 'unknown', open.id)
}
