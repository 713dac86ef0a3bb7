/**
 * News of returning and leaving phones (`hello`, `sync`, the end of a connection) that one listener lets wait
 * in the writer. A send shares a transaction with at most these, and the writer always has enough to do.
 */
const PHONE_RETURNS_AT_ONCE_MAX = 32
/**
 * Frames of one connection that wait in a listener for the writer; with more, the socket is closed. The
 * longest journal of our agent takes about twenty. Without this bound, one phone could fill the memory.
 */
export const PHONE_NEWS_WAITING_MAX = 256
/**
 * Frames of one connection that are with the writer and not answered yet; with more, the socket is closed. A
 * phone may send as many in a second. Without this bound, one phone could take all of `CALLS_WAITING_MAX`
 * while the disk is slow, and every other call would be refused.
 */
export const PHONE_NEWS_ASKED_MAX = 5000

/** Where news comes from: one connection of a phone. Only the lane changes these numbers. */
export interface NewsSource {
  /** How much of its news waits in the lane. */
  newsWaiting: number
  /** How much of its news is with the writer, which has not answered it. */
  newsAsked: number
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

  constructor(atOnceMax = PHONE_RETURNS_AT_ONCE_MAX) {
    this.#atOnceMax = atOnceMax
  }

  /** Whether so much news of this connection is not answered yet that it must send no more. */
  isFull({ newsWaiting, newsAsked }: NewsSource): boolean {
    return newsWaiting >= PHONE_NEWS_WAITING_MAX || newsAsked >= PHONE_NEWS_ASKED_MAX
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

  #ask({ source, isReturn, ask }: Entry): void {
    source.newsAsked += 1
    if (isReturn) this.#asked += 1
    void ask().then(() => {
      source.newsAsked -= 1
      if (!isReturn) return
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
