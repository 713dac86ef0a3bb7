/** As long as a repeated alert counts as one. */
const REPEAT_MS = 60_000
/** A button that is pressed again takes the next incident; one press that comes twice takes one. */
export const PRESS_REPEAT_MS = 5_000
/** Commands in a minute. An automation that runs wild must not text without end. */
const PER_MINUTE_MAX = 60

/** Knows which commands were carried out in the last minute. */
export class RecentCommands {
  /** When each command came (monotonic), the oldest first. */
  readonly #at = new Map<string | symbol, number>()
  /** Commands above the bound since the last time that this was said, and when it is said again. */
  #excess = 0
  #silentUntil = Number.NEGATIVE_INFINITY

  /** Notes a command. `repeated`: the same one came within `repeatMs`; `too many`: it is one of too many. */
  note(command: string, monoMs: number, repeatMs = REPEAT_MS): 'new' | 'repeated' | 'too many' {
    for (const [known, at] of this.#at) {
      if (monoMs - at < REPEAT_MS) break
      this.#at.delete(known)
    }
    if (monoMs - (this.#at.get(command) ?? Number.NEGATIVE_INFINITY) < repeatMs) return 'repeated'
    this.#at.delete(command)
    if (this.#at.size >= PER_MINUTE_MAX) return 'too many'
    this.#at.set(command, monoMs)
    return 'new'
  }

  /** A command that failed may be tried again. It still counts. */
  forget(command: string): void {
    const at = this.#at.get(command)
    this.#at.delete(command)
    if (at !== undefined) this.#at.set(Symbol(command), at)
  }

  /** How many commands above the bound to speak of now; null: none, they were spoken of within a minute. */
  excess(monoMs: number): number | null {
    this.#excess += 1
    if (monoMs < this.#silentUntil) return null
    const count = this.#excess
    this.#excess = 0
    this.#silentUntil = monoMs + REPEAT_MS
    return count
  }
}
