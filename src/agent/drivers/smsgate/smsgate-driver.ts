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

/**
 * Tries address and password of the app, without a call: it refuses an order that names no number. Null: they
 * are right.
 */
export async function examineRinger(
  clock: Clock,
  ringer: PhoneAccess,
): Promise<{ readonly field: 'url' | 'password'; readonly sentence: string } | null> {
  const { url, username } = ringer
  const status = await callPhone(clock, ringer, { method: 'POST', path: PATH, body: {} }).then(
    ({ httpStatus }) => httpStatus,
    (error: unknown) => {
      if (!(error instanceof PhoneCallError)) throw error
      return 404
    },
  )
  if (status === 401 || status === 403) return { field: 'password', sentence: refusal(url, username) }
  if (status !== 404) return null
  const sentence = `no CallGate answers at ${url}: start its server, and copy the address that the app shows`
  return { field: 'url', sentence }
}

const refusal = (url: string, username: string) =>
  `CallGate at ${url} refuses the password of ${username}: copy both from the screen of the app`

async function hangUp(clock: Clock, ringer: PhoneAccess): Promise<void> {
  await callPhone(clock, ringer, { method: 'DELETE', path: PATH }).catch((error: unknown) => {
    if (!(error instanceof PhoneCallError)) throw error
  })
}
