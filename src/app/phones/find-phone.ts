/** Searches the local network for a phone by the id that its app reports. */
import { networkInterfaces } from 'node:os'
import * as v from 'valibot'
import { systemClock } from '#agent/clock.ts'
import { callPhone, type PhoneAccess } from '#agent/drivers/smsgate/call-phone.ts'
import { examinePhone } from '#agent/drivers/smsgate/examine-phone.ts'
import { parseAddress } from '#domain/network/address.ts'
import { reachOf } from '#domain/network/address-reach.ts'

/** Search for a phone on the network: time limit of one call … */
const PHONE_SEARCH_CALL_MS_MAX = 2000
/** … and calls at the same time. */
const PHONE_SEARCH_CALLS_MAX = 64

/** What the app says of itself without a password. Anything else counts as no version. */
const Health = v.fallback(v.object({ version: v.nullable(v.string()) }), { version: null })

export interface MissingPhone extends PhoneAccess {
  /** The app's own id of the phone. */
  readonly phoneId: string
  /** The app's version when the phone was last seen; null: not known. */
  readonly appVersion: string | null
}

/**
 * The address at which the phone answers; null: not found. The password is sent only to hosts that
 * identify themselves as SMSGate in this version.
 */
export async function findPhone(
  phone: MissingPhone,
  hosts: readonly string[] = hostsNearby(),
): Promise<string | null> {
  const { port } = new URL(phone.url)
  const remaining = [...hosts]
  let found: string | null = null
  const search = async () => {
    for (let host = remaining.shift(); host !== undefined && found === null; host = remaining.shift()) {
      const url = `http://${host}:${port}`
      if (await isThere(phone, url)) found = url
    }
  }
  await Promise.all(Array.from({ length: PHONE_SEARCH_CALLS_MAX }, search))
  return found
}

async function isThere(phone: MissingPhone, url: string): Promise<boolean> {
  // A call with a short time limit first, because most addresses do not answer.
  const call = { method: 'GET', path: '/health', withPassword: false } as const
  const quick = { ...call, timeoutMs: PHONE_SEARCH_CALL_MS_MAX }
  const answer = await callPhone(systemClock, { ...phone, url }, quick).catch(() => null)
  const { version } = v.parse(Health, answer?.json)
  if (version === null || (phone.appVersion !== null && version !== phone.appVersion)) return false
  const examined = await examinePhone(systemClock, { ...phone, url }, phone.phoneId)
  return examined.kind === 'phone'
}

/**
 * The 254 hosts in the /24 network of each private IPv4 address of this machine: the size of a home network.
 */
function hostsNearby(): string[] {
  const own = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  const networks = own.flatMap(({ address }) => {
    const parsed = parseAddress(address)
    const isPrivate = parsed !== null && parsed.bytes.length === 4 && reachOf(parsed) === 'private'
    return isPrivate ? [address.slice(0, address.lastIndexOf('.'))] : []
  })
  return [...new Set(networks)].flatMap(network =>
    Array.from({ length: 254 }, (_, index) => `${network}.${index + 1}`),
  )
}
