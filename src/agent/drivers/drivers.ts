/** All drivers of the agent by name, in the order of help. Everything else asks this table. */
import type { DriverDefinition } from '#agent/drivers/driver-definition.ts'
import { exec } from '#agent/drivers/exec/definition.ts'
import { log } from '#agent/drivers/log/definition.ts'
import { modem } from '#agent/drivers/modem/definition.ts'
import { smsgate } from '#agent/drivers/smsgate/definition.ts'
import { termux } from '#agent/drivers/termux/definition.ts'

const TABLE = { log, exec, termux, smsgate, modem }

export type DriverName = keyof typeof TABLE
/** The options of one driver, which `name` names. */
export type DriverOptions = Exclude<ReturnType<(typeof TABLE)[DriverName]['readOptions']>, string>

export const DRIVERS: Readonly<Record<DriverName, DriverDefinition<DriverOptions>>> = TABLE satisfies {
  [Name in DriverName]: DriverDefinition<{ readonly name: Name }>
}
