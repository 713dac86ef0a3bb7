/** Finds out whether a modem can send, and makes it ready: unlocks its SIM once, and switches it on. */
import { type Bus, BusError } from '#agent/drivers/modem/bus.ts'
import { hashOf, type ModemRecord } from '#agent/drivers/modem/modem-record.ts'
import {
  isForbidden,
  isMissing,
  LOCK_SIM_PIN,
  listModems,
  MODEM_STATE,
  readSim,
  type SeenModem,
  type SeenSim,
  sendPin,
  setEnabled,
} from '#agent/drivers/modem/seen-modem.ts'

/** A SIM that has only one try left is not tried: a third wrong PIN would block it. */
const PIN_TRIES_LEFT_MIN = 2

export interface ModemAccess {
  readonly imei: string
  /** Null: none was given. */
  readonly pin: string | null
}

export type Examined =
  | { readonly kind: 'modem'; readonly modem: SeenModem; readonly sim: SeenSim }
  | {
      readonly kind: 'trouble'
      /** A code of `domain/message/phone-failure.ts`. */
      readonly code: string
      readonly sentence: string
      /** Whether the PIN is missing or wrong. */
      readonly isLocked?: true
    }

/** Never throws a BusError: each is a trouble. */
export async function examineModem(bus: Bus, access: ModemAccess, record: ModemRecord): Promise<Examined> {
  try {
    const modem = (await listModems(bus)).find(({ imei }) => imei === access.imei)
    if (modem === undefined) return AWAY
    return await examineFound(bus, modem, { access, record })
  } catch (error) {
    if (!(error instanceof BusError)) throw error
    return troubleOf(error)
  }
}

async function examineFound(
  bus: Bus,
  modem: SeenModem,
  { access, record }: { readonly access: ModemAccess; readonly record: ModemRecord },
): Promise<Examined> {
  if (modem.hasNoSim) return trouble('NO_SIM', 'the modem has no SIM')
  if (modem.state === MODEM_STATE.failed)
    return trouble('PHONE_UNREACHABLE', 'the modem is out of order: unplug it and plug it in again')
  if (modem.state === MODEM_STATE.locked) {
    const refusal = await unlock(bus, modem, { access, record })
    return refusal ?? STARTING
  }
  const sim = await readSim(bus, modem)
  if (sim.id !== null && record.sim === null) record.change({ sim: sim.id })
  if (sim.id !== null && sim.id !== record.sim) return ANOTHER_SIM
  if (modem.state === MODEM_STATE.disabled) await setEnabled(bus, modem, true)
  else if (modem.state < MODEM_STATE.disabled || modem.state < MODEM_STATE.searching - 1) return STARTING
  if (modem.messages === null) return trouble('PHONE_UNREACHABLE', 'this modem cannot send texts')
  if (modem.isDenied) return trouble('NO_SERVICE', 'the network refuses its SIM')
  if (modem.state < MODEM_STATE.registered) return SEARCHING
  return { kind: 'modem', modem, sim }
}

/** Null: the SIM is unlocked now. A PIN that was refused is never tried again. */
async function unlock(
  bus: Bus,
  modem: SeenModem,
  { access: { pin }, record }: { readonly access: ModemAccess; readonly record: ModemRecord },
): Promise<Examined | null> {
  if (modem.lock !== LOCK_SIM_PIN) return locked('its SIM is blocked: unblock it in a phone, with its PUK')
  if (pin === null) return locked('its SIM asks for a PIN')
  if (record.refusedPin === hashOf(pin)) return WRONG_PIN
  if (modem.pinTries !== null && modem.pinTries < PIN_TRIES_LEFT_MIN)
    return locked('its SIM allows only one more try of the PIN: unlock it in a phone')
  // Written before the try: a crash in between must not lead to a second one.
  record.change({ refusedPin: hashOf(pin) })
  try {
    await sendPin(bus, modem, pin)
  } catch (error) {
    if (!(error instanceof BusError)) throw error
    if (isForbidden(error)) {
      record.change({ refusedPin: null })
      return troubleOf(error)
    }
    return WRONG_PIN
  }
  record.change({ refusedPin: null })
  return null
}

export function troubleOf(error: BusError): Examined {
  if (isForbidden(error))
    return trouble(
      'MODEM_FORBIDDEN',
      'polkit does not let Roost use ModemManager: see "A modem" in the handbook',
    )
  if (isMissing(error))
    return trouble('PHONE_UNREACHABLE', 'ModemManager does not run: install it with apt install modemmanager')
  if (error.errorName === null)
    return trouble('PHONE_UNREACHABLE', `ModemManager does not answer (${error.message})`)
  return trouble('PHONE_UNREACHABLE', `the modem does not answer: ${error.message}`.slice(0, 300))
}

const trouble = (code: string, sentence: string): Examined => ({ kind: 'trouble', code, sentence })
const locked = (sentence: string): Examined => ({ kind: 'trouble', code: 'NO_SIM', sentence, isLocked: true })
const AWAY = trouble('PHONE_UNREACHABLE', 'ModemManager does not see the modem: is it plugged in?')
const STARTING = trouble('PHONE_UNREACHABLE', 'the modem is starting')
const SEARCHING = trouble('NO_SERVICE', 'the modem has no service')
const WRONG_PIN = locked('its SIM did not accept the PIN, which is not tried again: give the right one')
const ANOTHER_SIM = trouble(
  'PHONE_CHANGED',
  'another SIM is in this modem: add the modem again, and remove this phone',
)
