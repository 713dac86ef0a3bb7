import type { Tx } from '#domain/tx.ts'

/** A received text as stored in the database. */
export interface ReceivedMessage {
  readonly id: string
  readonly deviceId: string
  readonly accountId: string
  /** The phone's own id of the text. */
  readonly phoneMessageId: string
  /** A phone number, or a name where the carrier sent one. Empty: unknown. */
  readonly from: string
  readonly text: string
  /** 1-based; null: unknown. */
  readonly simSlot: number | null
  /** Wall-clock time at which the gateway got the text. */
  readonly receivedAt: number
  /** The time by the network's or the phone's clock, wall-clock; null: unknown. */
  readonly sentAt: number | null
}

/** Received texts in the database. */
export interface InboxStore {
  /** False if this text of the phone is already stored. */
  insert(tx: Tx, received: ReceivedMessage): boolean
  /** How far `sentAt` of the last texts before this one, of the same SIM, is after `receivedAt`. */
  lastSkews(received: ReceivedMessage, count: number): readonly number[]
}
