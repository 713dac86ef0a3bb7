/**
 * Parses the gateway's frames. Unknown frames are ignored: newer gateways may send more.
 */
import * as v from 'valibot'
import { JOURNAL_STATES } from '#contracts/phone-orders.ts'
import { MESSAGE_KINDS } from '#contracts/primitives.ts'

const messageId = v.string()
const attempt = v.pipe(v.number(), v.integer())

const Offer = v.object({
  type: v.literal('offer'),
  messageId,
  attempt,
  phoneNumber: v.string(),
  message: v.string(),
  segments: v.fallback(v.number(), 1),
  simSlot: v.nullish(v.number(), null),
  ttlMs: v.number(),
  kind: v.fallback(v.picklist(MESSAGE_KINDS), 'sms'),
})
export type Offer = v.InferOutput<typeof Offer>

const GoOrNo = v.object({ type: v.picklist(['go', 'no']), messageId, attempt })
export type GoOrNo = v.InferOutput<typeof GoOrNo>

const ReportAck = v.object({ type: v.literal('ack'), messageId, attempt, state: v.picklist(JOURNAL_STATES) })
export type ReportAck = v.InferOutput<typeof ReportAck>

/** Longest ring, seconds. Mailboxes answer earlier. */
const RING_SECONDS_MAX = 120

const Ring = v.object({
  type: v.literal('ring'),
  ringId: v.string(),
  // The number gets into the environment of a command.
  phoneNumber: v.pipe(v.string(), v.regex(/^\+\d{1,15}$/)),
  seconds: v.pipe(v.number(), v.minValue(1), v.maxValue(RING_SECONDS_MAX)),
})
export type RingFrame = v.InferOutput<typeof Ring>

const Frame = v.union([
  v.object({
    type: v.literal('welcome'),
    session: v.string(),
    pingEverySeconds: v.pipe(v.number(), v.minValue(1)),
  }),
  v.object({ type: v.literal('synced') }),
  Offer,
  GoOrNo,
  ReportAck,
  v.object({ type: v.literal('ack'), id: v.string() }),
  v.object({ type: v.literal('cancel'), messageId }),
  Ring,
  v.object({ type: v.literal('stop-ring'), ringId: v.string() }),
  v.object({ type: v.literal('error'), message: v.string() }),
])
export type KnownFrame = v.InferOutput<typeof Frame>

export function readGatewayFrame(text: string): KnownFrame | null {
  try {
    const read = v.safeParse(Frame, JSON.parse(text))
    return read.success ? read.output : null
  } catch {
    return null
  }
}
