/** What ModemManager says about its modems. The names and numbers are those of its D-Bus interface. */
import * as v from 'valibot'
import { type Bus, type BusCall, BusError } from '#agent/drivers/modem/bus.ts'

const COUNTRIES = [
  'GR202 NL204 BE206 FR208 MC212 AD213 ES214 HU216 BA218 HR219 RS220 XK221 IT222 VA225 RO226 CH228',
  'CZ230 SK231 AT232 GB234 GB235 DK238 SE240 NO242 FI244 LT246 LV247 EE248 RU250 UA255 BY257 MD259',
  'PL260 DE262 GI266 PT268 LU270 IE272 IS274 AL276 MT278 CY280 GE282 AM283 BG284 TR286 FO288 GL290',
  'SM292 SI293 MK294 LI295 ME297 CA302 PM308 US310 US311 US312 US313 US314 US315 US316 PR330 VI332',
  'MX334 JM338 GP340 BB342 AG344 KY346 VG348 BM350 GD352 MS354 KN356 LC358 VC360 CW362 AW363 BS364',
  'AI365 DM366 CU368 DO370 HT372 TT374 TC376 AZ400 KZ401 BT402 IN404 IN405 IN406 PK410 AF412 LK413',
  'MM414 LB415 JO416 SY417 IQ418 KW419 SA420 YE421 OM422 AE424 IL425 BH426 QA427 MN428 NP429 AE430',
  'AE431 IR432 UZ434 TJ436 KG437 TM438 JP440 JP441 KR450 VN452 HK454 MO455 KH456 LA457 CN460 CN461',
  'TW466 KP467 BD470 MV472 MY502 AU505 ID510 TL514 PH515 TH520 SG525 BN528 NZ530 NR536 PG537 TO539',
  'SB540 VU541 FJ542 WF543 AS544 KI545 NC546 PF547 CK548 WS549 FM550 MH551 PW552 TV553 TK554 NU555',
  'EG602 DZ603 MA604 TN605 LY606 GM607 SN608 MR609 ML610 GN611 CI612 BF613 NE614 TG615 BJ616 MU617',
  'LR618 SL619 GH620 NG621 TD622 CF623 CM624 CV625 ST626 GQ627 GA628 CG629 CD630 AO631 GW632 SC633',
  'SD634 RW635 ET636 SO637 DJ638 KE639 TZ640 UG641 BI642 MZ643 ZM645 MG646 RE647 ZW648 NA649 MW650',
  'LS651 BW652 SZ653 KM654 ZA655 ER657 SH658 SS659 BZ702 GT704 SV706 HN708 NI710 CR712 PA714 PE716',
  'AR722 BR724 CL730 CO732 VE734 BO736 GY738 EC740 GF742 PY744 SR746 UY748 FK750',
].join(' ')

export const MODEM_MANAGER = 'org.freedesktop.ModemManager1'
export const MODEM = `${MODEM_MANAGER}.Modem`
export const MESSAGING = `${MODEM}.Messaging`
export const VOICE = `${MODEM}.Voice`
export const SMS = `${MODEM_MANAGER}.Sms`
export const CALL = `${MODEM_MANAGER}.Call`
const SIM = `${MODEM_MANAGER}.Sim`
const THREE_GPP = `${MODEM}.Modem3gpp`
const PROPERTIES = 'org.freedesktop.DBus.Properties'
/** The path of an object that is not there. */
export const NOWHERE = '/'

/** MMModemState. */
export const MODEM_STATE = {
  failed: -1,
  unknown: 0,
  initializing: 1,
  locked: 2,
  disabled: 3,
  disabling: 4,
  enabling: 5,
  searching: 7,
  registered: 8,
  disconnecting: 9,
} as const
/** MMModemStateFailedReason: there is no SIM. */
const SIM_MISSING = 2
/** MMModemLock: the PIN of the SIM. */
export const LOCK_SIM_PIN = 2
/** MMModem3gppRegistrationState. */
const DENIED = 3
const ROAMING = [5, 7, 10]

const text = v.optional(v.string(), '')
const Facts = v.object({
  [MODEM]: v.object({
    EquipmentIdentifier: text,
    Manufacturer: text,
    Model: text,
    State: v.optional(v.number(), MODEM_STATE.unknown),
    StateFailedReason: v.optional(v.number(), 0),
    UnlockRequired: v.optional(v.number(), 0),
    /** Tries left, by lock. */
    UnlockRetries: v.optional(v.unknown()),
    SignalQuality: v.optional(v.array(v.unknown()), []),
    OwnNumbers: v.optional(v.array(v.string()), []),
    Sim: v.optional(v.string(), NOWHERE),
  }),
  [THREE_GPP]: v.optional(
    v.object({ OperatorName: text, RegistrationState: v.optional(v.number(), 0), Imei: text }),
    {},
  ),
  [MESSAGING]: v.optional(v.object({ Messages: v.optional(v.array(v.string()), []) })),
  [VOICE]: v.optional(v.unknown()),
})

/** A modem as ModemManager sees it. */
export interface SeenModem {
  readonly path: string
  readonly imei: string
  /** Maker and model. */
  readonly model: string
  readonly state: number
  readonly hasNoSim: boolean
  /** 0 or 1: none. */
  readonly lock: number
  /** How often a PIN may still be tried. Null: not known. */
  readonly pinTries: number | null
  /** Percent. Null: not known, or the modem is not on. */
  readonly signal: number | null
  readonly operator: string | null
  readonly phoneNumber: string | null
  readonly isRoaming: boolean
  readonly isDenied: boolean
  readonly simPath: string
  /** Paths of its texts. Null: it cannot send texts. */
  readonly messages: readonly string[] | null
  readonly canCall: boolean
}

/** @throws BusError */
export async function listModems(bus: Bus, timeoutMs?: number): Promise<SeenModem[]> {
  const [objects] = await callManager(bus, {
    path: '/org/freedesktop/ModemManager1',
    interface: 'org.freedesktop.DBus.ObjectManager',
    member: 'GetManagedObjects',
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  return Object.entries(objects as object).flatMap(([path, facts]) => {
    const read = v.safeParse(Facts, facts)
    return read.success ? [seenModem(path, read.output)] : []
  })
}

function seenModem(path: string, facts: v.InferOutput<typeof Facts>): SeenModem {
  const modem = facts[MODEM]
  const network = facts[THREE_GPP]
  const [quality] = modem.SignalQuality
  return {
    path,
    imei: modem.EquipmentIdentifier || (network.Imei ?? ''),
    model: `${modem.Manufacturer} ${modem.Model}`.replace(/\s+/g, ' ').trim(),
    state: modem.State,
    hasNoSim: modem.StateFailedReason === SIM_MISSING,
    lock: modem.UnlockRequired,
    pinTries: triesOf(modem.UnlockRetries),
    signal: typeof quality === 'number' && quality > 0 ? quality : null,
    operator: network.OperatorName || null,
    phoneNumber: modem.OwnNumbers[0] ?? null,
    isRoaming: ROAMING.includes(network.RegistrationState ?? 0),
    isDenied: network.RegistrationState === DENIED,
    simPath: modem.Sim,
    messages: facts[MESSAGING]?.Messages ?? null,
    canCall: facts[VOICE] !== undefined,
  }
}

/** An object, or a list of pairs. */
function triesOf(retries: unknown): number | null {
  const pairs: unknown[] = Array.isArray(retries) ? retries : Object.entries(retries ?? {})
  const found = pairs.find(pair => Array.isArray(pair) && Number(pair[0]) === LOCK_SIM_PIN)
  return Array.isArray(found) ? Number(found[1]) : null
}

export interface SeenSim {
  /** Its number (ICCID), else the subscriber's (IMSI). Null: both are unknown. */
  readonly id: string | null
  /** Two capital letters. Null: unknown. */
  readonly countryCode: string | null
}

/** @throws BusError */
export async function readSim(bus: Bus, { simPath }: Pick<SeenModem, 'simPath'>): Promise<SeenSim> {
  if (simPath === NOWHERE) return { id: null, countryCode: null }
  const shape = v.object({ SimIdentifier: text, Imsi: text })
  const { SimIdentifier: iccid, Imsi: imsi } = v.parse(shape, await propertiesOf(bus, simPath, SIM))
  return { id: iccid || imsi || null, countryCode: countryOfImsi(imsi) }
}

/** @throws BusError if the PIN is wrong, too */
export async function sendPin(bus: Bus, { simPath }: Pick<SeenModem, 'simPath'>, pin: string): Promise<void> {
  await callManager(bus, { path: simPath, interface: SIM, member: 'SendPin', types: 's', args: [pin] })
}

/** @throws BusError */
export async function setEnabled(
  bus: Bus,
  { path }: Pick<SeenModem, 'path'>,
  isEnabled: boolean,
): Promise<void> {
  await callManager(bus, { path, interface: MODEM, member: 'Enable', types: 'b', args: [isEnabled] })
}

/** @throws BusError */
export async function propertiesOf(bus: Bus, path: string, name: string): Promise<unknown> {
  const call = { path, interface: PROPERTIES, member: 'GetAll', types: 's', args: [name] }
  return (await callManager(bus, call))[0]
}

/** @throws BusError */
export function callManager(bus: Bus, call: Omit<BusCall, 'to'>): Promise<readonly unknown[]> {
  return bus.call({ to: MODEM_MANAGER, ...call })
}

/** Whether polkit or the bus refused the call. */
export function isForbidden(error: unknown): boolean {
  return error instanceof BusError && /\.(?:Unauthorized|AccessDenied)$/.test(error.errorName ?? '')
}

/** Whether there is no ModemManager on this machine, or it does not run. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof BusError && /\.(?:ServiceUnknown|NameHasNoOwner|Spawn\..*)$/.test(error.errorName ?? '')
  )
}

/** The country of a SIM, by the first three digits of its subscriber's number (MCC of ITU-T E.212). */

/** Two capital letters. Null: the digits are unknown, or of no country. */
export function countryOfImsi(imsi: string): string | null {
  const mcc = /^\d{3}/.exec(imsi)?.[0]
  const found = mcc === undefined ? -1 : COUNTRIES.indexOf(mcc)
  return found < 0 ? null : COUNTRIES.slice(found - 2, found)
}
