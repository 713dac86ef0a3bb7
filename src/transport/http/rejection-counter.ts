import type { Writer } from '#contracts/commands.ts'

/**
 * Has the writer count refused triggers, one command at a time: those that come while it is under way go with
 * the next. A storm at a closed address therefore costs the writer no more than a drizzle.
 */
export class RejectionCounter {
  readonly #writer: Writer
  #counts = new Map<string, number>()
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | null = null

  constructor(writer: Writer) {
    this.#writer = writer
  }

  /** Settles when it is counted, or could not be: the refusal is right either way. */
  count(webhookId: string): Promise<void> {
    this.#counts.set(webhookId, (this.#counts.get(webhookId) ?? 0) + 1)
    this.#next ??= this.#running.then(() => this.#flush())
    return this.#next
  }

  #flush(): Promise<void> {
    const counts = [...this.#counts]
    this.#counts = new Map()
    this.#next = null
    this.#running = this.#writer.ask('webhook.reject', { counts }).then(
      () => {},
      () => {},
    )
    return this.#running
  }
}
