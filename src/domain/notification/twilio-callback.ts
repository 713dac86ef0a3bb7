/**
 * Twilio's status callbacks. The URL of such a message has a fragment, which is never sent. It marks the
 * form, and holds the fields of the request that the callback repeats.
 *
 * @see https://www.twilio.com/docs/messaging/guides/track-outbound-message-status
 */
import type { MessageStatus } from '#contracts/primitives.ts'
import { sidOf } from '#domain/message/message-sid.ts'

const MARK = '#twilio?'
const FIELD_LENGTH_MAX = 64

/** Twilio's code for a number that wants no more texts. */
export const TWILIO_OPTED_OUT = 21_610
/** Twilio's code for an unknown error. */
const TWILIO_ERROR = 30_008

/** Twilio's code for a failure. */
export function twilioErrorOf(failureCode: string): number {
  return failureCode === 'OPTED_OUT' ? TWILIO_OPTED_OUT : TWILIO_ERROR
}

/** Twilio's name of a status. */
export function twilioStatusOf(status: MessageStatus, failureCode: string | undefined): string {
  if (failureCode === 'CANCELLED') return 'canceled'
  return failureCode === 'UNDELIVERED' ? 'undelivered' : status
}

/** The URL of a message whose events are posted in Twilio's form. */
export function twilioCallback(url: string, fields: { readonly AccountSid: string; readonly From: string }) {
  const kept = Object.entries(fields).map(([name, value]) => [name, value.slice(0, FIELD_LENGTH_MAX)])
  return `${url.replace(/#.*$/s, '')}${MARK}${new URLSearchParams(kept)}`
}

export interface Callback {
  /** As its owner gave it, because the signature covers it. */
  readonly url: string
  readonly form: Readonly<Record<string, string>>
}

/** What is posted of an event (as JSON) to the URL of its message. Null: the URL has another form. */
export function readCallback(ownUrl: string | null, event: string): Callback | null {
  const [url = '', fields] = ownUrl?.split(MARK) ?? []
  if (fields === undefined) return null
  const { messageId, phoneNumber, status, failure } = JSON.parse(event).data
  const sid = sidOf(messageId)
  const state = twilioStatusOf(status, failure?.code)
  const error: Record<string, string> =
    failure == null ? {} : { ErrorCode: String(twilioErrorOf(failure.code)) }
  const sids = { MessageSid: sid, SmsSid: sid, MessageStatus: state, SmsStatus: state }
  const form = { ...sids, To: String(phoneNumber), ApiVersion: '2010-04-01', ...error }
  return { url, form: { ...form, ...Object.fromEntries(new URLSearchParams(fields)) } }
}
