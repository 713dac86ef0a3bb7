/** Runs closing steps in reverse order. A step runs even if one before it failed. */
export class Closer {
  readonly #steps: { readonly name: string; readonly undo: () => unknown }[] = []

  add(name: string, undo: () => unknown): void {
    this.#steps.push({ name, undo })
  }

  /** @throws AggregateError with the error of each step that failed */
  async close(): Promise<void> {
    const errors: unknown[] = []
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step.undo()
      } catch (error) {
        errors.push(new Error(`could not close ${step.name}`, { cause: error }))
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'some parts could not be closed')
  }
}
