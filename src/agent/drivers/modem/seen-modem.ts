/** What ModemManager says about its modems. The names and numbers are those of its D-Bus interface. */
import * as v from 'valibot'
import { type Bus, type BusCall, BusError } from '#agent/drivers/modem/bus.ts'
import { countryOfImsi } from '#agent/drivers/modem/country-of-imsi.ts'

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
