/** Received texts of several parts of which some are missing: how long each has been so. */

export class IncompleteTexts {
  #run = ''
  /** Since when, monotonic milliseconds, by path. */
  #since = new Map<string, number>()

  /**
   * Notes which ones there are now. `run`: which reading of the modem's memory made the paths. The next one
   * finds the same texts in the same order, and gives them other paths.
   */
  note(run: string, paths: readonly string[], nowMs: number): void {
    const known = this.#since
    // If fewer are left, it is not known which. Then they count as the youngest.
    const times = [...known.values()].slice(Math.max(0, known.size - paths.length))
    const timeOf = (path: string, index: number) => (run === this.#run ? known.get(path) : times[index])
    this.#since = new Map(paths.map((path, index) => [path, timeOf(path, index) ?? nowMs]))
    this.#run = run
  }

  /** Paths of those that were there at this moment already. */
  olderThan(sinceMs: number): string[] {
    return [...this.#since].filter(([, ms]) => ms <= sinceMs).map(([path]) => path)
  }

  /** Whether one was noted between two moments. */
  hasFrom(fromMs: number, toMs: number): boolean {
    return [...this.#since.values()].some(ms => ms >= fromMs && ms <= toMs)
  }
}
