/** The days of a year, and what is planned for them. */
import { becomes, type TimedGateway } from '#scripts/time/timed-gateway.ts'
import type { Expect } from '#scripts/time/wrong-clocks.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const START_MS = Date.UTC(2028, 0, 10, 12)
export const END_MS = START_MS + 368 * DAY
/** When the gateway has no power: three days and twenty. */
export const OFF = [
  { from: Date.UTC(2028, 4, 30, 20), to: Date.UTC(2028, 5, 2, 20) },
  { from: Date.UTC(2028, 7, 5, 20), to: Date.UTC(2028, 7, 25, 20) },
]

/** What is done and checked in the year, each at its time. */
export class Year {
  readonly timed: TimedGateway
  readonly expect: Expect
  readonly counts = new Map<string, number>()
  #plan: { readonly at: number; readonly run: () => unknown }[] = []

  constructor(timed: TimedGateway, expect: Expect) {
    this.timed = timed
    this.expect = expect
  }

  /** UTC midnights of the days, all or each of so many. */
  days(every = 1): number[] {
    const first = Math.ceil(START_MS / DAY) * DAY
    return Array.from(
      { length: Math.floor((END_MS - first) / DAY / every) },
      (_, i) => first + i * every * DAY,
    )
  }

  /** What would be while the gateway is off is left out. */
  at(atMs: number, run: () => unknown): void {
    if (atMs < END_MS && !OFF.some(({ from, to }) => atMs > from && atMs < to))
      this.#plan.push({ at: atMs, run })
  }

  async live(): Promise<void> {
    for (;;) {
      this.#plan.sort((one, other) => one.at - other.at)
      const next = this.#plan.shift()
      if (next === undefined) return
      await this.timed.passUntil(next.at)
      await next.run()
    }
  }

  /** What is so is only counted, by its words up to a colon. */
  async check(isSo: () => boolean | Promise<boolean>, words: string): Promise<void> {
    const isRight = await becomes(isSo)
    const [kind = ''] = words.split(':')
    if (isRight) this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
    else await this.expect(() => false, `${new Date(this.timed.nowMs).toISOString()} ${words}`)
  }

  /** How many texts the phone has sent that hold these words. */
  told(words: string): number {
    return this.timed.phone.sent.filter(({ message }) => message.includes(words)).length
  }

  async make(path: string, fields: object): Promise<string> {
    return (await this.timed.owner<{ id: string }>('POST', path, fields)).id
  }
}
