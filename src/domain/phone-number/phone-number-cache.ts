import { type PhoneNumber, parsePhoneNumber } from '#domain/phone-number/parse-phone-number.ts'

/**
 * Remembers the numbers that were read last, as they were written: the same few people get most texts. The
 * oldest entry makes room; numbers that were refused are not kept, so that nobody can push the good ones out
 * with bad ones.
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
    // A map gives its keys in the order in which they came.
    const oldest = this.#numbers.keys().next()
    if (oldest.done !== true) this.#numbers.delete(oldest.value)
  }
}
