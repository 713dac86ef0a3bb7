/** Reads the flags of `roost agent` and of the single-file agent, which are the same. */
import { existsSync } from 'node:fs'
import type { Flags, Given } from '#agent/drivers/driver-definition.ts'
import { DRIVERS, type DriverOptions } from '#agent/drivers/drivers.ts'
import { type COMMON_FLAGS, STATE_FILE_DEFAULT } from '#agent/flags.ts'
import { readServer, type ServerRead } from '#agent/read-server.ts'
import { NAME_LENGTH_MAX } from '#contracts/bounds.ts'

export interface AgentOptions extends ServerRead {
  readonly stateFile: string
  /** Null: not given, so the device is called after its phone or its host. */
  readonly name: string | null
  readonly driver: DriverOptions
}

/** What was given for each flag of `AGENT_FLAGS`. */
export type AgentFlags = Given<typeof COMMON_FLAGS> & Given<Flags>

export type OptionsRead =
  | { readonly kind: 'options'; readonly options: AgentOptions }
  | { readonly kind: 'wrong'; readonly message: string }

export function readAgentOptions(flags: AgentFlags): OptionsRead {
  const wrong = (message: string) => ({ kind: 'wrong', message }) as const
  const names = Object.keys(DRIVERS).join(', ')
  if (flags.driver !== undefined && !Object.hasOwn(DRIVERS, flags.driver))
    return wrong(`--driver must be one of ${names}.`)
  const gateway = readServer(flags)
  if (typeof gateway === 'string') return wrong(gateway)
  const { server, code } = gateway
  if (code === null && flags.state === undefined && server !== null) {
    return wrong('--server needs --code CODE to pair, or --state FILE of a device that is paired.')
  }
  const driver = readDriver(flags)
  if (typeof driver === 'string') return wrong(driver)
  if (code === null && flags.state === undefined && !existsSync(STATE_FILE_DEFAULT)) {
    return wrong(
      `Pair this device first, with --server URL --code CODE: ${STATE_FILE_DEFAULT} does not exist. ` +
        'To run a device that is paired, name its file with --state FILE.',
    )
  }
  // There is no default driver: if it were `log`, a forgotten flag would report unsent texts as sent.
  if (driver === null) return wrong(`--driver is missing: one of ${names}.`)
  return {
    kind: 'options',
    options: {
      ...gateway,
      stateFile: flags.state ?? STATE_FILE_DEFAULT,
      name: flags.name?.trim().slice(0, NAME_LENGTH_MAX) || null,
      driver,
    },
  }
}

/** The options of the driver, null if none is named, or a sentence that says what is wrong. */
function readDriver(flags: AgentFlags): DriverOptions | string | null {
  let options: DriverOptions | null = null
  for (const [name, driver] of Object.entries(DRIVERS)) {
    const read = name === flags.driver ? driver.readOptions(flags) : refuseOthers(flags, name, driver.flags)
    if (typeof read === 'string') return read
    options ??= read
  }
  return options
}

/** A sentence if a flag of a driver was given that is not in use. Switches do no harm, so they may stay. */
function refuseOthers(flags: AgentFlags, name: string, table: Flags): string | null {
  const own = Object.entries(table).flatMap(([flag, { value }]) => (value === null ? [] : flag))
  if (own.every(flag => flags[flag] === undefined)) return null
  const list = own
    .map(flag => `--${flag}`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ')
  return `${list} ${own.length === 1 ? 'belongs' : 'belong'} to --driver ${name}.`
}
