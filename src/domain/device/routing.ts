/**
 * Chooses a phone for a message whose caller named none. The phone must be connected and not paused. A phone
 * with a SIM of the recipient's country comes first, because a text abroad costs more. Then the phone with
 * the shortest expected wait comes first, and then the least recently used one.
 */
import type { Phone } from '#domain/device/phone.ts'
import { isKnownMute } from '#domain/drill/drill.ts'
import { regionMatches } from '#domain/phone-number/parse-phone-number.ts'

export interface Routing {
  readonly country: string | null
  readonly monoMs: number
  readonly offlineAfterMs: number
  /** Of the message; absent: caps may have no room for it. */
  readonly segments?: number
  /** The group of phones that may send it. */
  readonly groupId?: string | null
  /** A phone that just failed to send the message. It is chosen only if there is no other. */
  readonly avoid?: string | null
}

/** Whether the phone has a SIM of the recipient's country. False if either country is unknown. */
export function isHome({ device }: Phone, country: string | null): boolean {
  if (country === null) return false
  for (const { countryCode } of device.sims)
    if (countryCode !== null && regionMatches(country, countryCode)) return true
  return false
}

export function choosePhone(phones: Iterable<Phone>, routing: Routing): Phone | null {
  const { monoMs, offlineAfterMs, country, avoid, segments = 0 } = routing
  let best: Phone | null = null
  let bestRank = 0
  let bestWaitMs = 0
  for (const phone of phones) {
    if (!phone.canSendSoon(monoMs, offlineAfterMs) || !phone.hasRoomFor(segments)) continue
    const isLast = phone.id === avoid || isKnownMute(phone.device)
    const rank = isLast ? 2 : isHome(phone, country) ? 0 : 1
    if (best !== null && rank > bestRank) continue
    const waitMs = phone.expectedWaitMs(monoMs)
    const isBetter =
      rank - bestRank ||
      waitMs - bestWaitMs ||
      phone.usedAtMono - (best?.usedAtMono ?? Number.POSITIVE_INFINITY)
    if (best !== null && isBetter >= 0) continue
    best = phone
    bestRank = rank
    bestWaitMs = waitMs
  }
  return best
}
