import { LIVE_FRAME_EVERY_MS, LIVE_NEWS_PER_FRAME_MAX } from '#contracts/bounds.ts'
import { type News, RESYNC } from '#contracts/live.ts'

interface Waiting {
  /** News by subject; later news of a subject replace earlier ones. */
  readonly items: Map<string, News>
  readonly timer: NodeJS.Timeout
}

/**
 * Collects the news of each account into frames. The first frame leaves almost at once, and later ones at
 * most four times a second.
 */
export class NewsPacer {
  readonly #send: (accountId: string, frame: string) => void
  readonly #waiting = new Map<string, Waiting>()

  constructor(send: (accountId: string, frame: string) => void) {
    this.#send = send
  }

  add(accountId: string, news: News): void {
    const waiting = this.#waiting.get(accountId)
    if (waiting !== undefined) {
      if (waiting.items.size <= LIVE_NEWS_PER_FRAME_MAX) waiting.items.set(`${news.type} ${news.id}`, news)
      return
    }
    const items = new Map([[`${news.type} ${news.id}`, news]])
    // Send in a later turn, so that the news of one commit share a frame.
    this.#waiting.set(accountId, { items, timer: setTimeout(() => this.#flush(accountId), 0) })
  }

  stop(): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer)
    this.#waiting.clear()
  }

  #flush(accountId: string): void {
    const items = this.#waiting.get(accountId)?.items
    this.#waiting.delete(accountId)
    if (items === undefined || items.size === 0) return
    const news = items.size > LIVE_NEWS_PER_FRAME_MAX ? [RESYNC] : [...items.values()]
    const timer = setTimeout(() => this.#flush(accountId), LIVE_FRAME_EVERY_MS)
    this.#waiting.set(accountId, { items: new Map(), timer })
    this.#send(accountId, JSON.stringify({ news }))
  }
}
