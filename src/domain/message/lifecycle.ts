/**
 * The state machine of a message: how a phone's report changes it. Reports repeat, arrive late and out of
 * order. A repeat changes nothing, and a later report never reverts a stronger earlier one.
 */

import { ATTEMPTS_MAX } from '#contracts/bounds.ts'
import type { AttemptReport } from '#contracts/phone-orders.ts'
import { type Failure, failure, type Message } from '#domain/message/message.ts'
import { isTemporary, namedFailure } from '#domain/message/phone-failure.ts'

/**
 * The part of a phone's report that changes a message. The report is about the attempt that last got `go`.
 */
type Word = Pick<AttemptReport, 'state' | 'code' | 'detail'>

export type Change =
  | { readonly status: 'sending' }
  | { readonly status: 'queued' }
  | { readonly status: 'sent' | 'delivered' }
  | { readonly status: 'failed'; readonly failure: Failure }

/**
 * The change that a report about the last `go` causes. Null: none. A message whose time to live is over is
 * not tried again.
 */
export function changeByReport(message: Message, word: Word, hasTimeLeft: boolean): Change | null {
  switch (message.status) {
    case 'sending':
      return whileSending(message, word, hasTimeLeft)
    case 'sent':
      if (word.state === 'delivered') return { status: 'delivered' }
      return word.state === 'failed' ? { status: 'failed', failure: failure('UNDELIVERED') } : null
    case 'failed':
      return afterUnknownEnd(message, word)
    case 'queued':
    case 'delivered':
      return null
  }
}

function whileSending(message: Message, word: Word, hasTimeLeft: boolean): Change | null {
  switch (word.state) {
    case 'sent':
    case 'delivered':
      return { status: word.state }
    case 'uncertain':
      return { status: 'failed', failure: failure('OUTCOME_UNKNOWN') }
    case 'failed': {
      const again = isTemporary(word.code) && message.attempt < ATTEMPTS_MAX && hasTimeLeft
      return again
        ? { status: 'queued' }
        : { status: 'failed', failure: namedFailure(word.code, word.detail ?? null) }
    }
    case 'accepted':
    case 'submitting':
    case 'submitted':
      return null
  }
}

function afterUnknownEnd(message: Message, word: Word): Change | null {
  const open = message.failure?.code === 'OUTCOME_UNKNOWN' || message.failure?.code === 'EXPIRED'
  if (!open || message.attempt === 0) return null
  return word.state === 'sent' || word.state === 'delivered' ? { status: word.state } : null
}

/** The message after the change; the timeline grows by one entry. */
export function changed(message: Message, change: Change, wallMs: number): Message {
  const next = {
    ...message,
    status: change.status,
    failure: change.status === 'failed' ? change.failure : null,
    timeline: [...message.timeline, { status: change.status, at: wallMs }],
  }
  if (change.status === 'sent') return { ...next, sentAt: message.sentAt ?? wallMs }
  if (change.status !== 'delivered') return next
  return { ...next, sentAt: message.sentAt ?? wallMs, deliveredAt: wallMs }
}
