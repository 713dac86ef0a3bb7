/** Reads the parts of a request that are the same in all routes that send texts. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { IDEMPOTENCY_KEY_LENGTH_MAX, PHONE_NUMBER_LENGTH_MAX } from '#contracts/bounds.ts'
import type { AcceptMessage } from '#contracts/commands.ts'
import { NewMessage, SendRequest } from '#contracts/message.ts'
import type { Principal } from '#domain/account/principal.ts'
import { cleanMessage } from '#domain/alert/text/clean-message.ts'
import { NOTHING_SAID } from '#domain/message/message-fields.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import { type PhoneNumber, refuseNumber, regionOf } from '#domain/phone-number/parse-phone-number.ts'
import type { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'
import { orUnchecked, readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import { faultOfSendAt } from '#domain/sending/schedule-message.ts'
import { bearerOf, passwordOf } from '#transport/http/authenticate.ts'
import type { Validation } from '#transport/http/body.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import { targetOf } from '#transport/http/read-target.ts'
import type { AuthorizedCall, Call } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

/** The fields of a send without the number, which has a rule of its own. */
export const SharedFields = v.omit(SendRequest, ['phoneNumber'])

/**
 * Parses the field `phoneNumber` of a body. A number that cannot exist is added as a fault; the schema
 * reports faults of any other kind.
 */
export function parseNumber(numbers: PhoneNumberCache, validation: Validation, json: unknown) {
  const { phoneNumber: given } = json as { readonly phoneNumber?: unknown }
  if (typeof given !== 'string' || given.length > PHONE_NUMBER_LENGTH_MAX) return undefined
  const number = numbers.parse(given)
  if (number === null) validation.add('phoneNumber', refuseNumber(given))
  return number ?? undefined
}

/** How a call may ask for numbers that no rule knows. */
export const SKIPS_VALIDATION = 'skipPhoneValidation: true'

/** Whether the query asks for numbers that no rule knows. */
export function skipsValidation({ rawQuery }: Call): boolean {
  return rawQuery !== '' && readQuery(rawQuery).get('skipPhoneValidation') === 'true'
}

type NumberPorts = Pick<RoutePorts, 'numbers' | 'defaultCountry' | 'shortCodes'>

interface GivenNumber {
  readonly json: unknown
  /** Whether it may be written as clients of other gateways write it. */
  readonly isLoose: boolean
  /** Whether a number that no rule knows is taken as it is. */
  readonly isTaken: boolean
}

/** As `parseNumber`, for a call that may ask for numbers that no rule knows. */
export function readNumber(ports: NumberPorts, validation: Validation, given: GivenNumber) {
  const { json, isLoose, isTaken } = given
  const { phoneNumber: text } = json as { readonly phoneNumber?: unknown }
  // A number under the schema's own name that is too long is left to the schema.
  if (typeof text !== 'string' || (!isLoose && text.length > PHONE_NUMBER_LENGTH_MAX)) return undefined
  const { numbers, defaultCountry, shortCodes } = ports
  const isWritten = isLoose || isTaken
  const read = isWritten
    ? readWrittenNumber(text, defaultCountry(), numbers)
    : (numbers.parse(text) ?? refuseNumber(text))
  const number = orUnchecked(read, text, { isTaken, hasShortCodes: shortCodes(), way: SKIPS_VALIDATION })
  if (typeof number !== 'string') return number
  validation.add('phoneNumber', number)
  return undefined
}

/**
 * The idempotency key, with its scope (account and mode) and a hash of endpoint and body, for later
 * comparison.
 */
export function readIdempotencyKey(
  validation: Validation,
  call: AuthorizedCall,
  endpoint: string,
): AcceptMessage['idempotency'] {
  const key = call.header('idempotency-key')
  if (key === undefined) return null
  if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX || !/^[\x21-\x7e]+$/.test(key)) {
    validation.add('Idempotency-Key', `must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters`)
    return null
  }
  const { accountId, test } = call.principal
  const bodyHash = createHash('sha256').update(`${endpoint}\n`).update(call.bytes).digest('base64')
  return { scope: `${accountId}${test ? ' test' : ''}`, key, bodyHash }
}

type TextPorts = Pick<RoutePorts, 'refusalOfTarget' | 'wallMs'>

interface GivenText {
  readonly principal: Principal
  readonly fields: v.InferOutput<typeof SharedFields> | undefined
}

/** Adds what the schema cannot say of a text: its time to send at, and its URL of notifications. */
export function checkFields(
  ports: TextPorts,
  validation: Validation,
  { principal, fields }: GivenText,
): void {
  const { webhookUrl = null, sendAt = null } = fields ?? {}
  const ofUrl = webhookUrl === null ? null : ports.refusalOfTarget(webhookUrl, principal.test)
  if (ofUrl !== null) validation.add('webhookUrl', ofUrl)
  const ofTime = sendAt === null ? null : faultOfSendAt(sendAt, ports.wallMs())
  if (ofTime !== null) validation.add('sendAt', ofTime)
}

/** Removes the credential of the call from the text, because some clients put it into a test message. */
export function withoutCredential(call: Call, fields: object): object {
  const { message } = fields as { readonly message?: unknown }
  const authorization = call.header('authorization')
  const secret = call.header('x-api-key') ?? bearerOf(authorization) ?? passwordOf(authorization)
  if (typeof message !== 'string' || !secret || !message.includes(secret)) return fields
  return { ...fields, message: message.replaceAll(secret, '') }
}

/** What a request says in the same words as the message that it makes. */
const SAME_NAMES = (Object.keys(SharedFields.entries) as (keyof typeof SharedFields.entries)[]).filter(
  name => name in NewMessage.entries && name !== 'deviceId',
)

/**
 * Makes the command for one message of a request, without an idempotency key. The message waits for a phone
 * only if the request says so.
 */
export function messageToAccept(
  principal: Principal,
  number: PhoneNumber,
  request: v.InferOutput<typeof SharedFields>,
): AcceptMessage {
  const { accountId, test, cleanText = false } = principal
  // A key with `cleanText` sends no emoji and no markup.
  const text = cleanText ? cleanMessage(request.message) : request.message
  const { segments, encoding } = segmentsOf(text)
  // One spread, and only at the start: V8 copies an object fast only there.
  const message = {
    ...NOTHING_SAID,
    accountId,
    test,
    phoneNumber: number.e164,
    country: regionOf(number),
    text,
    segments,
    encoding,
    deviceId: targetOf(request),
    ttlMs: request.ttl === null ? null : request.ttl * 1000,
    notificationUrl: request.webhookUrl,
    idempotency: null,
  }
  for (const name of SAME_NAMES) (message as Record<string, unknown>)[name] = request[name]
  return message
}
