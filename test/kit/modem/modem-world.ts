/** Debian's ModemManager on a bus of its own, with a pretend modem, and polkit played by a stand-in. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '#agent/clock.ts'
import { Bus, type BusCall } from '#agent/drivers/modem/bus.ts'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import { PretendModem } from '#test/kit/modem/pretend-modem.ts'
import { startPolkit } from '#test/kit/modem/pretend-polkit.ts'
import { type Program, start } from '#test/kit/program.ts'

const MODEM_MANAGER_FILE = '/usr/sbin/ModemManager'
const MODEM_MANAGER = 'org.freedesktop.ModemManager1'
const OPTIONS = ['session', 'enable', 'no-udev', 'no-suspend-resume', 'no-qrtr'].map(one => `--test-${one}`)

/** Why these tests cannot run on this machine. False: they can. */
export function modemManagerMissing(): string | false {
  const isThere = existsSync(MODEM_MANAGER_FILE) && existsSync('/usr/bin/dbus-daemon')
  return !isThere && 'ModemManager is not installed: apt-get install modemmanager dbus'
}

export class ModemWorld {
  /** The address of the bus. */
  readonly address: string
  readonly modem: PretendModem
  readonly bus: Bus
  /** Names of actions that polkit refuses. */
  readonly refused: Set<string>
  readonly #socket: string
  readonly #news = new EventTarget()
  #manager: Program | null = null
  #isNamed = false
  #state: number | null = null

  private constructor(made: Pick<ModemWorld, 'address' | 'modem' | 'bus' | 'refused'>, socket: string) {
    this.address = made.address
    this.modem = made.modem
    this.bus = made.bus
    this.refused = made.refused
    this.#socket = socket
  }

  /** `prepare` changes the modem before ModemManager sees it. The folder gets the socket of the bus. */
  static async start(
    t: Cleaner,
    folder: string,
    prepare: (modem: PretendModem) => void = () => undefined,
  ): Promise<ModemWorld> {
    const config = join(folder, 'bus.conf')
    writeFileSync(config, busConfig(join(folder, 'bus')))
    const args = [`--config-file=${config}`, '--nofork', '--print-address=1']
    const daemon = start(['dbus-daemon', ...args], { cwd: folder })
    t.after(() => void daemon.child.kill('SIGKILL'))
    const address = (await daemon.stdout.until(/^unix:/)).trim()
    const bus = await Bus.open(systemClock, address)
    t.after(() => bus.close())
    const refused = new Set<string>()
    await startPolkit(t, address, refused)
    const socket = `roost-${randomUUID().slice(0, 8)}`
    const modem = await PretendModem.start(socket)
    t.after(() => modem.stop())
    prepare(modem)
    const world = new ModemWorld({ address, modem, bus, refused }, socket)
    t.after(() => world.killManager())
    await world.#watch()
    await world.startManager()
    return world
  }

  async #watch(): Promise<void> {
    const told = () => this.#news.dispatchEvent(new Event('news'))
    const isState = (member: string) => member === 'StateChanged' || member === 'InterfacesAdded'
    const rules = [`member='NameOwnerChanged',arg0='${MODEM_MANAGER}'`, `sender='${MODEM_MANAGER}'`]
    await this.bus.watch(rules, ({ member, args }) => {
      if (member === 'NameOwnerChanged' && args[0] === MODEM_MANAGER) {
        this.#isNamed = args[2] !== ''
        this.#state = null
      } else if (isState(member)) {
        this.#state = member === 'StateChanged' ? Number(args[1]) : stateIn(args[1])
      }
      told()
    })
  }

  /** Starts ModemManager, and waits until it has read the modem. */
  async startManager(): Promise<void> {
    const env = { DBUS_SYSTEM_BUS_ADDRESS: this.address, DBUS_SESSION_BUS_ADDRESS: this.address }
    this.#manager = start([MODEM_MANAGER_FILE, ...OPTIONS, '--no-auto-scan'], { cwd: '/', env })
    await this.#until(() => this.#isNamed)
    await this.call({
      ...{ path: '/org/freedesktop/ModemManager1', interface: `${MODEM_MANAGER}.Test`, member: 'SetProfile' },
      ...{ types: 'ssas', args: ['roost', 'generic', [`abstract:${this.#socket}`]] },
    })
    await this.#until(() => this.#state !== null)
  }

  /** Resolves when ModemManager says that the modem is registered, or when `state` is that of the modem. */
  untilState(state = 8): Promise<void> {
    return this.#until(() => this.#state === state)
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) await once(this.#news, 'news')
  }

  /** kill -9. */
  async killManager(): Promise<void> {
    this.#manager?.child.kill('SIGKILL')
    await this.#manager?.ended
    this.#isNamed = false
  }

  /** `SIGSTOP`: it hangs, and keeps its name. `SIGCONT`: it goes on. */
  signalManager(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#manager?.child.kill(signal)
  }

  call(call: Omit<BusCall, 'to'>): Promise<readonly unknown[]> {
    return this.bus.call({ to: MODEM_MANAGER, ...call })
  }
}

/** The state of a modem that is new. */
function stateIn(interfaces: unknown): number | null {
  const modem = (interfaces as Record<string, { State?: number }>)[`${MODEM_MANAGER}.Modem`]
  return modem?.State ?? null
}

const busConfig = (
  path: string,
) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=${path}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`
