import type { DriverDefinition } from '#agent/drivers/driver-definition.ts'
import { logDriver } from '#agent/drivers/log/log-driver.ts'
import { PRETEND_DRIVER } from '#contracts/phone-orders.ts'

export const log: DriverDefinition<{ readonly name: typeof PRETEND_DRIVER }> = {
  brief: 'print messages',
  help: 'print what would be sent, and send nothing',
  flags: {},
  readOptions: () => ({ name: PRETEND_DRIVER }),
  start: (_, { print, isTerminal = false }) => logDriver(print, isTerminal),
}
