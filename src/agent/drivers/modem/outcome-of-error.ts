/** What an error of ModemManager's `Send` proves about the text. */
import type { Outcome } from '#agent/drivers/driver.ts'
import type { BusError } from '#agent/drivers/modem/bus.ts'

/** Nothing left: the call did not reach a text, or the modem refused before it took one. */
const NOT_SENT: readonly (readonly [RegExp, string])[] = [
  [/\.(?:Unauthorized|AccessDenied)$/, 'MODEM_FORBIDDEN'],
  [/\.(?:ServiceUnknown|NameHasNoOwner|UnknownMethod|UnknownObject|UnknownInterface)$/, 'PHONE_UNREACHABLE'],
  [/\.(?:Message|MobileEquipment)\.(?:Sim(?:NotInserted|Pin2?|Puk2?|Wrong)|PhSimPin)$/, 'NO_SIM'],
  [/\.(?:Message|MobileEquipment)\.NoNetwork$/, 'NO_SERVICE'],
  [/\.Core\.WrongState$/, 'NO_SERVICE'],
]

/**
 * The modem itself refuses such a text (3GPP 27.005, 301 to 305, and 330): nothing left, and it would refuse
 * it again.
 */
const REFUSED_BY_MODEM =
  /\.Message\.(?:SmsServiceReserved|NotAllowed|NotSupported|Invalid(?:Pdu|Text)Parameter|SmscAddressUnknown)$/

/** The network refused, with a cause of 3GPP 24.011 (1 to 127). */
const CAUSE = /^Unknown message error: (\d{1,3})$/
const CAUSE_MAX = 127
/** The causes that a person can do something about. */
const CAUSES: Readonly<Record<number, string>> = {
  1: 'there is no such number',
  8: 'the operator bars this SIM from sending',
  10: 'the SIM is barred from sending',
  21: 'the network rejects it: is there credit left?',
  27: 'the recipient is out of service',
  28: 'the network does not know this SIM',
  30: 'the network does not know this SIM',
  38: 'the network is out of order',
  42: 'the network is congested',
  50: 'the contract of this SIM has no texts',
}

/** `parts`: of the text. Once one of several may have left, no refusal proves that nothing did. */
export function outcomeOfError(error: BusError, parts: number): Outcome {
  const name = error.errorName ?? ''
  const detail = error.message.slice(0, 300)
  const notSent = NOT_SENT.find(([pattern]) => pattern.test(name))
  const cause = Number(CAUSE.exec(error.message)?.[1] ?? 0)
  const isRefused = cause >= 1 && cause <= CAUSE_MAX
  const cameBefore = /^org\.freedesktop\.DBus\.|\.Core\.(?:Unauthorized|WrongState)$/.test(name)
  if (parts > 1 && !cameBefore && (notSent || isRefused || REFUSED_BY_MODEM.test(name)))
    return { state: 'uncertain', code: 'MODEM_PARTLY_REFUSED', detail }
  if (notSent !== undefined) return { state: 'failed', code: notSent[1], detail }
  if (isRefused) return { state: 'failed', code: `CMS_${cause}`, detail: CAUSES[cause] ?? detail }
  if (REFUSED_BY_MODEM.test(name)) return { state: 'failed', code: 'MODEM_REFUSED', detail }
  return { state: 'uncertain', code: 'MODEM_OUTCOME_UNKNOWN', detail }
}
