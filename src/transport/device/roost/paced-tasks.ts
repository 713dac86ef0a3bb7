/**
 * Phones that a listener lets in during one turn of its event loop. After a restart thousands may connect in
 * one second; each takes about a tenth of a millisecond, and a send waits at most for one turn.
 */
const PHONE_UPGRADES_PER_TURN_MAX = 8
/**
 * Runs at most `perTurn` tasks in one turn of the event loop. The others wait, in order, for later turns, and
 * the loop handles other events in between.
 */
export class PacedTasks {
  readonly #perTurn: number
  /** Calls back in the next turn of the event loop. */
  readonly #nextTurn: (wake: () => void) => void
  readonly #waiting: (() => boolean)[] = []
  #ranInTurn = 0

  constructor(perTurn = PHONE_UPGRADES_PER_TURN_MAX, nextTurn: (wake: () => void) => void = setImmediate) {
    this.#perTurn = perTurn
    this.#nextTurn = nextTurn
  }

  /**
   * Runs the task now, or in a later turn. The task returns whether it did anything: one with nothing left to
   * do does not count for its turn. The task must not throw.
   */
  run(task: () => boolean): void {
    if (this.#ranInTurn >= this.#perTurn) this.#waiting.push(task)
    else this.#runNow(task)
  }

  #runNow(task: () => boolean): void {
    if (!task()) return
    if (this.#ranInTurn === 0) this.#nextTurn(() => this.#beginTurn())
    this.#ranInTurn += 1
  }

  #beginTurn(): void {
    this.#ranInTurn = 0
    while (this.#ranInTurn < this.#perTurn) {
      const task = this.#waiting.shift()
      if (task === undefined) return
      this.#runNow(task)
    }
  }
}
