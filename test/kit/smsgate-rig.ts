/** The driver for SMSGate, connected to a fake phone. */
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Driver, Order } from '#agent/drivers/driver.ts'
import { SMSGATE_CALL_MS_MAX } from '#agent/drivers/smsgate/call-phone.ts'
import { openPhoneRecord } from '#agent/drivers/smsgate/phone-record.ts'
import { smsgateDriver } from '#agent/drivers/smsgate/smsgate-driver.ts'
import { messageIdOf } from '#test/kit/fake-gateway.ts'
import { SkippingClock } from '#test/kit/skipping-clock.ts'
import { type PhoneSettings, SmsgatePhone } from '#test/kit/smsgate-phone.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

export interface SmsgateRig {
  readonly phone: SmsgatePhone
  readonly clock: SkippingClock
  readonly driver: Required<Omit<Driver, 'checkEveryMs'>>
  readonly logged: string[]
  /** A new driver for the same phone, as after a restart of the agent. */
  newDriver(changes?: { readonly url?: string; readonly password?: string }): SmsgateRig['driver']
}

export async function smsgateRig(t: TestContext, settings: PhoneSettings = {}): Promise<SmsgateRig> {
  const phone = await SmsgatePhone.start(settings)
  t.after(() => phone.stop())
  const clock = new SkippingClock(SMSGATE_CALL_MS_MAX)
  const file = join(temporaryDirectory(t), 'state.json.phone')
  const logged: string[] = []
  const newDriver: SmsgateRig['newDriver'] = changes => {
    const access = { ...phone.access, ...changes }
    const log = (line: string) => void logged.push(line)
    return smsgateDriver({ clock, access, record: openPhoneRecord(file), log }) as SmsgateRig['driver']
  }
  return { phone, clock, driver: newDriver(), logged, newDriver }
}

/** A signal that never aborts. */
export const never = new AbortController().signal

/** The n-th text of a test, as the journal holds it while it is handed over. */
export function smsgateOrder(n: number, changes: Partial<Order> = {}): Order {
  const at = '2026-01-31T12:00:00.000Z'
  return {
    messageId: messageIdOf(n),
    attempt: 1,
    phoneNumber: '+15550100',
    message: `text ${n} äöü 😀`,
    segments: 1,
    simSlot: null,
    kind: 'sms',
    ttlMs: 3_600_000,
    acceptedAt: at,
    mark: null,
    at,
    ...changes,
  }
}
