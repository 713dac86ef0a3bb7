/**
 * What a phone's failure code means. A message is retried only after a failure without any radio
 * transmission. A generic failure or a network error can follow a real transmission, and a text sent twice is
 * worse than one reported as failed.
 */
import type { Failure } from '#domain/message/message.ts'

/**
 * Codes after which nothing was transmitted: those of Android (SmsManager, without `RESULT_ERROR_`), then
 * those of our agent and its drivers.
 */
const TEMPORARY = new Map([
  ['RADIO_OFF', "the phone's radio is off"],
  ['RADIO_NOT_AVAILABLE', "the phone's radio is not available"],
  ['FDN_CHECK_FAILURE', "the phone's list of allowed numbers does not contain this one"],
  ['SHORT_CODE_NOT_ALLOWED', 'the phone does not let an app send to this short number'],
  ['SHORT_CODE_NEVER_ALLOWED', 'the phone does not let an app send to this short number'],
  ['NO_SERVICE', 'the phone has no service'],
  ['LIMIT_EXCEEDED', 'the phone stopped sending for now: too many messages'],
  ['NO_SIM', 'the phone has no SIM'],
  ['SIM_ABSENT', 'the phone has no SIM'],
  ['TERMUX_API_MISSING', 'Termux:API does not answer on the phone'],
  ['PERMISSION_DENIED', 'Android does not let the phone send'],
  ['EXEC_NOT_STARTED', 'the command that sends could not be started'],
  ['EXEC_EXIT_126', 'the command that sends may not be executed'],
  ['EXEC_EXIT_127', 'the command that sends was not found'],
  ['PHONE_UNREACHABLE', 'the phone could not be reached'],
  ['PHONE_REFUSED', 'the phone refuses user name and password'],
  ['PHONE_CHANGED', 'another phone answers at its address'],
  ['NOT_SMSGATE', 'the program at its address is not SMSGate'],
  ['APP_TOO_OLD', 'the app on the phone is too old'],
  ['MODEM_FORBIDDEN', 'polkit does not let Roost use the modem'],
  ['NOT_STARTED', 'the phone did not begin to send it'],
  ['GO_EXPIRED', 'the phone got the permission to send too late and did not start'],
])

/** The codes of which the gateway knows what they mean. */
export const PHONE_FAILURES: readonly string[] = [...TEMPORARY.keys(), 'RADIO_FAILURE']

export function isTemporary(code: string | null): boolean {
  return code !== null && TEMPORARY.has(withoutPrefix(code))
}

/** The phone's failure code, with the phone's own sentence if it sent one. */
export function namedFailure(code: string | null, detail: string | null): Failure {
  const sentence = detail?.replace(/[\s\p{C}]+/gu, ' ').trim() || null
  if (code === null)
    return { code: 'RADIO_FAILURE', message: sentence ?? 'the phone could not send it and gave no reason' }
  const known = TEMPORARY.get(withoutPrefix(code))
  if (sentence !== null) return { code, message: `${known ?? 'the phone could not send it'}: ${sentence}` }
  return { code, message: known ?? `the phone could not send it: ${code}` }
}

/** The code without Android's prefixes: `NO_SERVICE` for `RESULT_ERROR_NO_SERVICE`. */
function withoutPrefix(code: string): string {
  return code.toUpperCase().replace(/^(?:SMS_)?(?:RESULT_)?(?:ERROR_)?/, '')
}
