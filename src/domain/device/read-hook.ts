/** Reads a webhook of the SMSGate app in its cloud mode. The pool reads large ones. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { SIMS_MAX } from '#contracts/bounds.ts'
import { HOOK_TEXT_LENGTH_MAX, HOOK_TEXTS, type HookRead, type SignedHook } from '#contracts/smsgate-hook.ts'
import { faultOfShape } from '#domain/json-shape.ts'

/** Checks the signature of a webhook, and takes from it what the gateway uses. */
export function readHook({ body, key, ...signed }: SignedHook): HookRead {
  if (!isSignedWith(key, body, signed)) return { isSigned: false, hook: null }
  return { isSigned: true, hook: hookIn(body) }
}

/** The signature headers of a webhook. */
export type SignatureHeaders = Pick<SignedHook, 'signature' | 'timestamp'>

/** Whether the signature is right. The app signs with `hex(HMAC-SHA256(key, body + timestamp))`. */
export function isSignedWith(
  key: string,
  body: Uint8Array,
  { signature, timestamp }: SignatureHeaders,
): boolean {
  const hmac = createHmac('sha256', key).update(body).update(timestamp)
  const [given, right] = [Buffer.from(signature.toLowerCase()), Buffer.from(hmac.digest('hex'))]
  return given.length === right.length && timingSafeEqual(given, right)
}

type Fields = Readonly<Record<string, unknown>>

/** Null: not a JSON object, or one that takes too long to parse. Attachments are counted, not read. */
function hookIn(body: Uint8Array): object | null {
  const json = fieldsOf(parse(body))
  const { id, event, payload } = json
  if (typeof payload !== 'object' || payload === null) return null
  return { id: cut(id), event: cut(event), payload: payloadOf(fieldsOf(payload)) }
}

function payloadOf(payload: Fields): object {
  const { attachments, simCards, simNumber } = payload
  const checks = fieldsOf(fieldsOf(payload['health'])['checks'])
  return {
    ...Object.fromEntries(HOOK_TEXTS.map(name => [name, cut(payload[name])])),
    simNumber,
    attachments: Array.isArray(attachments) ? attachments.length : 0,
    simCards: Array.isArray(simCards) ? simCards.slice(0, SIMS_MAX) : [],
    battery: fieldsOf(checks['battery:level'])['observedValue'],
    batteryFlags: fieldsOf(checks['battery:charging'])['observedValue'],
  }
}

function parse(body: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    return faultOfShape(text) === null ? JSON.parse(text) : null
  } catch {
    return null
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function cut(value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, HOOK_TEXT_LENGTH_MAX) : value
}
