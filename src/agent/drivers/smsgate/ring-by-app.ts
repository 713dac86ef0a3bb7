/** Lets a phone ring by the app CallGate, which runs beside SMSGate. */
import { type Clock, pause } from '#agent/clock.ts'
import { callPhone, type PhoneAccess, PhoneCallError } from '#agent/drivers/smsgate/call-phone.ts'
import type { RingOutcome } from '#contracts/phone-orders.ts'

const PATH = '/api/v1/calls'

export interface AppRing {
  readonly phoneNumber: string
  readonly seconds: number
  readonly signal: AbortSignal
}

/** Calls until the time is over or the signal aborts, and hangs up. The app does not say who answered. */
export async function ringByApp(
  clock: Clock,
  ringer: PhoneAccess,
  { phoneNumber, seconds, signal }: AppRing,
): Promise<RingOutcome> {
  try {
    const call = { method: 'POST', path: PATH, body: { call: { phoneNumber } } } as const
    const { httpStatus } = await callPhone(clock, ringer, call)
    if (httpStatus < 200 || httpStatus > 299) return 'failed'
  } catch (error) {
    if (!(error instanceof PhoneCallError)) throw error
    if (!error.mayHaveArrived) return 'failed'
    await hangUp(clock, ringer)
    return 'failed'
  }
  await pause(clock, seconds * 1000, signal)
  await hangUp(clock, ringer)
  return 'rang'
}

async function hangUp(clock: Clock, ringer: PhoneAccess): Promise<void> {
  await callPhone(clock, ringer, { method: 'DELETE', path: PATH }).catch((error: unknown) => {
    if (!(error instanceof PhoneCallError)) throw error
  })
}
