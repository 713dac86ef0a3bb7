import { lookup } from 'node:dns/promises'
import type { Service } from 'bonjour-service'
import { openMdns, SERVICE_TYPE } from '#app/discovery/mdns.ts'
import { NAME_LENGTH_MAX } from '#contracts/bounds.ts'
import { printableLine } from '#contracts/printable.ts'
import { formatAddress, parseAddress, parseHostAddress } from '#domain/network/address.ts'
import { reachOf } from '#domain/network/address-reach.ts'
import { Problem } from '#domain/problem.ts'

/** How long to wait for the first answer. */
const FIRST_MS_MAX = 5_000
/** How long to wait for answers of other gateways after the first answer. */
const OTHERS_MS = 500
/** The query is repeated at this interval, because a packet may be lost (RFC 6762, section 5.2). */
const ASK_AGAIN_MS = 1_000

export interface FoundGateway {
  /** What the gateway calls itself. Anyone on the network can choose any name. */
  readonly name: string
  readonly url: string
}

/** What an answer says, as `bonjour-service` returns it. */
export type Announcement = Pick<Service, 'name' | 'port' | 'txt' | 'referer'>

/**
 * Finds the only gateway that announces itself on this network.
 *
 * @throws Problem NOT_FOUND when there is none; CONFLICT when there are several
 */
export async function findGateway(): Promise<FoundGateway> {
  const [found, ...others] = await browseGateways(FIRST_MS_MAX)
  if (found === undefined)
    throw new Problem(
      'NOT_FOUND',
      'no gateway announces itself on this network: name the gateway with --server http://ADDRESS:8080',
    )
  if (others.length > 0) {
    const urls = [found, ...others].map(({ url }) => url).join(', ')
    throw new Problem(
      'CONFLICT',
      `there are several gateways on this network: choose one with --server: ${urls}`,
    )
  }
  return found
}

/** All gateways that answer. Waits at most `firstMsMax` for the first answer. */
export async function browseGateways(firstMsMax: number): Promise<FoundGateway[]> {
  const found = new Map<string, FoundGateway>()
  const browsers = openMdns(() => {})
  let askAgain: NodeJS.Timeout | undefined
  try {
    await new Promise<void>(resolve => {
      const giveUp = setTimeout(resolve, firstMsMax)
      const searches = browsers.map(browser =>
        browser.find({ type: SERVICE_TYPE }, service => {
          void readAnnouncement(service).then(gateway => {
            if (gateway === null) return
            found.set(gateway.url, gateway)
            clearTimeout(giveUp)
            setTimeout(resolve, OTHERS_MS)
          })
        }),
      )
      askAgain = setInterval(() => {
        for (const search of searches) search.update()
      }, ASK_AGAIN_MS)
    })
  } finally {
    clearInterval(askAgain)
    for (const browser of browsers) browser.destroy()
  }
  return [...found.values()]
}

/**
 * Reads an answer. Whoever gets the pairing code becomes the owner's phone, so the code goes only to the host
 * that answered, and only on a private network. The announced URL counts if its host is that host; otherwise
 * the URL is made of the sender's address. Null: the sender is not in a private network.
 */
export async function readAnnouncement(
  { name, port, txt, referer }: Announcement,
  resolveName: typeof lookup = lookup,
): Promise<FoundGateway | null> {
  const sender = parseAddress(referer?.address ?? '')
  if (sender === null || !['private', 'link-local'].includes(reachOf(sender))) return null
  const address = formatAddress(sender)
  const { tls, url = '' } = (txt ?? {}) as { readonly tls?: string; readonly url?: string }
  const announced = /^https?:\/\/[^\s/]+/.test(url) ? URL.parse(url) : null
  const addresses = announced === null ? [] : await addressesOf(announced.hostname, resolveName)
  const isSender = announced !== null && addresses.includes(address)
  const base = isSender ? announced.href : `${tls === '1' ? 'https' : 'http'}://${address}:${port}`
  return { name: printableLine(name).slice(0, NAME_LENGTH_MAX), url: base.replace(/\/+$/, '') }
}

async function addressesOf(host: string, resolveName: typeof lookup): Promise<string[]> {
  const literal = parseHostAddress(host)
  if (literal !== null) return [formatAddress(literal)]
  const found = await resolveName(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}
