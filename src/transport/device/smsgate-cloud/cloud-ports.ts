import type { Writer } from '#contracts/commands.ts'
import type { Pool } from '#contracts/pool-tasks.ts'
import type { PrincipalReader } from '#domain/account/principal.ts'
import { limitReached, noDevices, Problem } from '#domain/problem.ts'
import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'
import { isFromElsewhere } from '#transport/device/is-from-elsewhere.ts'
import type { CloudSecrets } from '#transport/device/smsgate-cloud/cloud-secrets.ts'
import type { PollPresence } from '#transport/device/smsgate-cloud/poll-presence.ts'
import { bearerOf, hashOf } from '#transport/http/authenticate.ts'
import { JSON_TYPE } from '#transport/http/http-answer.ts'
import type { Answer, Head, ShapedRefusal } from '#transport/http/route.ts'
import { refusalText } from '#transport/http/shaped-answer.ts'

/** Calls of one phone a minute, other than webhooks: it reports each message three times. */
const PHONE_CALLS_PER_MINUTE = 1200
/** Longest body of such a call: a hundred reports. */
const PHONE_BYTES_MAX = 65_536

export interface CloudPorts {
  readonly writer: Writer
  readonly reader: Pick<PrincipalReader, 'device' | 'deviceById' | 'hasDevices'>
  readonly limiter: RateLimiter
  readonly pool: Pool
  readonly secrets: CloudSecrets
  readonly presence: Pick<PollPresence, 'polled'>
  /** The gateway's public URL, as configured or found. */
  readonly publicUrl: string
  /** Milliseconds since 1970. */
  readonly wallMs: () => number
}

/** A phone that has registered in the cloud mode. */
export interface CloudPhone {
  readonly deviceId: string
  readonly accountId: string
}

/** The phone that the bearer token belongs to; null: an unknown token, or a device of another protocol. */
export function phoneOf(
  reader: Pick<PrincipalReader, 'device'>,
  authorization: string | undefined,
): CloudPhone | null {
  const token = bearerOf(authorization)
  const identity = token === null ? undefined : reader.device(hashOf(token))
  return identity?.protocol === 'smsgate-cloud' ? identity : null
}

/**
 * Authenticates the calling phone and counts its call. An unknown token is refused as UNAUTHORIZED, because
 * only that status makes the app register again. Only an address that tries many tokens gets
 * RATE_LIMIT_EXCEEDED instead, and a gateway without any phone asks for patience.
 *
 * @throws Problem UNAUTHORIZED; RATE_LIMIT_EXCEEDED; SERVICE_UNAVAILABLE
 */
export function requirePhone(ports: PhonePorts, head: Head): CloudPhone {
  const phone = phoneOf(ports.reader, head.header('authorization'))
  if (phone === null) {
    const sentence = 'this phone is not registered here: pair it again with a new code of the gateway'
    const unknown = unknownCaller(head, sentence)
    throw isFromElsewhere(ports.reader, bearerOf(head.header('authorization'))) ? noDevices() : unknown
  }
  head.limitBody(PHONE_BYTES_MAX)
  countPhoneCall(ports, { deviceId: phone.deviceId, what: 'phone', perMinute: PHONE_CALLS_PER_MINUTE })
  return phone
}

type PhonePorts = Pick<CloudPorts, 'reader' | 'limiter'>

interface PhoneCount {
  readonly deviceId: string
  /** A name that separates these calls from others of the phone. */
  readonly what: string
  readonly perMinute: number
}

/** Counts a call of a phone. @throws Problem RATE_LIMIT_EXCEEDED */
export function countPhoneCall(
  { limiter }: Pick<CloudPorts, 'limiter'>,
  { deviceId, what, perMinute }: PhoneCount,
): void {
  const decision = limiter.take('address', `${what} ${deviceId}`, perMinute)
  if (!decision.allowed) throw limitReached(`more than ${perMinute} calls a minute of one phone`, decision)
}

/** Counts a call without a valid credential, and makes its refusal. @throws Problem RATE_LIMIT_EXCEEDED */
export function unknownCaller(head: Head, sentence: string): Problem {
  head.count(null)
  return new Problem('UNAUTHORIZED', sentence)
}

/** A refusal in the app's format; the app shows `message` to its user. */
export function refusal(problem: Problem, status: number): ShapedRefusal {
  return { status, contentType: JSON_TYPE, body: JSON.stringify({ message: refusalText(problem) }) }
}

/** The answer to a call that succeeded and has no result. */
export const DONE: Answer = { raw: '', contentType: JSON_TYPE, status: 204 }

/** The version of the calling app, such as `1.68.0`; null: the User-Agent header does not name it. */
export function appVersionOf(head: Head): string | null {
  const [, version = null] =
    /^me\.capcom\.smsgateway\/v?(\d[\w.-]{0,31})/.exec(head.header('user-agent') ?? '') ?? []
  return version
}
