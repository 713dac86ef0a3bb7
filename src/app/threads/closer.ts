/** Closes what was opened, in reverse order; every step runs even if an earlier one failed. */
export class Closer {
  readonly #steps: { readonly name: string; readonly undo: () => unknown }[] = []

  add(name: string, undo: () => unknown): void {
    this.#steps.push({ name, undo })
  }

  /** @throws AggregateError when steps failed */
  async close(): Promise<void> {
    const errors: unknown[] = []
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step.undo()
      } catch (error) {
        errors.push(new Error(`could not close ${step.name}`, { cause: error }))
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'not everything was closed')
  }
}
