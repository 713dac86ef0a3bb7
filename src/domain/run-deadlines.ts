import { OFFER_LEASE_MS, OUTCOME_UNKNOWN_MS } from '#contracts/bounds.ts'
import type { Move } from '#domain/clock/believed-clock.ts'
import type { Deadline, DeadlineKind } from '#domain/deadlines.ts'
import { voidPairings } from '#domain/device/pair-device.ts'
import type { Phone } from '#domain/device/phone.ts'
import { recordHistory } from '#domain/device/record-history.ts'
import { followClock } from '#domain/drill/follow-clock.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { applyRetention } from '#domain/retention/apply-retention.ts'
import { endRings, hangUpIncident, ringPerson } from '#domain/ring-people.ts'
import { announceOffline } from '#domain/sending/close-phone-session.ts'
import { watchCap } from '#domain/sending/count-segments.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import {
  endLease,
  offerMessages,
  offerToAll,
  offerWaiting,
  queueMessage,
  releaseQueue,
} from '#domain/sending/offer-messages.ts'
import { watchPlan } from '#domain/sending/plan-drills.ts'
import { endUnsynced, refuseConnection } from '#domain/sending/refuse-connection.ts'
import { watchDrill } from '#domain/sending/run-drills.ts'
import { followWallClock, isDue, outlives, releaseScheduled } from '#domain/sending/schedule-message.ts'
import { stepSandbox } from '#domain/sending/simulate-sandbox.ts'
import { summarizeOverflow } from '#domain/sending/summarize-overflow.ts'
import { tellStorm } from '#domain/sending/tell-storm.ts'
import { watchGroup } from '#domain/sending/watch-group.ts'
import { moveIncidents, watchIncident } from '#domain/sending/watch-incident.ts'
import { checkReports, isAwaited, noteReport } from '#domain/sending/watch-reports.ts'
import { raiseSilence } from '#domain/sending/watch-silence.ts'
import { expireCode } from '#domain/two-factor/close-code.ts'
import type { World } from '#domain/world.ts'

/** How many deadlines one transaction handles, so that callers do not wait long. */
const DEADLINES_PER_BATCH_MAX = 1000
/** Incidents among them: one with a thousand things takes 5 ms. */
const INCIDENTS_PER_BATCH_MAX = 10

/** Moves the times of rows after the clock by which they were written has changed. */
export function moveRows(world: World): void {
  const move = world.clock.measure(world.now)
  if (move === null) return
  world.messages.redate(world.tx, move)
  world.clockRows.redate(world.tx, move)
  for (const id of world.webhooks.move(world.tx, move)) world.deadlines.add(world.now.monoMs, 'storm', id)
  world.notifications.delayFailing(world.tx, { ms: move.silenceMs, now: world.now.wallMs })
  moveIncidents(world, move)
  redatePhones(world, move)
  followClock(world, move)
  followWallClock(world)
}

/** Corrects the times of phones in memory as those of their rows. */
function redatePhones({ fleet }: World, { from, ms }: Move): void {
  const by = (at: number) => (at >= from ? at + ms : at)
  for (const phone of fleet.phones.values()) {
    const { device } = phone
    phone.lastSeenAt = by(phone.lastSeenAt)
    phone.device = { ...device, pairedAt: by(device.pairedAt), lastSeenAt: by(device.lastSeenAt) }
  }
}

/** Handles due deadlines, at most `DEADLINES_PER_BATCH_MAX`. */
export function runDeadlines(world: World): void {
  const { deadlines, now } = world
  let incidents = 0
  for (const deadline of deadlines.takeDue(now.monoMs, DEADLINES_PER_BATCH_MAX)) {
    const { kind, id } = deadline
    if (kind === 'incident' && ++incidents > INCIDENTS_PER_BATCH_MAX) deadlines.add(now.monoMs, kind, id)
    else runDeadline(world, deadline)
  }
  world.deadlines.sweep(deadline => subjectExists(world, deadline))
}

const PHONE_KINDS: ReadonlySet<DeadlineKind> = new Set(['offline', 'pace', 'wake', 'sync', 'reports', 'cap'])

/** Kinds of which there are few. */
const RARE_KINDS: ReadonlySet<DeadlineKind> = new Set([
  'history',
  'retention',
  'void-pairings',
  'overflow',
  'storm',
  'silence',
  'group',
  'incident',
  'call',
  'hang-up',
  'drill',
  'drill-plan',
])

/** Whether the subject of the deadline still exists. */
function subjectExists({ fleet, openCodes }: World, deadline: Deadline): boolean {
  const { kind, id } = deadline
  if (RARE_KINDS.has(kind)) return true
  if (kind === 'ring') return fleet.rings.some(({ ringId }) => ringId === id)
  if (PHONE_KINDS.has(kind)) return fleet.phones.has(id)
  if (kind === 'due') return isDue(fleet, deadline)
  return kind === 'code' ? openCodes.expiresAt(id) !== undefined : fleet.messages.has(id)
}

function runDeadline(world: World, deadline: Deadline): void {
  const { fleet } = world
  const { id, kind } = deadline
  if (kind === 'offline') return announceOffline(world, id)
  if (kind === 'pace') return offerByPace(world, id)
  if (kind === 'wake') return retryWake(world, id)
  if (kind === 'sync' || kind === 'reports' || kind === 'cap') {
    const phone = fleet.phones.get(id)
    const handle = { sync: endUnsynced, reports: checkReports, cap: watchCap }[kind]
    return phone === undefined ? undefined : handle(world, phone)
  }
  if (kind === 'group') {
    const group = fleet.groups.get(id)
    return group === undefined ? undefined : watchGroup(world, group)
  }
  if (kind === 'incident') return watchIncident(world, id)
  if (kind === 'ring') return endRings(world, id)
  if (kind === 'call') return ringPerson(world, id)
  if (kind === 'hang-up') return hangUpIncident(world, id)
  if (kind === 'code') return expireCode(world, id)
  if (kind === 'retention') return applyRetention(world)
  if (kind === 'history') return recordHistory(world, id)
  if (kind === 'void-pairings') return voidPairings(world)
  if (kind === 'overflow') return summarizeOverflow(world, id)
  if (kind === 'storm') return tellStorm(world, id)
  if (kind === 'silence') return raiseSilence(world, id)
  if (kind === 'drill') return watchDrill(world, id)
  if (kind === 'drill-plan') return watchPlan(world, id)
  const open = fleet.messages.get(id)
  if (open === undefined) return
  switch (kind) {
    case 'expire':
      return expire(world, open)
    case 'due':
      return isDue(fleet, deadline) ? releaseScheduled(world, open) : undefined
    case 'retry':
      return retry(world, open)
    case 'lease':
      return endLease(world, deadline)
    case 'unknown':
      return endUnknown(world, open)
    case 'sandbox':
      return stepSandbox(world, open)
  }
}

/** Offers messages to a phone whose pace allows it again. */
function offerByPace(world: World, deviceId: string): void {
  const phone = world.fleet.phones.get(deviceId)
  if (phone === undefined) return
  if (phone.paceReadyAtMono !== null && phone.paceReadyAtMono <= world.now.monoMs)
    phone.paceReadyAtMono = null
  offerMessages(world, phone)
}

/**
 * Handles a phone that was woken and fetched nothing: its messages move to other phones if that is allowed,
 * and it is woken again.
 */
function retryWake(world: World, deviceId: string): void {
  const phone = world.fleet.phones.get(deviceId)
  const { monoMs } = world.now
  if (!phone?.isOverdue(monoMs)) return
  releaseQueue(world, deviceId)
  offerToAll(world, phone.device.accountId)
  world.deadlines.add(monoMs + OFFER_LEASE_MS, 'wake', deviceId)
}

/** Ends a message whose time to live is over, unless a phone is sending it. */
function expire(world: World, open: OpenMessage): void {
  if (open.stage === 'sending' || outlives(world, open)) return
  const phone = open.deviceId === null ? undefined : world.fleet.phones.get(open.deviceId)
  const freesSlot = open.stage === 'offered'
  endMessage(world, open, 'EXPIRED')
  if (freesSlot && phone !== undefined) offerMessages(world, phone)
}

/** Queues a failed message again after its delay. */
function retry(world: World, open: OpenMessage): void {
  if (open.stage !== 'resting') return
  queueMessage(world, open)
  offerWaiting(world, open)
}

/** Ends a message whose outcome the phone never reported. It is not sent again. */
function endUnknown(world: World, open: OpenMessage): void {
  if (open.stage !== 'sending') return
  const { monoMs } = world.now
  const phone = open.deviceId === null ? undefined : world.fleet.phones.get(open.deviceId)
  const endsAt = Math.min(awaitedSince(phone, open), open.expiresAtMono) + OUTCOME_UNKNOWN_MS
  if (monoMs < endsAt) return world.deadlines.add(endsAt, 'unknown', open.id)
  const asked = phone?.flights.get(open.id)
  endMessage(world, open, 'OUTCOME_UNKNOWN')
  if (phone === undefined) return
  // Other texts need not wait until the phone reports, if it has nothing to report.
  if (phone.can.asksFirst && asked !== undefined && !isAwaited(phone)) {
    // The phone has connected again since its `go`, and its journal does not know the text.
    if (asked.session !== phone.session?.id) noteReport(world, phone)
    else if (phone.finding?.kind === 'silent') return askForJournal(world, phone)
  }
  offerMessages(world, phone)
}

/** Makes a phone that reports nothing connect again. Its journal then shows whether it may go on. */
function askForJournal(world: World, phone: Phone): void {
  const reason = `no report about a text for ${OUTCOME_UNKNOWN_MS / 60_000} minutes: connect again`
  for (const connection of phone.session?.connections ?? [])
    refuseConnection(world, phone, { connection, why: 'protocol-error', reason })
}

/**
 * The monotonic time since when the phone should have reported about the message. Infinity: it cannot or need
 * not report yet. A phone that keeps a journal reports when it connects. A phone that fetches messages may
 * fetch and start late, but must report once it has started.
 */
function awaitedSince(phone: Phone | undefined, open: OpenMessage): number {
  const flight = phone?.flights.get(open.id)
  if (phone?.can.asksFirst === false)
    return flight?.progress === 'started' ? flight.heardAt : Number.POSITIVE_INFINITY
  const session = phone?.session
  return session?.synced ? Math.max(flight?.heardAt ?? 0, session.since) : Number.POSITIVE_INFINITY
}
