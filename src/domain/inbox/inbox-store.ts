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

/** Received texts in the database. */
export interface InboxStore {
  /** False if this message of the phone is already stored. */
  insert(tx: Tx, received: ReceivedMessage): boolean
}
