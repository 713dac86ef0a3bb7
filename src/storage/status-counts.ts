import { MESSAGE_STATUSES, type MessageStatus } from '#contracts/primitives.ts'
import type { Message } from '#domain/message/message.ts'
import type { MessageStore } from '#domain/message/message-store.ts'

/** Counts how often messages reached each status. Changes are counted at the commit. */
export class StatusCounts {
  readonly #counts = new Map<MessageStatus, number>(MESSAGE_STATUSES.map(status => [status, 0]))
  #staged: MessageStatus[] = []

  /** Wraps the message store so that its writes are counted. */
  countWrites(store: MessageStore): MessageStore {
    return {
      ...store,
      insert: (tx, message) => {
        store.insert(tx, message)
        this.#stage(message)
      },
      save: (tx, message) => {
        store.save(tx, message)
        this.#stage(message)
      },
    }
  }

  /** Drills have a count of their own. */
  #stage({ kind, status }: Message): void {
    if (kind !== 'drill') this.#staged.push(status)
  }

  commit(): void {
    for (const status of this.#staged) this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1)
    this.#staged = []
  }

  discard(): void {
    this.#staged = []
  }

  entries(): Iterable<readonly [MessageStatus, number]> {
    return this.#counts
  }
}
