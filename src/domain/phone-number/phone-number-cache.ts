import { type PhoneNumber, parsePhoneNumber } from '#domain/phone-number/parse-phone-number.ts'

/**
 * Caches recently parsed numbers by their spelling: the same few people get most texts. The oldest entry is
 * dropped first. Invalid numbers are not cached, so they cannot push out valid ones.
 */
export class PhoneNumberCache {
  readonly #numbers = new Map<string, PhoneNumber>()
  readonly #entriesMax: number

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax
  }

  /** As `parsePhoneNumber`. */
  parse(text: string): PhoneNumber | null {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = parsePhoneNumber(text)
    if (number === null) return null
    if (this.#numbers.size >= this.#entriesMax) this.#dropOldest()
    this.#numbers.set(text, number)
    return number
  }

  get size(): number {
    return this.#numbers.size
  }

  #dropOldest(): void {
    // A Map keeps insertion order.
    const oldest = this.#numbers.keys().next()
    if (oldest.done !== true) this.#numbers.delete(oldest.value)
  }
}
