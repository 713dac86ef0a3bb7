/** Receives the app's webhooks: received texts, states of sent texts, battery and SIMs. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { SIMS_MAX } from '#contracts/bounds.ts'
import type { PhoneNews } from '#contracts/phone-orders.ts'
import { HOOK_TEXT_LENGTH_MAX, HOOK_TEXTS } from '#contracts/smsgate-hook.ts'
import { readHook } from '#domain/device/read-hook.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { readPhoneTime } from '#domain/time.ts'
import {
  type CloudPhone,
  type CloudPorts,
  countPhoneCall,
  unknownCaller,
} from '#transport/device/smsgate-cloud/cloud-ports.ts'
import type { AppEvent } from '#transport/device/smsgate-cloud/configure-app.ts'
import { reportOf } from '#transport/device/smsgate-cloud/exchange-messages.ts'
import { readSims } from '#transport/device/smsgate-cloud/register-phone.ts'
import { isPacked } from '#transport/http/decode-body.ts'
import type { Answer, Call, Handle, Head } from '#transport/http/route.ts'
import { shapedJson } from '#transport/http/shaped-answer.ts'

/** Largest webhook: an MMS of 6 MB, with its attachments in base64. */
const HOOK_BYTES_MAX = 8 * 1024 * 1024
/** Longest webhook that the listener reads itself. The pool reads longer ones: they take up to 50 ms. */
const SMALL_BYTES_MAX = 65_536
/** Webhooks of one phone a minute. */
const HOOKS_PER_MINUTE_MAX = 120
/** Large webhooks at once, each from another phone. Each is in memory twice. */
const LARGE_HOOKS_MAX = 4
/** Difference between the phone's clock and ours, seconds. An older webhook may be a recorded one. */
const AGE_S_MAX = 86_400
/** The same limit as for the agent's frames (`contracts/device-frames.ts`). */
const SENDER_LENGTH_MAX = 64

/** The app has all webhooks (configure-app.ts) or none, so one that arrives shows that texts do, too. */
const RECEIVES = { receives: true } as const

const textOrNull = v.fallback(v.nullish(v.string(), null), null)
const integerOrNull = v.fallback(v.nullish(v.pipe(v.number(), v.integer()), null), null)
const Payload = v.object({
  ...v.entriesFromList(HOOK_TEXTS, textOrNull),
  simNumber: v.fallback(
    v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SIMS_MAX)), null),
    null,
  ),
  attachments: v.number(),
  simCards: v.optional(v.unknown()),
  battery: integerOrNull,
  batteryFlags: integerOrNull,
})
type Payload = v.InferOutput<typeof Payload>
const Envelope = v.object({ id: v.pipe(v.string(), v.minLength(1)), event: v.string(), payload: Payload })

/** `POST hook/…`: answered once its news is committed. The app repeats a webhook that was refused. */
export function hookReceiver(ports: CloudPorts): (head: Head) => Handle {
  // The phones that send a large webhook now.
  const large = new Set<string>()
  return head => {
    const phone = admitHook(ports, head)
    const isLarge = !(Number(head.header('content-length')) <= SMALL_BYTES_MAX)
    // A packed body says nothing about its length, and the app never packs.
    if (!isLarge || isPacked(head.header('content-encoding'))) {
      head.limitBody(SMALL_BYTES_MAX)
      return call => receive(ports, call, phone)
    }
    startLarge(large, phone.deviceId)
    // Also a webhook that is refused, or whose phone breaks off, is over.
    head.onEnd(() => large.delete(phone.deviceId))
    head.limitBody(HOOK_BYTES_MAX, phone.accountId)
    return call => receive(ports, call, phone)
  }
}

/** Finds the phone of the path, and counts the webhook. @throws Problem */
function admitHook(ports: CloudPorts, head: Head): CloudPhone {
  const [deviceId = '', secret = ''] = head.parameters
  if (!ports.secrets.isHookSecret(deviceId, secret)) throw unknownCaller(head, 'this webhook is not known')
  const phone = ports.reader.deviceById(deviceId)
  if (phone?.protocol !== 'smsgate-cloud') {
    head.count(null)
    throw notFound('phone: it was removed')
  }
  countPhoneCall(ports, { deviceId, what: 'hook', perMinute: HOOKS_PER_MINUTE_MAX })
  const ageS = ports.wallMs() / 1000 - Number(head.header('x-timestamp') ?? Number.NaN)
  if (!(Math.abs(ageS) <= AGE_S_MAX))
    throw unknownCaller(head, 'X-Timestamp is more than a day away from now: set the clock of the phone')
  return phone
}

/** @throws Problem SERVICE_UNAVAILABLE when the phone, or too many others, have a large webhook on its way */
function startLarge(large: Set<string>, deviceId: string): void {
  if (large.has(deviceId) || large.size >= LARGE_HOOKS_MAX)
    throw new Problem('SERVICE_UNAVAILABLE', 'another large webhook is being received: try again in 5 s', {
      retryAfterS: 5,
    })
  large.add(deviceId)
}

async function receive(ports: CloudPorts, call: Call, phone: CloudPhone): Promise<Answer> {
  const { deviceId, accountId } = phone
  const input = {
    body: call.bytes,
    key: ports.secrets.signingKey(deviceId),
    timestamp: call.header('x-timestamp') ?? '',
    signature: call.header('x-signature') ?? '',
  }
  const read =
    call.bytes.length <= SMALL_BYTES_MAX
      ? readHook(input)
      : await ports.pool.run('read-large-hook', input, { accountId })
  // An app that has not fetched its settings yet signs with another key, and repeats the webhook later.
  if (!read.isSigned)
    throw unknownCaller(call, 'X-Signature is wrong: sign with the signing_key of GET settings')
  const parsed = v.safeParse(Envelope, read.hook)
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
      return { type: 'opened', appVersion: null, platform: null, sims, ...RECEIVES }
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
  if (content === null) return null
  return {
    type: 'received',
    id: contentKey(event, payload, id),
    from,
    text: content.slice(0, HOOK_TEXT_LENGTH_MAX),
    sentAt: readPhoneTime(payload.receivedAt),
    simSlot,
  }
}

function mmsText({ subject, body, attachments }: Payload): string {
  const words = [subject, body].filter(part => part !== null && part !== '')
  if (attachments > 0) words.push(`(MMS with ${attachments} attachment(s), not kept)`)
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

function batteryNews({ battery, batteryFlags }: Payload): PhoneNews | null {
  if (battery === null || battery < 0 || battery > 100) return null
  const charging = batteryFlags === null ? null : (batteryFlags & 1) === 1
  return { type: 'telemetry', battery, charging, signal: null, sims: null, busy: null, ...RECEIVES }
}
