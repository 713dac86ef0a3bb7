import type { Tx } from '#domain/tx.ts'

/** An incoming message as a phone reported it. */
export interface ReceivedMessage {
  readonly id: string
  readonly deviceId: string
  readonly accountId: string
  readonly phoneMessageId: string
  readonly from: string
  readonly text: string
  readonly simSlot: number | null
  readonly receivedAt: number
}

/** What the database remembers of received texts. */
export interface InboxStore {
  /** False when this phone's message is there already. */
  insert(tx: Tx, received: ReceivedMessage): boolean
}
