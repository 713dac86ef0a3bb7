/** Lists the modems of this machine, makes them devices, and changes their PINs. */
import { pause, systemClock } from '#agent/clock.ts'
import { Bus, BusError } from '#agent/drivers/modem/bus.ts'
import { type Examined, examineModem, troubleOf } from '#agent/drivers/modem/examine-modem.ts'
import { memoryRecord } from '#agent/drivers/modem/modem-record.ts'
import { listModems, MODEM_STATE, readSim, type SeenModem } from '#agent/drivers/modem/seen-modem.ts'
import { findRouters } from '#app/phones/find-routers.ts'
import { isSameModem, knownModems, mayUseModems, phonesWithoutModem } from '#app/phones/modem-owners.ts'
import type { DeviceReference, Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { DeviceDetail } from '#contracts/device.ts'
import { MODEM_STATES, type ModemItem, type NewModem } from '#contracts/modem.ts'
import { invalid, Problem } from '#domain/problem.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { readModemAccess, savePhoneAccess } from '#storage/phone-access-file.ts'

/** An unlocked modem needs seconds until ModemManager has read its SIM. */
const UNLOCKED_LOOKS_MAX = 20
const UNLOCKED_LOOK_EVERY_MS = 500

export interface ModemConnectionPorts {
  readonly writer: Writer
  readonly directory: DataDirectory
  readonly config: Pick<Config, 'devices'>
  /** In a cluster: resolves once the other members can read new secrets. */
  readonly shareSecrets?: (() => Promise<void>) | undefined
}

export class ModemConnections {
  readonly #ports: ModemConnectionPorts
  #config: ModemConnectionPorts['config']

  constructor(ports: ModemConnectionPorts) {
    this.#ports = ports
    this.#config = ports.config
  }

  reconfigure(config: ModemConnectionPorts['config']): void {
    this.#config = config
  }

  /**
   * Returns what ModemManager sees, as far as the account may see it, and why it sees nothing, a sentence. An
   * account that may not add modems sees those that are its phones.
   */
  async list(accountId: string): Promise<{ readonly modems: ModemItem[]; readonly trouble: string | null }> {
    if (this.#isOff) return { modems: [], trouble: OFF }
    try {
      const seen = await withBus(bus => listModems(bus))
      const trouble = seen.length === 0 ? noneWords() : null
      if (await this.#mayUse(accountId)) return { modems: seen.map(itemOf), trouble }
      const own = (await knownModems(this.#ports)).filter(one => one.accountId === accountId)
      const shown = seen.filter(({ imei }) => own.some(one => one.imei === imei))
      return { modems: shown.map(itemOf), trouble: shown.length === 0 ? OWNED : trouble }
    } catch (error) {
      const trouble = error instanceof BusError ? troubleOf(error) : null
      if (trouble?.kind !== 'trouble') throw error
      return { modems: [], trouble: trouble.sentence }
    }
  }

  #mayUse(accountId: string): Promise<boolean> {
    return mayUseModems(this.#ports.writer, accountId, this.#config.devices.modem_accounts)
  }

  get #isOff(): boolean {
    return this.#config.devices.modems === 'off'
  }

  /**
   * Makes a modem a device. The gateway then hosts an agent for it.
   *
   * @throws Problem NOT_FOUND when ModemManager sees no such modem; CONFLICT when it is a phone already;
   *   INVALID_REQUEST when its SIM needs another PIN; FORBIDDEN when the account may not add it
   */
  async add({ accountId, imei, pin, name, by }: NewModem): Promise<DeviceDetail> {
    const { writer, directory } = this.#ports
    await writer.ask('device.check-room', { accountId })
    if (!(await this.#mayUse(accountId))) throw new Problem('FORBIDDEN', OWNED)
    const known = await knownModems(this.#ports)
    // Before a PIN is tried, which would be the PIN of another account's SIM.
    if (known.some(one => one.imei === imei && one.accountId !== accountId)) throw inUse()
    const { modem, sim } = await this.#unlocked(imei, pin)
    const same = known.find(one => isSameModem(one, { accountId, imei, sim: sim.id }))
    if (same !== undefined) throw inUse(same.accountId === accountId ? same : undefined)
    const { operator: carrier, phoneNumber } = modem
    const sims = [{ slot: 1, carrier, countryCode: sim.countryCode, phoneNumber }]
    const about = { name: name ?? (modem.model || 'Modem'), appVersion: null, sims }
    const { deviceId, token } = await writer.ask('device.add', { accountId, protocol: 'modem', ...about }, by)
    try {
      savePhoneAccess(directory, deviceId, { imei, pin, sim: sim.id, token })
      await this.#ports.shareSecrets?.()
    } catch (error) {
      // Without the access file the gateway could not use the modem.
      await writer.ask('device.remove', { accountId, deviceId })
      throw error
    }
    return writer.ask('device.find', { accountId, deviceId })
  }

  /**
   * Changes the PIN, which is tried if the SIM waits for it.
   *
   * @throws Problem NOT_FOUND; INVALID_REQUEST when the device is no modem, or the PIN is wrong; CONFLICT
   *   when an older phone has the modem
   */
  async changePin(which: DeviceReference, pin: string): Promise<void> {
    const { writer, directory } = this.#ports
    const { kind } = await writer.ask('device.find', which)
    if (kind !== 'modem')
      throw invalid([{ path: 'pin', message: 'can be changed only for phones of the kind modem' }])
    const known = readModemAccess(directory, which.deviceId)
    if (known === null)
      throw new Problem('CONFLICT', 'the file of this modem is lost: remove the phone and add it again')
    if (phonesWithoutModem(await knownModems(this.#ports)).has(which.deviceId)) throw inUse()
    await this.#unlocked(known.imei, pin)
    savePhoneAccess(directory, which.deviceId, { ...known, pin })
    await this.#ports.shareSecrets?.()
    await writer.ask('device.update', { ...which, change: {} })
  }

  /** Finds the modem, with its SIM unlocked. Tries a PIN at most once. */
  async #unlocked(imei: string, pin: string | null) {
    if (this.#isOff) throw invalid([{ path: 'kind', message: OFF }])
    try {
      return await withBus(async bus => {
        await examineForPin(bus, imei, pin)
        for (let left = UNLOCKED_LOOKS_MAX; ; left--) {
          const modem = await find(bus, imei)
          const sim = modem === undefined ? null : await readSim(bus, modem)
          if (modem !== undefined && sim !== null && (sim.id !== null || left === 0)) return { modem, sim }
          if (left === 0) throw new Problem('NOT_FOUND', GONE)
          await pause(systemClock, UNLOCKED_LOOK_EVERY_MS, new AbortController().signal)
        }
      })
    } catch (error) {
      const trouble = error instanceof BusError ? troubleOf(error) : null
      throw trouble?.kind === 'trouble' ? new Problem('NOT_FOUND', trouble.sentence) : error
    }
  }
}

/** @throws Problem */
async function examineForPin(bus: Bus, imei: string, pin: string | null): Promise<void> {
  const modem = await find(bus, imei)
  if (modem === undefined) throw new Problem('NOT_FOUND', GONE)
  if (modem.state !== MODEM_STATE.locked) return
  const examined: Examined = await examineModem(bus, { imei, pin }, memoryRecord())
  if (examined.kind === 'trouble' && examined.isLocked)
    throw invalid([{ path: 'pin', message: examined.sentence }])
}

const find = async (bus: Bus, imei: string) => (await listModems(bus)).find(one => one.imei === imei)

async function withBus<Result>(use: (bus: Bus) => Promise<Result>): Promise<Result> {
  const bus = await Bus.open(systemClock, undefined)
  try {
    return await use(bus)
  } finally {
    bus.close()
  }
}

function itemOf({ imei, model, operator, phoneNumber, signal, state, lock }: SeenModem): ModemItem {
  const locked = state === MODEM_STATE.locked
  const word = MODEM_STATES[state + 1] ?? 'unknown'
  return { imei, model, operator, phoneNumber, signal, state: word, locked: locked && lock > 1 }
}

/** Of another account's phone it says nothing. */
function inUse(own?: { readonly name: string; readonly deviceId: string }): Problem {
  if (own === undefined) return new Problem('CONFLICT', 'this modem or its SIM was already added')
  const { name, deviceId } = own
  return new Problem('CONFLICT', `this modem or its SIM was already added, as ${name} (${deviceId})`)
}

const OWNED = 'only the first account, and those of devices.modem_accounts, may add modems of this machine'
const OFF = 'modems are switched off by devices.modems in the configuration'
const GONE = 'ModemManager sees no modem with this IMEI'

function noneWords(): string {
  const [router] = findRouters()
  const why = router === undefined ? 'is it plugged in?' : `${router} is a small router (HiLink), not a modem`
  return `ModemManager sees no modem: ${why}`
}
