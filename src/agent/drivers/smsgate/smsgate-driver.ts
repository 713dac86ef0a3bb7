/**
 * Sends through the local server of the SMSGate app. The phone accepts an id only once. So if an answer gets
 * lost, the driver looks up the text by its id. If the phone does not know it, the driver posts it again with
 * the same id.
 */

import { type Clock, pause } from '#agent/clock.ts'
import type { Driver } from '#agent/drivers/driver.ts'
import { callPhone, type PhoneAccess, PhoneCallError } from '#agent/drivers/smsgate/call-phone.ts'
import { Follower } from '#agent/drivers/smsgate/follower.ts'
import { Handover } from '#agent/drivers/smsgate/handover.ts'
import { type LinkPorts, PhoneLink } from '#agent/drivers/smsgate/phone-link.ts'
import { PhoneInbox } from '#agent/drivers/smsgate/read-inbox.ts'
import type { RingOutcome } from '#contracts/phone-orders.ts'

const PATH = '/api/v1/calls'

/**
 * Interval at which a phone with a local server is checked, so that its owner soon sees it go offline or
 * return.
 */
const SMSGATE_CHECK_EVERY_MS = 10_000

/** `ringer`: the app CallGate on the same phone. Left out: the phone cannot call. */
export function smsgateDriver(ports: LinkPorts, ringer?: PhoneAccess): Driver {
  const link = new PhoneLink(ports)
  const handover = new Handover(link, ports.clock)
  const follower = new Follower(link, ports.clock)
  const inbox = new PhoneInbox(link, ports.clock)
  return {
    checkEveryMs: SMSGATE_CHECK_EVERY_MS,
    send: order => handover.send(order),
    mark: () => handover.mark(),
    follow: (order, state, signal) => {
      handover.noteKnown(order)
      return follower.follow({ order, state, signal })
    },
    lookUp: order => handover.lookUp(order),
    check: async () => {
      const examined = await link.examine()
      return examined.kind === 'trouble' ? examined.sentence : null
    },
    receiveTrouble: () => link.seen?.receiveTrouble ?? null,
    appVersion: () => link.seen?.appVersion ?? null,
    telemetry: async () => {
      const { battery = null, charging = null } = link.seen ?? {}
      return { battery, charging, signal: null }
    },
    sims: async () => link.seen?.sims ?? [],
    incoming: cursor => inbox.read(cursor),
    ring:
      ringer &&
      ((phoneNumber, seconds, signal) => ringByApp(ports.clock, ringer, { phoneNumber, seconds, signal })),
  }
}

interface AppRing {
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
