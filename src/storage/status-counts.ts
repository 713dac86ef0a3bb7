import { MESSAGE_STATUSES, type MessageStatus } from '#contracts/primitives.ts'
import type { Message } from '#domain/message/message.ts'
import type { MessageStore } from '#domain/message/message-store.ts'
import { StagedCounts } from '#domain/staged-counts.ts'

/** Counts how often messages reached each status. */
export class StatusCounts extends StagedCounts<MessageStatus> {
  constructor() {
    super(MESSAGE_STATUSES)
  }

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
    if (kind !== 'drill') this.count(status)
  }
}
