/** As long as a repeated alert counts as one. */
const REPEAT_MS = 60_000
/** A button that is pressed again takes the next incident; one press that comes twice takes one. */
export const PRESS_REPEAT_MS = 5_000
/** Commands in a minute. An automation that runs wild must not text without end. */
const PER_MINUTE_MAX = 60

/** Knows which commands were carried out in the last minute. */
export class RecentCommands {
  /** When each command came (monotonic), the oldest first. */
  readonly #at = new Map<string, number>()

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

  /** A command that failed may be tried again. */
  forget(command: string): void {
    this.#at.delete(command)
  }
}
