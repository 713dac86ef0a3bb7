/**
 * The frames of `roost.device.v1`, the WebSocket protocol between the gateway and a phone. Each frame is a
 * JSON object with a `type`. `domain/sending/README.md` explains the guarantees of the protocol.
 */
import * as v from 'valibot'
import { MESSAGE_ID_LENGTH_MAX, SIMS_MAX, SYNC_MESSAGES_MAX } from '#contracts/bounds.ts'
import {
  JOURNAL_STATES,
  type JournalState,
  type MessageToSend,
  RING_OUTCOMES,
  type RingOrder,
} from '#contracts/phone-orders.ts'

export const DEVICE_SUBPROTOCOL = 'roost.device.v1'
export const DEVICE_PROTOCOL = 1

/** Why the gateway closed a device socket (RFC 6455, section 7.4.2: 4000 to 4999 are the application's). */
export const CLOSE = {
  goingAway: 1001,
  tooBig: 1009,
  protocolError: 4000,
  superseded: 4001,
  removed: 4002,
  flooding: 4003,
} as const

/** Longest id of a ring, characters. It may be made of the ids of an incident and of a person. */
const RING_ID_LENGTH_MAX = 128

/** Any text: a report about an unknown id gets an answer and is not a protocol error. */
const MessageId = v.pipe(v.string(), v.minLength(1), v.maxLength(MESSAGE_ID_LENGTH_MAX))
const Attempt = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000))
const Code = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_.-]{1,64}$/))
const Detail = v.pipe(v.string(), v.maxLength(500))
const DriverName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_.-]{1,32}$/))
const Trouble = v.pipe(v.string(), v.maxLength(300), v.regex(/^[^\p{Cc}\p{Cs}]+$/u))
/** The phone's own clock, ISO 8601 or milliseconds since 1970. The gateway uses its own clock instead. */
const PhoneTime = v.union([v.pipe(v.string(), v.maxLength(40)), v.pipe(v.number(), v.finite())])

const JournalStateSchema = v.picklist(JOURNAL_STATES)

/**
 * Failures that every further text would have too, until the owner repairs the phone. Nothing was
 * transmitted.
 */
export const CANNOT_SEND_CODES: readonly string[] = [
  'TERMUX_API_MISSING',
  'PERMISSION_DENIED',
  'EXEC_NOT_STARTED',
  'EXEC_EXIT_126',
  'EXEC_EXIT_127',
  'PHONE_UNREACHABLE',
  'PHONE_REFUSED',
  'PHONE_CHANGED',
  'NOT_SMSGATE',
  'APP_TOO_OLD',
  'MODEM_FORBIDDEN',
]

const nullish = <T extends v.GenericSchema>(schema: T) => v.nullish(schema, null)
/** An optional detail of a report: an invalid one is read as null, so that the outcome itself is not lost. */
const nullIfInvalid = <T extends v.GenericSchema>(schema: T) => v.fallback(v.nullish(schema, null), null)
const text = (max: number) => v.pipe(v.string(), v.maxLength(max))

export const SimFrame = v.object({
  /** 1-based. */
  slot: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SIMS_MAX)),
  carrier: nullish(text(80)),
  /** Two letters in any case; stored in upper case. */
  countryCode: nullish(v.pipe(v.string(), v.regex(/^[A-Za-z]{2}$/), v.toUpperCase())),
  phoneNumber: nullish(text(32)),
})
const Sims = v.pipe(v.array(SimFrame), v.maxLength(SIMS_MAX))

export const HelloFrame = v.object({
  type: v.literal('hello'),
  protocol: v.literal(DEVICE_PROTOCOL),
  /** Differs after each start of the program on the phone. The gateway does not use it. */
  bootId: text(64),
  appVersion: nullish(text(64)),
  platform: nullish(text(64)),
  sims: v.optional(Sims, []),
  /** The agent's driver, such as `termux`. */
  driver: v.fallback(v.optional(v.nullable(DriverName)), undefined),
  /** A sentence that says why the phone cannot send; null: it can. */
  trouble: v.fallback(v.optional(v.nullable(Trouble)), undefined),
  /** A sentence that says why the phone cannot report received texts; null: it can. */
  receiveTrouble: v.fallback(v.optional(v.nullable(Trouble)), undefined),
  /** Whether the phone hands in received texts. */
  receives: v.fallback(v.optional(v.boolean()), undefined),
  /** Whether it can ring people. */
  calls: v.fallback(v.optional(v.boolean()), undefined),
})
export const SyncFrame = v.object({
  type: v.literal('sync'),
  messages: v.pipe(
    v.array(
      v.object({
        messageId: MessageId,
        attempt: Attempt,
        state: JournalStateSchema,
        code: nullIfInvalid(Code),
      }),
    ),
    v.maxLength(SYNC_MESSAGES_MAX),
  ),
  /** True when another `sync` follows; the gateway answers only the last one, with `synced`. */
  more: v.optional(v.boolean(), false),
})
export const BeginFrame = v.object({ type: v.literal('begin'), messageId: MessageId, attempt: Attempt })
export const ReportFrame = v.object({
  type: v.literal('report'),
  messageId: MessageId,
  attempt: Attempt,
  state: JournalStateSchema,
  code: nullIfInvalid(Code),
  detail: nullIfInvalid(Detail),
  at: nullIfInvalid(PhoneTime),
})
export const TelemetryFrame = v.object({
  type: v.literal('telemetry'),
  /** Percent. */
  battery: nullish(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
  charging: nullish(v.boolean()),
  /** dBm, negative. */
  signal: nullish(v.pipe(v.number(), v.minValue(-200), v.maxValue(-1))),
  sims: v.optional(v.nullable(Sims), null),
  busy: v.optional(v.nullable(v.boolean()), null),
  /** As in `hello`; absent: unchanged. */
  trouble: v.fallback(v.optional(v.nullable(Trouble)), undefined),
  receiveTrouble: v.fallback(v.optional(v.nullable(Trouble)), undefined),
})
export const ReceivedFrame = v.object({
  type: v.literal('received'),
  /** The phone's own id of the text. The gateway stores each id of a phone once. */
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  /** Null: the phone does not know the sender. */
  from: nullish(text(64)),
  message: text(10_000),
  /** When the text was sent, by the network's or the phone's clock. */
  at: nullish(PhoneTime),
  simSlot: nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SIMS_MAX))),
})
/** The end of a ring. It is not acknowledged: a ring that is lost has failed. */
export const RangFrame = v.object({
  type: v.literal('rang'),
  ringId: v.pipe(v.string(), v.minLength(1), v.maxLength(RING_ID_LENGTH_MAX)),
  outcome: v.picklist(RING_OUTCOMES),
})

/** The frames that a phone may send. */
export const PhoneFrame = v.variant('type', [
  HelloFrame,
  SyncFrame,
  BeginFrame,
  ReportFrame,
  TelemetryFrame,
  ReceivedFrame,
  RangFrame,
])
export type PhoneFrame = v.InferOutput<typeof PhoneFrame>
export type HelloFrame = v.InferOutput<typeof HelloFrame>
export type SyncFrame = v.InferOutput<typeof SyncFrame>
export type BeginFrame = v.InferOutput<typeof BeginFrame>
export type ReportFrame = v.InferOutput<typeof ReportFrame>
export type TelemetryFrame = v.InferOutput<typeof TelemetryFrame>
export type ReceivedFrame = v.InferOutput<typeof ReceivedFrame>
export type RangFrame = v.InferOutput<typeof RangFrame>

/** The frames that the gateway sends to a phone. */
export type GatewayFrame =
  | {
      readonly type: 'welcome'
      readonly session: string
      readonly serverTime: string
      readonly pingEverySeconds: number
    }
  | { readonly type: 'synced' }
  | ({ readonly type: 'offer'; readonly message: string } & Omit<MessageToSend, 'text' | 'isCancelled'>)
  | { readonly type: 'go' | 'no'; readonly messageId: string; readonly attempt: number }
  | {
      readonly type: 'ack'
      readonly messageId: string
      readonly attempt: number
      readonly state: JournalState
    }
  /** Answers `received`. */
  | { readonly type: 'ack'; readonly id: string }
  | { readonly type: 'cancel'; readonly messageId: string }
  /** Only for a phone that said `calls` in its `hello`. */
  | ({ readonly type: 'ring' } & RingOrder)
  /** Hang up, if it still rings. The phone reports the end of the ring, as always. */
  | { readonly type: 'stop-ring'; readonly ringId: string }
  /** The phone sent an invalid frame. After more than `FRAMES_REFUSED_MAX` of them the socket is closed. */
  | { readonly type: 'error'; readonly message: string }
