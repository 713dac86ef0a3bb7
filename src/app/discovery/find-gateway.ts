import type { Service } from 'bonjour-service'
import { openMdns, SERVICE_TYPE } from '#app/discovery/mdns.ts'
import { Problem } from '#domain/problem.ts'

/** How long to wait for a first answer, and then for others. */
const FIRST_MS_MAX = 5_000
const OTHERS_MS = 500
/** A question or its answer may be lost, so it is asked again (RFC 6762, section 5.2). */
const ASK_AGAIN_MS = 1_000

/**
 * The address of the one gateway that announces itself on this network.
 *
 * @throws Problem when there is none or more than one: with what to do
 */
export async function findGateway(): Promise<string> {
  const [url, ...others] = await hearGateways(FIRST_MS_MAX)
  if (url === undefined)
    throw new Problem(
      'NOT_FOUND',
      'no gateway announces itself on this network: name it with --server http://ADDRESS:8080',
    )
  if (others.length > 0)
    throw new Problem(
      'CONFLICT',
      `several gateways are here: choose one with --server: ${[url, ...others].join(', ')}`,
    )
  return url
}

/** The addresses of all gateways heard; a first answer is waited for as long as `firstMsMax`. */
export async function hearGateways(firstMsMax: number): Promise<string[]> {
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
