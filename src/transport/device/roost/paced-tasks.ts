/**
 * Runs at most `perTurn` tasks in one turn of the event loop. The others wait, in order, for later turns, and
 * the loop handles other events in between.
 */
export class PacedTasks {
  readonly #perTurn: number
  /** Calls back in the next turn of the event loop. */
  readonly #nextTurn: (wake: () => void) => void
  #waiting: (() => void)[] = []
  /** How many of `#waiting` have run. */
  #taken = 0
  #ranInTurn = 0

  constructor(perTurn: number, nextTurn: (wake: () => void) => void = setImmediate) {
    this.#perTurn = perTurn
    this.#nextTurn = nextTurn
  }

  /** Runs the task now, or in a later turn. The task must not throw. */
  run(task: () => void): void {
    if (this.#ranInTurn >= this.#perTurn) this.#waiting.push(task)
    else this.#runNow(task)
  }

  #runNow(task: () => void): void {
    if (this.#ranInTurn === 0) this.#nextTurn(() => this.#beginTurn())
    this.#ranInTurn += 1
    task()
  }

  #beginTurn(): void {
    this.#ranInTurn = 0
    while (this.#ranInTurn < this.#perTurn) {
      const task = this.#waiting[this.#taken]
      if (task === undefined) break
      this.#taken += 1
      this.#runNow(task)
    }
    if (this.#taken < this.#waiting.length) return
    this.#waiting = []
    this.#taken = 0
  }
}
