import { PHONE_NEWS_WAITING_MAX } from '#contracts/connection-bounds.ts'

/** Where news comes from: one connection of a phone. */
export interface NewsSource {
  /** How much of its news waits in the lane. Only the lane changes it. */
  newsWaiting: number
}

interface Entry {
  readonly source: NewsSource
  readonly isReturn: boolean
  readonly ask: () => Promise<unknown>
}

/**
 * Passes the news of phones to the writer. When many phones return or leave at the same time, only some of
 * this news is with the writer at any moment and the rest waits here, so that a send never waits behind
 * thousands of phones. The news of one connection stays in order. Other news waits only behind earlier news
 * of its own connection.
 */
export class NewsLane {
  #atOnceMax: number
  /** News about returning and leaving phones that the writer has not answered. */
  #asked = 0
  readonly #waiting: Entry[] = []

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax
  }

  /** Whether so much news of this connection waits that it must send no more. */
  isFull({ newsWaiting }: NewsSource): boolean {
    return newsWaiting >= PHONE_NEWS_WAITING_MAX
  }

  /**
   * Calls `ask`, now or later. `isReturn`: whether the news belongs to a phone that returns or leaves. The
   * promise of `ask` must not reject.
   */
  pass({ source, isReturn }: Omit<Entry, 'ask'>, ask: Entry['ask']): void {
    const mustWait = source.newsWaiting > 0 || (isReturn && this.#asked >= this.#atOnceMax)
    if (!mustWait) return this.#ask({ source, isReturn, ask })
    source.newsWaiting += 1
    this.#waiting.push({ source, isReturn, ask })
  }

  /** Passes everything on at once, now and from now on, because the listener stops. */
  open(): void {
    this.#atOnceMax = Number.POSITIVE_INFINITY
    this.#passWaiting()
  }

  #ask({ isReturn, ask }: Entry): void {
    if (!isReturn) return void ask()
    this.#asked += 1
    void ask().then(() => {
      this.#asked -= 1
      this.#passWaiting()
    })
  }

  #passWaiting(): void {
    for (let [entry] = this.#waiting; entry !== undefined; [entry] = this.#waiting) {
      if (entry.isReturn && this.#asked >= this.#atOnceMax) return
      this.#waiting.shift()
      entry.source.newsWaiting -= 1
      this.#ask(entry)
    }
  }
}
