/** Calls to programs on D-Bus, and signals from them. The library is loaded when the first bus is opened. */
import type { DBusError, Message, MessageBus } from 'dbus-native'
import { reasonOf } from '#agent/agent-error.ts'
import type { Clock } from '#agent/clock.ts'

const DBUS = 'org.freedesktop.DBus'
const SIGNAL = 4
/** A modem needs seconds for some commands, and half a minute to start. */
const BUS_CALL_MS_MAX = 60_000

export interface BusCall {
  /** A well-known or a unique name. */
  readonly to: string
  readonly path: string
  readonly interface: string
  readonly member: string
  /** The types of the arguments, as D-Bus writes them. Left out: there are none. */
  readonly types?: string
  readonly args?: readonly unknown[]
  readonly timeoutMs?: number
}

export interface BusSignal {
  readonly path: string
  readonly member: string
  readonly args: readonly unknown[]
}

/** A call without a result. */
export class BusError extends Error {
  override readonly name = 'BusError'
  /** The name of the error, such as `org.freedesktop.DBus.Error.NoReply`. Null: no answer came. */
  readonly errorName: string | null

  constructor(errorName: string | null, text: string) {
    super(text)
    this.errorName = errorName
  }
}

export class Bus {
  readonly #client: MessageBus
  readonly #clock: Clock
  #isOpen = true

  private constructor(client: MessageBus, clock: Clock) {
    this.#client = client
    this.#clock = clock
    const { connection } = client
    // The library would end the program on an error that nobody listens to.
    connection.on('error', () => this.close())
    connection.on('end', () => this.close())
  }

  /** @throws BusError if no bus answers at the address; undefined is that of the system */
  static async open(clock: Clock, address: string | undefined): Promise<Bus> {
    const { createClient, systemBus } = await import('dbus-native')
    const client = address === undefined ? systemBus() : createClient({ busAddress: address })
    await new Promise<void>((resolve, reject) => {
      const fail = (error?: unknown) =>
        reject(
          new BusError(null, `D-Bus does not answer: ${error === undefined ? 'hung up' : reasonOf(error)}`),
        )
      client.connection.on('error', fail)
      client.connection.on('end', fail)
      client.connection.once('connect', resolve)
    })
    return new Bus(client, clock)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Which run of the bus this is: another one after the machine has started again. */
  get id(): string {
    return this.#client.connection.guid ?? ''
  }

  /** The unique name of this connection. */
  get name(): string {
    return this.#client.name ?? ''
  }

  /** Returns the results, with variants unpacked. @throws BusError */
  call(call: BusCall): Promise<readonly unknown[]> {
    const { to, path, member, types = '', args = [], timeoutMs = BUS_CALL_MS_MAX } = call
    const message = {
      destination: to,
      path,
      interface: call.interface,
      member,
      signature: types,
      body: [...args],
    }
    return new Promise((resolve, reject) => {
      const stopWaiting = this.#clock.after(timeoutMs, () =>
        reject(new BusError(null, `no answer to ${member} in ${timeoutMs / 1000} s`)),
      )
      void this.#client.invoke(message, { timeout: 0 }, (error: DBusError | null, ...results: unknown[]) => {
        stopWaiting()
        if (error === null) resolve(results)
        else reject(new BusError(error.dbusName ?? null, error.message))
      })
    })
  }

  /** The unique name of the program that has this name. @throws BusError if none has it */
  async ownerOf(name: string): Promise<string> {
    const [owner] = await this.#callBus('GetNameOwner', name)
    return String(owner)
  }

  /** Calls `onSignal` for each signal that one of the rules lets come. @throws BusError */
  async watch(rules: readonly string[], onSignal: (signal: BusSignal) => void): Promise<void> {
    this.#client.connection.on('message', ({ type, path = '', member = '', body = [] }: Message) => {
      if (type === SIGNAL) onSignal({ path, member, args: body })
    })
    for (const rule of rules) await this.#callBus('AddMatch', rule)
  }

  #callBus(member: string, argument: string): Promise<readonly unknown[]> {
    const call = { to: DBUS, path: '/org/freedesktop/DBus', interface: DBUS, member }
    return this.call({ ...call, types: 's', args: [argument] })
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    void this.#client.close()
  }
}
