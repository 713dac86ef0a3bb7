const HOUR_MS = 3_600_000
/** Replies to useless answers that a person gets in an hour: enough to understand what is wrong. */
const REPLIES_MAX = 5
/** People with a count. Only people of an account have one. */
const PEOPLE_MAX = 10_000

/** Limits the replies to texts that change nothing. It is forgotten at a restart. */
export class ReplyLimit {
  /** Monotonic times of the last replies, by person. */
  readonly #repliedAt = new Map<string, readonly number[]>()

  /** Counts a reply. False: the person has had enough. */
  take(personId: string, monoMs: number): boolean {
    const known = (this.#repliedAt.get(personId) ?? []).filter(at => monoMs - at < HOUR_MS)
    if (known.length >= REPLIES_MAX) return false
    if (this.#repliedAt.size >= PEOPLE_MAX) this.#repliedAt.clear()
    this.#repliedAt.set(personId, [...known, monoMs])
    return true
  }
}
