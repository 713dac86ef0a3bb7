import { type News, RESYNC } from '#contracts/live.ts'
import { LIVE_FRAME_EVERY_MS, LIVE_NEWS_PER_FRAME_MAX } from '#contracts/session-bounds.ts'

interface Waiting {
  /** By subject: the later news replace the earlier. */
  readonly items: Map<string, News>
  readonly timer: NodeJS.Timeout
}

/** Gathers news into frames: the first leaves at once, later ones four times a second at most. */
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
    // At the end of this turn, so that news of one commit are sent together.
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
