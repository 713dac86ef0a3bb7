import type { Service } from 'bonjour-service'
import { openMdns, SERVICE_TYPE } from '#app/discovery/mdns.ts'
import { Problem } from '#domain/problem.ts'

/** How long to wait for the first answer. */
const FIRST_MS_MAX = 5_000
/** How long to wait for answers of other gateways after the first answer. */
const OTHERS_MS = 500
/** The query is repeated at this interval, because a packet may be lost (RFC 6762, section 5.2). */
const ASK_AGAIN_MS = 1_000

/**
 * Finds the only gateway that announces itself on this network. Returns its address.
 *
 * @throws Problem NOT_FOUND when there is none; CONFLICT when there are several
 */
export async function findGateway(): Promise<string> {
  const [url, ...others] = await browseGateways(FIRST_MS_MAX)
  if (url === undefined)
    throw new Problem(
      'NOT_FOUND',
      'no gateway announces itself on this network: name the gateway with --server http://ADDRESS:8080',
    )
  if (others.length > 0)
    throw new Problem(
      'CONFLICT',
      `there are several gateways on this network: choose one with --server: ${[url, ...others].join(', ')}`,
    )
  return url
}

/** The addresses of all gateways that answer. Waits at most `firstMsMax` for the first answer. */
export async function browseGateways(firstMsMax: number): Promise<string[]> {
  const found = new Set<string>()
  const browsers = openMdns(() => {})
  let askAgain: NodeJS.Timeout | undefined
  try {
    await new Promise<void>(resolve => {
      const giveUp = setTimeout(resolve, firstMsMax)
      const searches = browsers.map(browser =>
        browser.find({ type: SERVICE_TYPE }, service => {
          found.add(urlOf(service))
          clearTimeout(giveUp)
          setTimeout(resolve, OTHERS_MS)
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
  return [...found]
}

function urlOf({ port, txt, referer }: Service): string {
  const { tls, url } = (txt ?? {}) as { readonly tls?: string; readonly url?: string }
  if (url !== undefined && /^https?:\/\/[^\s/]+/.test(url)) return url.replace(/\/+$/, '')
  return `${tls === '1' ? 'https' : 'http'}://${referer?.address}:${port}`
}
