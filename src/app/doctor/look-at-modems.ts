/** Asks ModemManager and polkit about the modems of this machine. Starts and changes nothing. */
import { systemClock } from '#agent/clock.ts'
import { Bus, BusError } from '#agent/drivers/modem/bus.ts'
import { troubleOf } from '#agent/drivers/modem/examine-modem.ts'
import {
  LOCK_SIM_PIN,
  listModems,
  MODEM_MANAGER,
  MODEM_STATE,
  type SeenModem,
} from '#agent/drivers/modem/seen-modem.ts'
import { nameUser } from '#app/name-user.ts'
import { findRouters } from '#app/phones/find-routers.ts'
import type { Config } from '#contracts/config.ts'
import type { ModemFacts, ModemOfMachine } from '#domain/doctor/facts.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { phonesWithAccess, readModemAccess } from '#storage/phone-access-file.ts'

const ANSWER_MS_MAX = 5_000
/** What a phone does with its modem, as actions of polkit. */
const ACTIONS = ['Messaging', 'Voice', 'Device.Control']

/** Null: the configuration says that modems are left alone. */
export async function lookAtModems(
  { devices }: Pick<Config, 'devices'>,
  directory: DataDirectory,
): Promise<ModemFacts | null> {
  if (devices.modems === 'off') return null
  const phones = phonesWithAccess(directory).flatMap(id => readModemAccess(directory, id)?.imei ?? [])
  const known = { phones, routers: findRouters(), user: nameUser(process.getuid?.() ?? 0) }
  const nothing = { ...known, modems: [], refused: null }
  let bus: Bus
  try {
    bus = await Bus.open(systemClock, undefined)
  } catch {
    return { ...nothing, trouble: 'no-bus' }
  }
  try {
    // A call would start ModemManager.
    await bus.ownerOf(MODEM_MANAGER)
    const modems = (await listModems(bus, ANSWER_MS_MAX)).map(modemOf)
    return { ...known, modems, refused: await findRefused(bus), trouble: null }
  } catch (error) {
    if (!(error instanceof BusError)) throw error
    const { errorName } = error
    const isMissing = errorName?.endsWith('.NameHasNoOwner') === true
    const trouble = troubleOf(error)
    const sentence = trouble.kind === 'trouble' ? trouble.sentence : error.message
    return { ...nothing, trouble: isMissing ? 'not-running' : sentence }
  } finally {
    bus.close()
  }
}

/** Asks polkit what this process may not do. Null: polkit does not answer. */
async function findRefused(bus: Bus): Promise<string[] | null> {
  const call = {
    to: 'org.freedesktop.PolicyKit1',
    path: '/org/freedesktop/PolicyKit1/Authority',
    interface: 'org.freedesktop.PolicyKit1.Authority',
    member: 'CheckAuthorization',
    types: '(sa{sv})sa{ss}us',
    timeoutMs: ANSWER_MS_MAX,
  }
  const refused: string[] = []
  try {
    for (const action of ACTIONS) {
      const subject = ['system-bus-name', { name: bus.name }]
      const [result] = await bus.call({ ...call, args: [subject, `${MODEM_MANAGER}.${action}`, {}, 0, ''] })
      if (!Array.isArray(result) || result[0] !== true) refused.push(action)
    }
  } catch (error) {
    if (error instanceof BusError) return null
    throw error
  }
  return refused
}

function modemOf(modem: SeenModem): ModemOfMachine {
  const { imei, model, operator, signal, isRoaming } = modem
  return { imei, model, operator, signal, isRoaming, condition: conditionOf(modem) }
}

function conditionOf({ state, lock, hasNoSim, messages, isDenied }: SeenModem): ModemOfMachine['condition'] {
  if (hasNoSim) return 'no-sim'
  if (state === MODEM_STATE.failed) return 'failed'
  if (state === MODEM_STATE.locked) return lock === LOCK_SIM_PIN ? 'asks-for-pin' : 'blocked'
  if (state < MODEM_STATE.searching - 1) return 'off'
  if (messages === null) return 'no-texts'
  if (isDenied) return 'denied'
  return state < MODEM_STATE.registered ? 'no-service' : 'registered'
}
