import type { Writer } from '#contracts/commands.ts'
import type { PrincipalReader } from '#domain/account/principal.ts'
import { Problem } from '#domain/problem.ts'
import type { CloudSecrets } from '#transport/device/smsgate-cloud/cloud-secrets.ts'
import type { PollPresence } from '#transport/device/smsgate-cloud/poll-presence.ts'
import { bearerOf, hashOf } from '#transport/http/authenticate.ts'
import { JSON_TYPE } from '#transport/http/problem-response.ts'
import type { Answer, Call, ShapedRefusal } from '#transport/http/route.ts'
import { refusalText } from '#transport/http/shaped-answer.ts'

export interface CloudPorts {
  readonly writer: Writer
  readonly reader: Pick<PrincipalReader, 'device'>
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
export function phoneOf(reader: CloudPorts['reader'], authorization: string | undefined): CloudPhone | null {
  const token = bearerOf(authorization)
  const identity = token === null ? undefined : reader.device(hashOf(token))
  return identity?.protocol === 'smsgate-cloud' ? identity : null
}

/**
 * Authenticates the calling phone. An unknown token is refused as UNAUTHORIZED, because only that status
 * makes the app register again. Only an address that tries many tokens gets RATE_LIMIT_EXCEEDED instead.
 *
 * @throws Problem UNAUTHORIZED; RATE_LIMIT_EXCEEDED
 */
export function requirePhone({ reader }: Pick<CloudPorts, 'reader'>, call: Call): CloudPhone {
  const phone = phoneOf(reader, call.header('authorization'))
  if (phone !== null) return phone
  throw unknownCaller(call, 'this phone is not registered here: pair it again with a new code of the gateway')
}

/** Counts a call without a valid credential, and makes its refusal. @throws Problem RATE_LIMIT_EXCEEDED */
export function unknownCaller(call: Call, sentence: string): Problem {
  call.count(null)
  return new Problem('UNAUTHORIZED', sentence)
}

/** A refusal in the app's format; the app shows `message` to its user. */
export function refusal(problem: Problem, status: number): ShapedRefusal {
  return { status, contentType: JSON_TYPE, body: JSON.stringify({ message: refusalText(problem) }) }
}

/** The answer to a call that succeeded and has no result. */
export const DONE: Answer = { raw: '', contentType: JSON_TYPE, status: 204 }

/** The version of the calling app, such as `1.68.0`; null: the User-Agent header does not name it. */
export function appVersionOf(call: Call): string | null {
  const [, version = null] =
    /^me\.capcom\.smsgateway\/v?(\d[\w.-]{0,31})/.exec(call.header('user-agent') ?? '') ?? []
  return version
}
