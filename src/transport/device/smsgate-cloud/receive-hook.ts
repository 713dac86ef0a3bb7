/** Receives the app's webhooks: received texts, states of sent texts, battery and SIMs. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { SIMS_MAX } from '#contracts/bounds.ts'
import type { PhoneNews } from '#contracts/phone-orders.ts'
import { Problem } from '#domain/problem.ts'
import { type CloudPorts, unknownCaller } from '#transport/device/smsgate-cloud/cloud-ports.ts'
import type { AppEvent } from '#transport/device/smsgate-cloud/configure-app.ts'
import { reportOf } from '#transport/device/smsgate-cloud/exchange-messages.ts'
import { readSims } from '#transport/device/smsgate-cloud/register-phone.ts'
import { parseJsonObject } from '#transport/http/body.ts'
import type { Answer, Call } from '#transport/http/route.ts'
import { shapedJson } from '#transport/http/shaped-answer.ts'

/** Largest webhook: an MMS contains its attachments. */
const HOOK_BYTES_MAX = 16 * 1024 * 1024
/** Most bytes that are read from a request to a path without the right secret. */
const UNKNOWN_BYTES_MAX = 64 * 1024
/** The same limits as for the agent's frames (`contracts/device-frames.ts`). */
const SENDER_LENGTH_MAX = 64
const TEXT_LENGTH_MAX = 10_000

const textOrNull = v.fallback(v.nullish(v.string(), null), null)
const integerOrNull = v.fallback(v.nullish(v.pipe(v.number(), v.integer()), null), null)
const Payload = v.object({
  messageId: textOrNull,
  sender: textOrNull,
  phoneNumber: textOrNull,
  message: textOrNull,
  subject: textOrNull,
  body: textOrNull,
  receivedAt: textOrNull,
  reason: textOrNull,
  simNumber: v.fallback(
    v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SIMS_MAX)), null),
    null,
  ),
  attachments: v.fallback(v.optional(v.array(v.unknown()), []), []),
  simCards: v.optional(v.unknown()),
  health: v.fallback(
    v.optional(v.object({ checks: v.record(v.string(), v.object({ observedValue: integerOrNull })) })),
    undefined,
  ),
})
type Payload = v.InferOutput<typeof Payload>
const Envelope = v.object({ id: v.pipe(v.string(), v.minLength(1)), event: v.string(), payload: Payload })

/** The most bytes that the body may have: fewer if the path does not contain the right secret. */
export function hookBytesMax(
  { secrets }: CloudPorts,
  [deviceId = '', secret = '']: readonly string[],
): number {
  return secrets.isHookSecret(deviceId, secret) ? HOOK_BYTES_MAX : UNKNOWN_BYTES_MAX
}

/** `POST hook/…`: answered once its news is committed. The app repeats a webhook that was refused. */
export async function receiveHook(ports: CloudPorts, call: Call): Promise<Answer> {
  const [deviceId = '', secret = ''] = call.parameters
  const signature = call.header('x-signature') ?? ''
  const timestamp = call.header('x-timestamp') ?? ''
  if (!ports.secrets.isHookSecret(deviceId, secret)) throw unknownCaller(call, 'this webhook is not known')
  // An app that has not fetched its settings yet signs with another key, and repeats the webhook later.
  if (!ports.secrets.isSigned(deviceId, call.bytes, { signature, timestamp }))
    throw unknownCaller(call, 'X-Signature is wrong: sign with the signing_key of GET settings')
  const parsed = v.safeParse(Envelope, parseJsonObject(call.bytes))
  if (!parsed.success)
    throw new Problem('INVALID_REQUEST', 'the body is not a webhook of the SMSGate app: id, event, payload')
  const { id, event, payload } = parsed.output
  const news = newsOf(event, payload, id)
  if (news !== null) await ports.writer.ask('phone.news', { deviceId, connection: null, news })
  return shapedJson({})
}

/** The news in a webhook. Null: it does not concern the gateway, or lacks what the news needs. */
function newsOf(event: string, payload: Payload, id: string): PhoneNews | null {
  switch (event as AppEvent) {
    case 'sms:received':
    case 'mms:downloaded':
      return receivedOf(event, payload, id)
    case 'sms:sent':
      return stateNews(payload, 'Sent')
    case 'sms:delivered':
      return stateNews(payload, 'Delivered')
    case 'sms:failed':
      return stateNews(payload, 'Failed')
    case 'sms:cancelled':
      return stateNews(payload, 'Cancelled')
    case 'system:ping':
      return batteryNews(payload)
    case 'app:started': {
      const sims = readSims(payload.simCards)
      return { type: 'opened', appVersion: null, platform: null, sims }
    }
    default:
      return null
  }
}

type HookState = 'Sent' | 'Delivered' | 'Failed' | 'Cancelled'

/** The state of a message; null: the app sent this text for another program. */
function stateNews({ messageId, reason }: Payload, state: HookState): PhoneNews | null {
  const report = reportOf({ id: messageId, state, recipients: [{ state, error: reason }] })
  return report === null ? null : { type: 'report', ...report }
}

function receivedOf(event: string, payload: Payload, id: string): PhoneNews | null {
  const { sender, phoneNumber, simNumber: simSlot } = payload
  const from = (sender ?? phoneNumber ?? '').slice(0, SENDER_LENGTH_MAX)
  const content = event === 'sms:received' ? payload.message : mmsText(payload)
  if (content === null || from === '') return null
  return {
    type: 'received',
    id: contentKey(event, payload, id),
    from,
    text: content.slice(0, TEXT_LENGTH_MAX),
    simSlot,
  }
}

function mmsText({ subject, body, attachments }: Payload): string {
  const words = [subject, body].filter(part => part !== null && part !== '')
  if (attachments.length > 0) words.push(`(MMS with ${attachments.length} attachment(s), not kept)`)
  return words.length > 0 ? words.join('\n') : '(empty MMS)'
}

/**
 * The id under which a text is stored once. The app may send the same text again, some versions even with
 * another webhook id. The message id alone is not enough: before 1.66.2, two texts with the same words have
 * the same id. So the key combines event, message id and time of receipt.
 */
function contentKey(event: string, { messageId, receivedAt }: Payload, id: string): string {
  const key = messageId === null || receivedAt === null ? ['id', id] : [event, messageId, receivedAt]
  return `app_${createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 40)}`
}

function batteryNews({ health }: Payload): PhoneNews | null {
  const battery = health?.checks['battery:level']?.observedValue ?? null
  if (battery === null || battery < 0 || battery > 100) return null
  const flags = health?.checks['battery:charging']?.observedValue ?? null
  const charging = flags === null ? null : (flags & 1) === 1
  return { type: 'telemetry', battery, charging, signal: null, sims: null, busy: null }
}
