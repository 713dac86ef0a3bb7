/**
 * What the local-server and cloud-server modes of the SMSGate app ("SMS Gateway for Android") share: message
 * states, failure texts and versions. Source: the app's code, version 1.68.0.
 */
import * as v from 'valibot'
import { CANCELLED_ON_PHONE, type JournalState } from '#contracts/phone-orders.ts'

/** The oldest version that accepts a text in the field `textMessage`. */
export const SMSGATE_VERSION_MIN = '1.39.0'
/**
 * The oldest version that can cancel a text. When the gateway lists a text as `Cancelling`, an older version
 * sends it.
 */
export const SMSGATE_CANCEL_VERSION_MIN = '1.67.0'
/** The oldest version whose local server lists received texts. */
export const SMSGATE_INBOX_VERSION_MIN = '1.59.0'
/** The default user name of the app's local server. */
export const PHONE_USERNAME = 'sms'
/**
 * Priorities for the app, which allows -128 to 127. From 100 on, the app ignores its own limits and delays,
 * so that the gateway alone sets the pace.
 */
export const SMSGATE_PRIORITY = { normal: 100, high: 127 } as const

const STATES = ['Pending', 'Processed', 'Sent', 'Delivered', 'Failed', 'Cancelling', 'Cancelled'] as const
type AppState = (typeof STATES)[number]

/** A message as the app describes it. It has one recipient, because the gateway sends each message to one. */
export const AppMessage = v.object({
  id: v.string(),
  state: v.picklist(STATES),
  recipients: v.optional(
    v.array(v.object({ state: v.picklist(STATES), error: v.optional(v.nullable(v.string())) })),
    [],
  ),
  /** When each state was reached. */
  states: v.optional(v.record(v.string(), v.unknown()), {}),
})
export type AppMessage = v.InferOutput<typeof AppMessage>

/** The app's state of a message, translated to the states of `JOURNAL_STATES`. */
export interface AppOutcome {
  readonly state: Extract<JournalState, 'submitted' | 'sent' | 'delivered' | 'failed'>
  readonly code?: string
  readonly detail?: string
}

/**
 * The id of a message on the phone. The app refuses an id that it already knows, even after a failure, so
 * each further attempt gets a suffix.
 */
export function appMessageId(messageId: string, attempt: number): string {
  return attempt === 1 ? messageId : `${messageId}.${attempt}`
}

/** Reads an id made by `appMessageId`; null: the gateway did not make this id. */
export function readAppMessageId(
  id: string,
): { readonly messageId: string; readonly attempt: number } | null {
  const [, messageId, attempt = '1'] = /^(msg_[0-9A-Z]{26})(?:\.([2-9]|[1-9]\d))?$/.exec(id) ?? []
  return messageId === undefined ? null : { messageId, attempt: Number(attempt) }
}

/** Translates the app's description of a message. */
export function readAppMessage({ state, recipients, states }: AppMessage): AppOutcome {
  const [recipient] = recipients
  const reached = recipient?.state ?? state
  if (reached !== 'Failed' && reached !== 'Cancelled') return { state: JOURNAL_STATE_OF[reached] }
  const detail = recipient?.error ?? (reached === 'Cancelled' ? 'cancelled in the app' : null)
  const wasSent = 'Sent' in states || 'Delivered' in states
  let code = codeOf(detail ?? '')
  if (wasSent) code = 'UNDELIVERED'
  if (reached === 'Cancelled') code = CANCELLED_ON_PHONE
  return { state: 'failed', code, ...(detail === null ? {} : { detail: detail.slice(0, 500) }) }
}

const JOURNAL_STATE_OF: Readonly<Record<Exclude<AppState, 'Failed' | 'Cancelled'>, AppOutcome['state']>> = {
  Pending: 'submitted',
  Processed: 'submitted',
  Cancelling: 'submitted',
  Sent: 'sent',
  Delivered: 'delivered',
}

/**
 * Finds the code in the app's failure text, such as `Send result: RESULT_ERROR_NO_SERVICE (Failed …)`.
 * `domain/message/phone-failure.ts` knows which codes mean that nothing was transmitted.
 */
function codeOf(sentence: string): string {
  if (/^Delivery result\b/i.test(sentence)) return 'UNDELIVERED'
  if (/^TTL expired/i.test(sentence)) return 'EXPIRED'
  const [android] = /\b(?:RESULT_|SHORT_CODE_)[A-Z_]{3,50}\b/.exec(sentence) ?? []
  if (android !== undefined) return android
  return /^sendSMS:/i.test(sentence) ? 'NOT_STARTED' : 'RADIO_FAILURE'
}

/** Whether the app's version is older than `reference`. An unreadable version counts as new. */
export function isOlderApp(version: string, reference: string): boolean {
  const own = numbersOf(version)
  for (const [index, wanted] of numbersOf(reference).entries()) {
    const number = own[index] ?? Number.NaN
    if (Number.isNaN(number) || number > wanted) return false
    if (number < wanted) return true
  }
  return false
}

/** `1.68.0` as `[1, 68, 0]`; NaN for a part that is not a number. */
function numbersOf(version: string): number[] {
  return version.split(/[.+-]/, 3).map(part => Number.parseInt(part, 10))
}
