/** Lists the modems of this machine, makes them devices, and changes their PINs. */
import { pause, systemClock } from '#agent/clock.ts'
import { Bus, BusError } from '#agent/drivers/modem/bus.ts'
import { type Examined, examineModem, troubleOf } from '#agent/drivers/modem/examine-modem.ts'
import { memoryRecord } from '#agent/drivers/modem/modem-record.ts'
import { listModems, MODEM_STATE, readSim, type SeenModem } from '#agent/drivers/modem/seen-modem.ts'
import { findRouters } from '#app/phones/find-routers.ts'
import type { DeviceReference, Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { DeviceDetail } from '#contracts/device.ts'
import { MODEM_STATES, type ModemItem, type NewModem } from '#contracts/modem.ts'
import { invalid, Problem } from '#domain/problem.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { phonesWithAccess, readModemAccess, savePhoneAccess } from '#storage/phone-access-file.ts'

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

  /** Returns what ModemManager sees, and why it sees nothing, a sentence. */
  async list(): Promise<{ readonly modems: ModemItem[]; readonly trouble: string | null }> {
    if (this.#isOff) return { modems: [], trouble: OFF }
    try {
      const modems = await withBus(bus => listModems(bus))
      return { modems: modems.map(itemOf), trouble: modems.length === 0 ? noneWords() : null }
    } catch (error) {
      const trouble = error instanceof BusError ? troubleOf(error) : null
      if (trouble?.kind !== 'trouble') throw error
      return { modems: [], trouble: trouble.sentence }
    }
  }

  get #isOff(): boolean {
    return this.#config.devices.modems === 'off'
  }

  /**
   * Makes a modem a device. The gateway then hosts an agent for it.
   *
   * @throws Problem NOT_FOUND when ModemManager sees no such modem; CONFLICT when the account already has it;
   *   INVALID_REQUEST when its SIM needs another PIN; FORBIDDEN when the plan allows no further phone
   */
  async add({ accountId, imei, pin, name, by }: NewModem): Promise<DeviceDetail> {
    const { writer, directory } = this.#ports
    await writer.ask('device.check-room', { accountId })
    const { modem, sim } = await this.#unlocked(imei, pin)
    await this.#refuseKnown(accountId, imei, sim.id)
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
   * @throws Problem NOT_FOUND; INVALID_REQUEST when the device is no modem, or the PIN is wrong
   */
  async changePin(which: DeviceReference, pin: string): Promise<void> {
    const { writer, directory } = this.#ports
    const { kind } = await writer.ask('device.find', which)
    if (kind !== 'modem')
      throw invalid([{ path: 'pin', message: 'can be changed only for phones of the kind modem' }])
    const known = readModemAccess(directory, which.deviceId)
    if (known === null)
      throw new Problem('CONFLICT', 'the file of this modem is lost: remove the phone and add it again')
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

  /** Refuses a modem and SIM that the account already has. Those of other accounts stay hidden. */
  async #refuseKnown(accountId: string, imei: string, sim: string | null): Promise<void> {
    const { writer, directory } = this.#ports
    const devices = await writer.ask('device.list', { accountId })
    for (const deviceId of phonesWithAccess(directory)) {
      const device = devices.find(one => one.deviceId === deviceId)
      const known = device === undefined ? null : readModemAccess(directory, deviceId)
      const isOtherSim = sim !== null && known?.sim != null && known.sim !== sim
      if (known === null || known.imei !== imei || isOtherSim) continue
      throw new Problem('CONFLICT', `this modem was already added, as ${device?.name} (${deviceId})`)
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

const OFF = 'modems are switched off by devices.modems in the configuration'
const GONE = 'ModemManager sees no modem with this IMEI'

function noneWords(): string {
  const [router] = findRouters()
  const why = router === undefined ? 'is it plugged in?' : `${router} is a small router (HiLink), not a modem`
  return `ModemManager sees no modem: ${why}`
}
