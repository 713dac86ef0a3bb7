/**
 * Watches whether a phone reports what happened to its texts. A text that the phone took and does not report
 * as sent gives up its sending slot. A phone that reports nothing at all after a `go` gets no further one.
 */
import type { Flight, Phone } from '#domain/device/phone.ts'
import { offerMessages } from '#domain/sending/offer-messages.ts'
import { sendOrder } from '#domain/sending/send-order.ts'
import { clearFinding, setFinding } from '#domain/sending/set-trouble.ts'
import type { World } from '#domain/world.ts'

/** Phones report a text within seconds. The slowest command of an agent takes a minute. */
const REPORT_MS_MAX = 60_000

/** Call it when the phone got a `go`, or reported that it has submitted a text. */
export function watchReports({ now, deadlines }: Pick<World, 'now' | 'deadlines'>, phone: Phone): void {
  if (phone.isWatched) return
  phone.isWatched = true
  deadlines.add(now.monoMs + REPORT_MS_MAX, 'reports', phone.id)
}

/** Checks all texts of the phone that are due, and sets the deadline for the others. */
export function checkReports(world: World, phone: Phone): void {
  const { monoMs } = world.now
  phone.isWatched = false
  let nextAtMono = Number.POSITIVE_INFINITY
  let isSilent = false
  let frees = false
  for (const flight of phone.flights.values()) {
    const dueAtMono = reportDueAt(flight)
    if (dueAtMono === null) continue
    if (dueAtMono > monoMs) nextAtMono = Math.min(nextAtMono, dueAtMono)
    else if (flight.submittedAt === null) isSilent ||= mustHaveReported(phone, flight)
    else {
      frees = true
      flight.isOverdue = true
    }
  }
  if (isSilent) {
    const words = 'it does not report whether texts are sent'
    setFinding(world, phone, { kind: 'silent', words })
  }
  if (!phone.can.asksFirst) nextAtMono = Math.min(nextAtMono, askAgain(world, phone))
  if (nextAtMono !== Number.POSITIVE_INFINITY) {
    phone.isWatched = true
    world.deadlines.add(nextAtMono, 'reports', phone.id)
  }
  if (frees) offerMessages(world, phone)
}

/** The monotonic time at which the phone should have reported more. Null: there is none. */
function reportDueAt({ message, submittedAt, isOverdue, progress, heardAt }: Flight): number | null {
  if (message.stage !== 'sending' || isOverdue) return null
  if (submittedAt !== null) return submittedAt + REPORT_MS_MAX
  return progress === 'unreported' && heardAt >= 0 ? heardAt + REPORT_MS_MAX : null
}

/** Whether the phone could report since its `go`, and reported nothing. `heardAt` is the time of the `go`. */
function mustHaveReported({ session, reportedAtMono }: Phone, { heardAt }: Flight): boolean {
  return session?.synced === true && reportedAtMono <= heardAt
}

/**
 * Wakes a silent phone that fetches messages: it then gets the unreported texts again, and reports them.
 *
 * @returns when to check again
 */
function askAgain(world: World, phone: Phone): number {
  if (phone.finding?.kind !== 'silent') return Number.POSITIVE_INFINITY
  if (isAwaited(phone)) {
    sendOrder(world, phone, { type: 'wake' })
    return world.now.monoMs + REPORT_MS_MAX
  }
  // There is nothing that the phone could report any more.
  clearFinding(world, phone, 'silent')
  return Number.POSITIVE_INFINITY
}

/** Whether the phone got a `go` for a text, and has reported nothing about that text. */
export function isAwaited({ flights }: Phone): boolean {
  return [...flights.values()].some(
    ({ progress, message }) => progress === 'unreported' && message.stage === 'sending',
  )
}

/** Records that the phone reported something. */
export function noteReport(world: World, phone: Phone): void {
  phone.reportedAtMono = world.now.monoMs
  clearFinding(world, phone, 'silent')
}
