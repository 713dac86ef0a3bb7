import type { DriverDefinition } from '#agent/drivers/driver-definition.ts'
import { keepTermuxRunning } from '#agent/drivers/termux/keep-termux-running.ts'
import { termuxDriver } from '#agent/drivers/termux/termux-driver.ts'

export const termux: DriverDefinition<{ readonly name: 'termux' }> = {
  brief: 'Termux:API',
  help: 'send with Termux:API on an Android phone',
  flags: {},
  readOptions: () => ({ name: 'termux' }),
  start: (_, { clock, env }) => termuxDriver(clock, env),
  platform: 'android-termux',
  beforePairing: health => health.waitForPermission(),
  keepRunning: ports => keepTermuxRunning(ports.clock, ports),
}
