/** Counts by name that hold once the transaction is committed. */
export class StagedCounts<T extends string> {
  readonly #counts: Map<T, number>
  #staged: T[] = []

  constructor(names: readonly T[]) {
    this.#counts = new Map(names.map(name => [name, 0]))
  }

  count(name: T): void {
    this.#staged.push(name)
  }

  commit(): void {
    for (const name of this.#staged) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    this.#staged = []
  }

  discard(): void {
    this.#staged = []
  }

  entries(): Iterable<readonly [T, number]> {
    return this.#counts
  }
}
