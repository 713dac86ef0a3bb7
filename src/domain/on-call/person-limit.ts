/** Replies to useless answers that a person gets in an hour: enough to understand what is wrong. */
export const REPLIES_PER_HOUR_MAX = 5
/** Received texts that a person gets by text in an hour, as many as of incidents: a text costs money. */
export const FORWARDED_PER_HOUR_MAX = 30

const HOUR_MS = 3_600_000
/** People with a count. Only people of an account have one. */
const PEOPLE_MAX = 10_000

/** Limits the texts of one kind that a person gets in an hour. It is forgotten at a restart. */
export class PersonLimit {
  readonly #most: number
  /** Monotonic times of the last texts, by person. */
  readonly #textedAt = new Map<string, readonly number[]>()

  constructor(most: number) {
    this.#most = most
  }

  /** Counts a text. False: the person has had enough. */
  take(personId: string, monoMs: number): boolean {
    const known = (this.#textedAt.get(personId) ?? []).filter(at => monoMs - at < HOUR_MS)
    if (known.length >= this.#most) return false
    if (this.#textedAt.size >= PEOPLE_MAX) this.#textedAt.clear()
    this.#textedAt.set(personId, [...known, monoMs])
    return true
  }
}
