/** The driver's connection to its modem. It opens the bus again after it has closed. */
import type { Clock } from '#agent/clock.ts'
import { Bus, BusError, type BusSignal } from '#agent/drivers/modem/bus.ts'
import {
  type Examined,
  examineModem,
  type ModemAccess,
  troubleOf,
} from '#agent/drivers/modem/examine-modem.ts'
import type { ModemRecord } from '#agent/drivers/modem/modem-record.ts'
import {
  callManager,
  MESSAGING,
  MODEM,
  MODEM_MANAGER,
  MODEM_STATE,
  type SeenModem,
  type SeenSim,
  SMS,
  setEnabled,
} from '#agent/drivers/modem/seen-modem.ts'
import { SMS_STATE } from '#agent/drivers/modem/sms.ts'

/** After so many texts without an answer one after another, the modem is started again … */
const TIMEOUTS_MAX = 2
/** … but not more often than this. */
export const RESET_EVERY_MS_MIN = 600_000

export interface ModemLinkPorts {
  readonly clock: Clock
  readonly access: ModemAccess
  readonly record: ModemRecord
  /** Where the bus listens; undefined: the place of the system's bus. */
  readonly busAddress: string | undefined
  readonly log: (line: string) => void
  /** False: the gateway that runs this agent no longer leads its cluster, so nothing may be sent. */
  readonly mayTransmit?: (() => boolean) | undefined
}

export class ModemLink {
  readonly #ports: ModemLinkPorts
  #bus: Promise<Bus> | null = null
  #seen: SeenModem | null = null
  #sim: SeenSim | null = null
  #timeouts = 0
  #resetMs: number | null = null
  #wasRoaming = false
  /** Paths of new texts. ModemManager tells of a text a moment before it is in the list. */
  readonly added = new Set<string>()
  isRinging = false
  /** Called when the modem has a new text. */
  onText: () => void = () => {}

  constructor(ports: ModemLinkPorts) {
    this.#ports = ports
  }

  /** What the last examination found. Null: it found no modem that can send. */
  get seen(): SeenModem | null {
    return this.#seen
  }

  /** The SIM of that modem. */
  get sim(): SeenSim | null {
    return this.#sim
  }

  get clock(): Clock {
    return this.#ports.clock
  }

  /** Ask at the moment of sending. */
  get mayTransmit(): boolean {
    return this.#ports.mayTransmit?.() !== false
  }

  get record(): ModemRecord {
    return this.#ports.record
  }

  log(line: string): void {
    this.#ports.log(line)
  }

  /** @throws BusError */
  async bus(): Promise<Bus> {
    const open = await this.#bus?.catch(() => null)
    if (open?.isOpen) return open
    const { clock, busAddress } = this.#ports
    this.#bus = Bus.open(clock, busAddress).then(async bus => {
      const from = `type='signal',sender='${MODEM_MANAGER}'`
      const changes = `${from},member='PropertiesChanged',arg0='${SMS}'`
      const rules = [`${from},interface='${MESSAGING}',member='Added'`, changes]
      await bus.watch(rules, signal => this.#hear(signal))
      return bus
    })
    return this.#bus
  }

  /** A text of several parts is added with its first part, and changes with its last. */
  #hear({ path, member, args }: BusSignal): void {
    const isAdded = member === 'Added' && path === this.#seen?.path
    const isComplete =
      member === 'PropertiesChanged' && args[0] === SMS && stateIn(args[1]) === SMS_STATE.received
    if (isAdded) this.added.add(String(args[0]))
    if (isAdded || isComplete) this.onText()
  }

  close(): void {
    void this.#bus?.then(
      bus => bus.close(),
      () => undefined,
    )
  }

  async examine(): Promise<Examined> {
    const examined = await this.#examine()
    const found = examined.kind === 'modem' ? examined : null
    this.#seen = found?.modem ?? null
    this.#sim = found?.sim ?? null
    if (this.#seen !== null) this.#warnOfRoaming(this.#seen)
    return examined
  }

  async #examine(): Promise<Examined> {
    try {
      return await examineModem(await this.bus(), this.#ports.access, this.#ports.record)
    } catch (error) {
      if (error instanceof BusError) return troubleOf(error)
      throw error
    }
  }

  #warnOfRoaming({ isRoaming, operator }: SeenModem): void {
    if (isRoaming && !this.#wasRoaming)
      this.log(`This modem is roaming (${operator ?? 'in a foreign network'}): texts may cost more.`)
    this.#wasRoaming = isRoaming
  }

  noteAnswer(): void {
    this.#timeouts = 0
  }

  /**
   * Starts the modem again when it has answered nothing for long, at most once in ten minutes. A data
   * connection would end, so a modem that has one is left alone.
   */
  noteTimeout(): void {
    const nowMs = this.clock.monotonicMs()
    const isSoon = this.#resetMs !== null && nowMs - this.#resetMs < RESET_EVERY_MS_MIN
    const modem = this.#seen
    if (++this.#timeouts < TIMEOUTS_MAX || isSoon || modem === null || hasData(modem)) return
    this.#resetMs = nowMs
    this.log('The modem does not answer: starting it again.')
    this.#reset(modem).catch((error: unknown) => this.log(`The modem cannot be started again: ${error}`))
  }

  /** False: nothing was done, because the modem has a data connection, or somebody is being called. */
  async switchOffAndOn(): Promise<boolean> {
    const modem = this.#seen
    if (modem === null || hasData(modem) || this.isRinging) return false
    const bus = await this.bus()
    await setEnabled(bus, modem, false)
    await setEnabled(bus, modem, true)
    return true
  }

  async #reset(modem: SeenModem): Promise<void> {
    const bus = await this.bus()
    try {
      await callManager(bus, { path: modem.path, interface: MODEM, member: 'Reset' })
    } catch {
      // Not every modem can be reset. The next examination switches it on again.
      await setEnabled(bus, modem, false)
    }
  }
}

const hasData = ({ state }: SeenModem) => state >= MODEM_STATE.disconnecting

const stateIn = (changed: unknown) => (changed as { readonly State?: unknown }).State
