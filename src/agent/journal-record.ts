/** The lines of the journal file. A line that fits none of these is damage. */
import * as v from 'valibot'
import { JOURNAL_STATES } from '#contracts/phone-orders.ts'
import { MESSAGE_KINDS } from '#contracts/primitives.ts'

const State = v.picklist(JOURNAL_STATES)
const textOrNull = v.nullable(v.string())

const Entry = v.object({
  messageId: v.string(),
  attempt: v.number(),
  /** This and the text: empty once the message has left, or ended. */
  phoneNumber: v.string(),
  message: v.string(),
  segments: v.number(),
  /** 1-based; null: the phone chooses. */
  simSlot: v.nullable(v.number()),
  kind: v.picklist(MESSAGE_KINDS),
  /** Left to live when accepted. */
  ttlMs: v.number(),
  acceptedAt: v.string(),
  state: State,
  code: textOrNull,
  detail: textOrNull,
  /** When the state was reached, by this device's clock. */
  at: v.string(),
  /** What the driver wanted remembered from just before the radio was called. */
  mark: textOrNull,
  /**
   * Nothing more is expected of this message: it is forgotten when the gateway has acknowledged the state.
   */
  done: v.boolean(),
})
export type Entry = Readonly<v.InferOutput<typeof Entry>>

const Change = v.object({
  state: State,
  code: textOrNull,
  detail: textOrNull,
  at: v.string(),
  mark: textOrNull,
  done: v.boolean(),
})
export type Change = Readonly<v.InferOutput<typeof Change>>

/** What is kept of a message that is over: enough to refuse it when it is offered again. */
const Finished = v.object({ messageId: v.string(), attempt: v.number(), state: State, code: textOrNull })
export type Finished = Readonly<v.InferOutput<typeof Finished>>

const Received = v.object({
  id: v.string(),
  from: v.string(),
  message: v.string(),
  at: v.string(),
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
