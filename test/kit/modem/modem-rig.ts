/** The driver `modem` in this process, with Debian's ModemManager and a pretend modem. */
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Clock } from '#agent/clock.ts'
import type { Driver, Order } from '#agent/drivers/driver.ts'
import { modemDriver } from '#agent/drivers/modem/modem-driver.ts'
import { openModemRecord } from '#agent/drivers/modem/modem-record.ts'
import { HandClock } from '#test/kit/hand-clock.ts'
import { ModemWorld } from '#test/kit/modem/modem-world.ts'
import type { PretendModem } from '#test/kit/modem/pretend-modem.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

export interface ModemRig {
  readonly world: ModemWorld
  readonly modem: PretendModem
  readonly clock: HandClock
  readonly driver: Driver
  readonly logged: string[]
  /** A further driver with the same files, as after a crash of the agent. */
  open(pin?: string | null, clock?: Clock, mayTransmit?: () => boolean): Driver
}

/** `isReady`: whether to wait until the modem can send. */
export async function modemRig(
  t: TestContext,
  prepare?: (modem: PretendModem) => void,
  { isReady = true, pin = null }: { readonly isReady?: boolean; readonly pin?: string | null } = {},
): Promise<ModemRig> {
  const folder = temporaryDirectory(t)
  const world = await ModemWorld.start(t, folder, prepare)
  const clock = new HandClock()
  const logged: string[] = []
  const open: ModemRig['open'] = (withPin = null, withClock = clock, mayTransmit = undefined) => {
    const driver = modemDriver({
      clock: withClock,
      access: { imei: world.modem.imei, pin: withPin },
      record: openModemRecord(join(folder, 'modem')),
      busAddress: world.address,
      log: line => logged.push(line),
      mayTransmit,
    })
    t.after(() => driver.close?.())
    return driver
  }
  const driver = open(pin)
  const rig = { world, modem: world.modem, clock, driver, logged, open }
  if (isReady) await readyAgain(rig)
  return rig
}

/** Waits until the driver says that it can send. */
export async function readyAgain({ world, driver }: Pick<ModemRig, 'world' | 'driver'>): Promise<void> {
  await driver.check?.()
  await world.untilState()
  const trouble = await driver.check?.()
  if (trouble !== null) throw new Error(`the modem is not ready: ${trouble}`)
}

export const NUMBER = '+4915100000001'

/** An order for a text, as the journal has it while it is being sent. */
export function orderOf(message: string, changes: Partial<Order> = {}): Order {
  return {
    messageId: `sms_${message.slice(0, 20)}`,
    attempt: 1,
    phoneNumber: NUMBER,
    message,
    segments: 1,
    simSlot: null,
    kind: 'sms',
    ttlMs: 3_600_000,
    acceptedAt: '2026-01-31T12:00:00.000Z',
    at: '2026-01-31T12:00:00.000Z',
    mark: null,
    ...changes,
  }
}
