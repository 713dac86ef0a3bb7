/** Follows the state of texts that the phone has accepted. */
import * as v from 'valibot'
import { type Clock, pause } from '#agent/clock.ts'
import type { Order, Outcome } from '#agent/drivers/driver.ts'
import { type PhoneAnswer, PhoneCallError } from '#agent/drivers/smsgate/call-phone.ts'
import type { PhoneLink } from '#agent/drivers/smsgate/phone-link.ts'
import { AppMessage, appMessageId, readAppMessage } from '#contracts/smsgate.ts'

/**
 * Interval at which the agent queries the state of a text in the app. It doubles from the first value up to
 * the second.
 */
const SMSGATE_POLL_MS_MIN = 1_000
const SMSGATE_POLL_MS_MAX = 30_000
/** Queries about the states of texts that the agent has in progress at the same time. */
const SMSGATE_POLLS_MAX = 4
/**
 * The agent stops querying a text this long after its last change, because many networks never report
 * delivery. For a text that still waits on the phone, its time to live is added.
 */
const SMSGATE_FOLLOW_MS_MAX = 7_200_000
/**
 * Texts that the agent keeps querying. With more, it drops the oldest, so that the journal has room for new
 * ones.
 */
const SMSGATE_FOLLOWED_MAX = 400

export interface Following {
  readonly order: Order
  readonly state: Outcome['state']
  readonly signal: AbortSignal
}

/** Follows the texts of one phone. */
export class Follower {
  readonly #link: PhoneLink
  readonly #clock: Clock
  /** One controller for each text that is followed, the oldest first. */
  readonly #followed = new Set<AbortController>()
  /** Requests that wait for their turn. */
  readonly #waiting: (() => void)[] = []
  /** How many requests run now. */
  #running = 0

  constructor(link: PhoneLink, clock: Clock) {
    this.#link = link
    this.#clock = clock
  }

  /** Waits for the next state; null: nothing more will be known. */
  async follow({ order, state, signal }: Following): Promise<Outcome | null> {
    const displaced = new AbortController()
    this.#followed.add(displaced)
    const [oldest] = this.#followed
    if (this.#followed.size > SMSGATE_FOLLOWED_MAX) oldest?.abort()
    try {
      return await this.#poll(order, state, AbortSignal.any([signal, displaced.signal]))
    } finally {
      this.#followed.delete(displaced)
    }
  }

  async #poll(order: Order, state: Outcome['state'], signal: AbortSignal): Promise<Outcome | null> {
    const clock = this.#clock
    // The phone may send a waiting text until its time to live is over.
    const followMs = SMSGATE_FOLLOW_MS_MAX + (state === 'submitted' ? order.ttlMs : 0)
    const untilMs = clock.monotonicMs() + followMs
    for (let delayMs = SMSGATE_POLL_MS_MIN; clock.monotonicMs() < untilMs; ) {
      await pause(clock, delayMs, signal)
      delayMs = Math.min(SMSGATE_POLL_MS_MAX, 2 * delayMs)
      const answer = signal.aborted ? null : await this.#limited(() => this.#ask(order))
      if (signal.aborted) return null
      const news = answer === null ? null : newsIn(answer, state)
      if (news !== null) return news === 'final' ? null : news
    }
    return null
  }

  /** Runs at most `SMSGATE_POLLS_MAX` requests at a time. */
  async #limited<T>(request: () => Promise<T>): Promise<T> {
    if (this.#running >= SMSGATE_POLLS_MAX) await new Promise<void>(resolve => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await request()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }

  /** Null: the phone cannot be asked now. */
  async #ask({ messageId, attempt }: Order): Promise<PhoneAnswer | null> {
    const path = `/message/${encodeURIComponent(appMessageId(messageId, attempt))}`
    try {
      return await this.#link.call({ method: 'GET', path })
    } catch (error) {
      if (error instanceof PhoneCallError) return null
      throw error
    }
  }
}

/** A later state than `state`. `final`: no later state will be known. Null: no news. */
function newsIn({ httpStatus, json }: PhoneAnswer, state: Outcome['state']): Outcome | 'final' | null {
  if (httpStatus === 404) return state === 'sent' ? 'final' : FORGOTTEN
  const read = v.safeParse(AppMessage, json)
  if (httpStatus !== 200 || !read.success) return null
  const outcome = readAppMessage(read.output)
  if (outcome.state === 'submitted' || outcome.state === state) return null
  return outcome
}

/** The phone accepted the text and no longer knows it. */
const FORGOTTEN: Outcome = {
  state: 'uncertain',
  code: 'PHONE_FORGOT',
  detail: "the phone took the text but no longer knows it: its app's data was cleared",
}
