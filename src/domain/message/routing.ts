/**
 * Chooses a phone for a message whose caller named none. The phone must be connected and not paused. A phone
 * with a SIM of the recipient's country comes first, because a text abroad costs more. Then the phone with
 * the shortest expected wait comes first, and then the least recently used one.
 */
import type { Phone } from '#domain/device/phone.ts'
import { regionMatches } from '#domain/phone-number/parse-phone-number.ts'

export interface Candidate {
  readonly phone: Phone
  readonly home: boolean
  readonly waitMs: number
}

export interface Routing {
  readonly country: string | null
  readonly monoMs: number
  readonly offlineAfterMs: number
  /** A phone that just failed to send the message. It is chosen only if there is no other. */
  readonly avoid?: string | null
}

/** Whether the phone has a SIM of the recipient's country. False if either country is unknown. */
export function isHome(phone: Phone, country: string | null): boolean {
  if (country === null) return false
  return phone.device.sims.some(sim => sim.countryCode !== null && regionMatches(country, sim.countryCode))
}

export function choosePhone(phones: Iterable<Phone>, routing: Routing): Phone | null {
  const { monoMs, offlineAfterMs, country, avoid } = routing
  let best: Candidate | null = null
  for (const phone of phones) {
    if (!phone.canSendSoon(monoMs, offlineAfterMs)) continue
    const candidate = { phone, home: isHome(phone, country), waitMs: phone.expectedWaitMs(monoMs) }
    if (best === null || isBetter(candidate, best, avoid ?? null)) best = candidate
  }
  return best?.phone ?? null
}

function isBetter(a: Candidate, b: Candidate, avoid: string | null): boolean {
  if (a.phone.id === avoid || b.phone.id === avoid) return b.phone.id === avoid
  if (a.home !== b.home) return a.home
  if (a.waitMs !== b.waitMs) return a.waitMs < b.waitMs
  return a.phone.usedAtMono < b.phone.usedAtMono
}
