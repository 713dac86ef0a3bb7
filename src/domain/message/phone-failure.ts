/**
 * What a phone's failure code means. A message is tried again only after a failure for which the radio surely
 * did not transmit: a generic failure or a network error can follow a real transmission, and a text sent
 * twice is worse than one that says it failed.
 */
import type { Failure } from '#domain/message/message.ts'

/**
 * Codes after which nothing was transmitted, in Android's words (SmsManager RESULT_ERROR_…) and ours
 * (`GO_EXPIRED`: the phone read `go` too late and did not start).
 */
const TEMPORARY = new Map([
  ['RADIO_OFF', "the phone's radio is off"],
  ['NO_SERVICE', 'the phone has no service'],
  ['LIMIT_EXCEEDED', 'the phone stopped sending for now: too many messages'],
  ['NO_SIM', 'the phone has no SIM'],
  ['SIM_ABSENT', 'the phone has no SIM'],
  ['GO_EXPIRED', 'the phone was told too late and did not start'],
])

export function isTemporary(code: string | null): boolean {
  return code !== null && TEMPORARY.has(bare(code))
}

/** The phone's own reason as a failure. */
export function namedFailure(code: string | null): Failure {
  if (code === null)
    return { code: 'RADIO_FAILURE', message: 'the phone could not send it and gave no reason' }
  const words = TEMPORARY.get(bare(code))
  return { code, message: words ?? `the phone could not send it: ${code}` }
}

function bare(code: string): string {
  return code.toUpperCase().replace(/^(?:SMS_)?(?:RESULT_)?(?:ERROR_)?/, '')
}
