/** A small seeded generator (sfc32): the same 32-bit seed gives the same numbers on every machine. */
export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: number) {
    this.#a = 0x9e3779b9
    this.#b = 0x243f6a88
    this.#c = seed | 0
    for (let i = 0; i < 12; i++) this.#draw()
  }

  /** 0 ≤ x < 1. */
  next(): number {
    return this.#draw() / 4_294_967_296
  }

  /** A whole number, 0 ≤ x < bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0]
  }

  #draw(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    return sum >>> 0
  }
}
