/** Lets a phone ring by a call that nobody speaks on. */
import * as v from 'valibot'
import { pause } from '#agent/clock.ts'
import { type Bus, BusError } from '#agent/drivers/modem/bus.ts'
import type { ModemLink } from '#agent/drivers/modem/modem-link.ts'
import { CALL, callManager, propertiesOf, type SeenModem, VOICE } from '#agent/drivers/modem/seen-modem.ts'
import type { RingOutcome } from '#contracts/phone-orders.ts'

/** How often the state of a call is read. */
const LOOK_EVERY_MS = 500
/** MMCallState, and MMCallStateReason of a busy line. */
const STATE = { ringing: 2, active: 4, terminated: 7 } as const
const BUSY = 5

const Call = v.object({ State: v.number(), StateReason: v.optional(v.number(), 0) })

/**
 * Rings until the time is over, somebody answers, or the signal aborts, and hangs up. A mailbox answers, too,
 * so an answer says nothing more than that it rang.
 */
export async function ringPhone(
  link: ModemLink,
  { phoneNumber, seconds }: { readonly phoneNumber: string; readonly seconds: number },
  signal: AbortSignal,
): Promise<RingOutcome> {
  const examined = await link.examine()
  if (examined.kind === 'trouble') return 'failed'
  const { modem } = examined
  link.isRinging = true
  try {
    const bus = await link.bus()
    const call = { path: modem.path, interface: VOICE, types: 'a{sv}' }
    const [made] = await callManager(bus, { ...call, member: 'CreateCall', args: [{ number: phoneNumber }] })
    const path = String(made)
    try {
      if (!link.mayTransmit) return 'failed'
      await callManager(bus, { path, interface: CALL, member: 'Start' })
      return await waitForEnd(link, { bus, path, untilMs: link.clock.monotonicMs() + seconds * 1000 }, signal)
    } finally {
      await hangUp(bus, modem, path)
    }
  } catch (error) {
    if (!(error instanceof BusError)) throw error
    link.log(`The modem cannot call: ${error.message}`)
    return 'failed'
  } finally {
    link.isRinging = false
  }
}

interface Calling {
  readonly bus: Bus
  readonly path: string
  readonly untilMs: number
}

async function waitForEnd(
  { clock }: ModemLink,
  { bus, path, untilMs }: Calling,
  signal: AbortSignal,
): Promise<RingOutcome> {
  let rang = false
  while (!signal.aborted && clock.monotonicMs() < untilMs) {
    const { State: state, StateReason: reason } = v.parse(Call, await propertiesOf(bus, path, CALL))
    rang ||= state === STATE.ringing || state === STATE.active
    if (state === STATE.active) return 'rang'
    if (state === STATE.terminated) return rang ? 'rang' : reason === BUSY ? 'busy' : 'failed'
    await pause(clock, LOOK_EVERY_MS, signal)
  }
  return rang ? 'rang' : 'failed'
}

async function hangUp(bus: Bus, { path }: SeenModem, call: string): Promise<void> {
  // A call that has ended cannot be ended again.
  await callManager(bus, { path: call, interface: CALL, member: 'Hangup' }).catch(() => undefined)
  const remove = { path, interface: VOICE, member: 'DeleteCall', types: 'o', args: [call] }
  await callManager(bus, remove).catch(() => undefined)
}
