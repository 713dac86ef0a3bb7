/**
 * The state machine of a message: how a phone's report changes it. Reports repeat, arrive late and out of
 * order. A repeat changes nothing, and a later report never reverts a stronger earlier one.
 */

import type { AttemptReport } from '#contracts/phone-orders.ts'
import { type Failure, failure, type Message } from '#domain/message/message.ts'
import { isTemporary, namedFailure } from '#domain/message/phone-failure.ts'

/** Attempts (`go`) for one message. */
export const ATTEMPTS_MAX = 5

/**
 * The part of a phone's report that changes a message. The report is about the attempt that last got `go`.
 */
type Report = Pick<AttemptReport, 'state' | 'code' | 'detail'>

export type StatusChange =
  | { readonly status: 'sending' }
  | { readonly status: 'queued' }
  | { readonly status: 'sent' | 'delivered' }
  | { readonly status: 'failed'; readonly failure: Failure }

/**
 * The change that a report about the last `go` causes. Null: none. A message whose time to live is over is
 * not tried again.
 */
export function changeByReport(message: Message, report: Report, hasTimeLeft: boolean): StatusChange | null {
  switch (message.status) {
    case 'sending':
      return whileSending(message, report, hasTimeLeft)
    case 'sent':
      if (report.state === 'delivered') return { status: 'delivered' }
      return report.state === 'failed' ? { status: 'failed', failure: failure('UNDELIVERED') } : null
    case 'failed':
      return afterFailure(message, report)
    case 'queued':
    case 'delivered':
      return null
  }
}

function whileSending(message: Message, report: Report, hasTimeLeft: boolean): StatusChange | null {
  switch (report.state) {
    case 'sent':
    case 'delivered':
      return { status: report.state }
    case 'uncertain':
      return { status: 'failed', failure: failure('OUTCOME_UNKNOWN') }
    case 'failed': {
      const mayRetry = isTemporary(report.code) && message.attempt < ATTEMPTS_MAX && hasTimeLeft
      if (mayRetry) return { status: 'queued' }
      return { status: 'failed', failure: namedFailure(report.code, report.detail ?? null) }
    }
    case 'accepted':
    case 'submitting':
    case 'submitted':
      return null
  }
}

/** A late report can prove that a message was sent although the gateway had given it up. */
function afterFailure({ failure, attempt }: Message, { state }: Report): StatusChange | null {
  const wasGivenUp = failure?.code === 'OUTCOME_UNKNOWN' || failure?.code === 'EXPIRED'
  if (!wasGivenUp || attempt === 0) return null
  return state === 'sent' || state === 'delivered' ? { status: state } : null
}

/** The message after the change; the timeline grows by one entry. */
export function applyChange(message: Message, change: StatusChange, wallMs: number): Message {
  const { deviceId } = message
  const isAgain = change.status === 'queued' && deviceId !== null
  const next = {
    ...message,
    status: change.status,
    failure: change.status === 'failed' ? change.failure : null,
    timeline: [...message.timeline, { status: change.status, at: wallMs, ...(isAgain && { deviceId }) }],
  }
  if (change.status === 'sent') return { ...next, sentAt: message.sentAt ?? wallMs }
  if (change.status !== 'delivered') return next
  return { ...next, sentAt: message.sentAt ?? wallMs, deliveredAt: wallMs }
}
