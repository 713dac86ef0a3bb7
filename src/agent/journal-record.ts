/** The shapes of lines in the journal file. A line of any other shape counts as damage. */
import * as v from 'valibot'
import { JOURNAL_STATES } from '#contracts/phone-orders.ts'
import { MESSAGE_KINDS } from '#contracts/primitives.ts'

const State = v.picklist(JOURNAL_STATES)
const textOrNull = v.nullable(v.string())

const Change = v.object({
  state: State,
  code: textOrNull,
  detail: textOrNull,
  /** When the state was reached, by this device's clock. */
  at: v.string(),
  /** The driver's `mark` from just before the message was sent. */
  mark: textOrNull,
  /** The command that sends it, for `endGroup`. Left out: none has begun. */
  command: v.optional(v.string()),
  /**
   * Whether this state is the last one. The message is removed after the gateway has acknowledged it.
   */
  done: v.boolean(),
})
export type Change = Readonly<v.InferOutput<typeof Change>>

const Entry = v.object({
  messageId: v.string(),
  attempt: v.number(),
  /** Number and text are empty after the message was sent or ended. */
  phoneNumber: v.string(),
  message: v.string(),
  segments: v.number(),
  /** 1-based; null: the phone chooses. */
  simSlot: v.nullable(v.number()),
  kind: v.picklist(MESSAGE_KINDS),
  /** The rest of the time to live when the message was accepted, in milliseconds. */
  ttlMs: v.number(),
  acceptedAt: v.string(),
  ...Change.entries,
})
export type Entry = Readonly<v.InferOutput<typeof Entry>>

/** The record of a finished message: enough to answer if the gateway offers it again. */
const Finished = v.object({ messageId: v.string(), attempt: v.number(), state: State, code: textOrNull })
export type Finished = Readonly<v.InferOutput<typeof Finished>>

const Received = v.object({
  id: v.string(),
  /** Null: the phone does not know the sender. */
  from: textOrNull,
  message: v.string(),
  /** When it was sent, by the network's or the phone's clock. Null: not known. */
  at: textOrNull,
  simSlot: v.nullable(v.number()),
})
export type Received = Readonly<v.InferOutput<typeof Received>>

export const JournalRecord = v.variant('type', [
  v.object({ type: v.literal('accepted'), entry: Entry }),
  v.object({ type: v.literal('changed'), messageId: v.string(), change: Change }),
  v.object({ type: v.literal('forgotten'), messageId: v.string() }),
  v.object({ type: v.literal('finished'), finished: Finished }),
  v.object({ type: v.literal('received'), cursor: textOrNull, messages: v.array(Received) }),
  v.object({ type: v.literal('received-acked'), id: v.string() }),
])
export type JournalRecord = v.InferOutput<typeof JournalRecord>
