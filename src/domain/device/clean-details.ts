import { SIMS_MAX } from '#contracts/bounds.ts'
import { cleanWords } from '#contracts/clean-words.ts'
import type { Sim } from '#contracts/phone-orders.ts'

/** Longest platform and version of an app, characters. */
export const VERSION_LENGTH_MAX = 64
/** Longest sentence about what is wrong with a phone, characters. */
export const TROUBLE_LENGTH_MAX = 300
const CARRIER_LENGTH_MAX = 80
const NUMBER_LENGTH_MAX = 32

/** What a phone says of itself, cleaned. Null: it says nothing. */
export function cleanOrNull(text: string | null, lengthMax: number): string | null {
  return text === null ? null : cleanWords(text, lengthMax) || null
}

export function cleanSims(sims: readonly Sim[]): Sim[] {
  return sims.slice(0, SIMS_MAX).map(sim => ({
    ...sim,
    carrier: cleanOrNull(sim.carrier, CARRIER_LENGTH_MAX),
    phoneNumber: cleanOrNull(sim.phoneNumber, NUMBER_LENGTH_MAX),
  }))
}
