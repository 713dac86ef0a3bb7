/**
 * News of returning and leaving phones (`hello`, `sync`, the end of a connection) that one listener lets wait
 * in the writer. A send shares a transaction with at most these, and the writer always has enough to do.
 */
const PHONE_RETURNS_AT_ONCE_MAX = 32
/**
 * News of the phones of one account that one listener lets wait in the writer: the commands of others share a
 * transaction with at most these, however much the phones of one account report.
 */
export const NEWS_OF_ACCOUNT_MAX = 64
/**
 * Frames of one connection that are not answered yet; with more, the socket is closed. A phone may send as
 * many in a second. Without this bound, one phone could fill the memory.
 */
export const PHONE_NEWS_MAX = 5000

/** Where news comes from: one connection of a phone. Only the lane changes these numbers. */
export interface NewsSource {
  readonly accountId: string
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

interface Account {
  /** News that the writer has not answered. */
  asked: number
  readonly waiting: Entry[]
}

/**
 * Passes the news of phones to the writer. When many phones return or leave at the same time, or those of an
 * account report much, only some of this news is with the writer at any moment and the rest waits here, so
 * that a send never waits behind thousands of phones. The news of one connection stays in order. Accounts
 * take turns.
 */
export class NewsLane {
  #atOnceMax: number
  #ofAccountMax = NEWS_OF_ACCOUNT_MAX
  /** News about returning and leaving phones that the writer has not answered. */
  #returns = 0
  /** Those with news that is not answered. The one whose phones returned last comes last. */
  readonly #accounts = new Map<string, Account>()

  constructor(atOnceMax = PHONE_RETURNS_AT_ONCE_MAX) {
    this.#atOnceMax = atOnceMax
  }

  /** Whether so much news of this connection is not answered yet that it must send no more. */
  isFull({ newsWaiting, newsAsked }: NewsSource): boolean {
    return newsWaiting + newsAsked >= PHONE_NEWS_MAX
  }

  /**
   * Calls `ask`, now or later. `isReturn`: whether the news belongs to a phone that returns or leaves. The
   * promise of `ask` must not reject.
   */
  pass({ source, isReturn }: Omit<Entry, 'ask'>, ask: Entry['ask']): void {
    const account = this.#accounts.get(source.accountId) ?? { asked: 0, waiting: [] }
    this.#accounts.set(source.accountId, account)
    const entry = { source, isReturn, ask }
    if (source.newsWaiting === 0 && this.#hasRoom(account, entry)) return this.#ask(account, entry)
    source.newsWaiting += 1
    account.waiting.push(entry)
  }

  /** Passes everything on at once, now and from now on, because the listener stops. */
  open(): void {
    this.#atOnceMax = Number.POSITIVE_INFINITY
    this.#ofAccountMax = Number.POSITIVE_INFINITY
    for (const id of [...this.#accounts.keys()]) this.#passWaiting(id)
  }

  #hasRoom({ asked }: Account, { isReturn }: Entry): boolean {
    return asked < this.#ofAccountMax && !(isReturn && this.#returns >= this.#atOnceMax)
  }

  #ask(account: Account, { source, isReturn, ask }: Entry): void {
    source.newsAsked += 1
    account.asked += 1
    if (isReturn) this.#returns += 1
    void ask().then(() => {
      source.newsAsked -= 1
      account.asked -= 1
      if (isReturn) this.#returns -= 1
      for (const id of isReturn ? [...this.#accounts.keys()] : [source.accountId]) this.#passWaiting(id)
    })
  }

  #passWaiting(id: string): void {
    const account = this.#accounts.get(id)
    if (account === undefined) return
    for (let [entry] = account.waiting; entry !== undefined; [entry] = account.waiting) {
      if (!this.#hasRoom(account, entry)) return
      account.waiting.shift()
      entry.source.newsWaiting -= 1
      this.#ask(account, entry)
      if (!entry.isReturn) continue
      this.#accounts.delete(id)
      this.#accounts.set(id, account)
    }
    if (account.asked === 0) this.#accounts.delete(id)
  }
}
