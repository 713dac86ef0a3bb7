/**
 * Code that all dialects share: authenticates the caller, and sends a text to all numbers or to none.
 */

import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { CallNameChoice } from '#contracts/commands.ts'
import type { AcceptedMessageResource } from '#contracts/message.ts'
import type { KeyCache } from '#domain/account/key-cache.ts'
import type { Principal } from '#domain/account/principal.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { FAILURES } from '#domain/message/message.ts'
import { orUnchecked, readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import { Problem } from '#domain/problem.ts'
import { bearerOf, passwordOf, unauthorized } from '#transport/http/authenticate.ts'
import { STRANGER_VALUES_MAX, Validation } from '#transport/http/body.ts'
import { faultOfField, ignoredNames, refuseImpossible } from '#transport/http/field-names.ts'
import { readFields, readQuery } from '#transport/http/read-fields.ts'
import { checkFields, messageToAccept, SharedFields, SKIPS_VALIDATION } from '#transport/http/read-send.ts'
import type { Answer, Call, Handle, Head } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'
import { checkNotifications } from '#transport/http/routes/messages.ts'
import { sendTimeOf } from '#transport/http/send-time.ts'

const RECIPIENTS_MAX = ACCOUNT_BOUNDS.recipientsOfCall.most

export interface TextPorts
  extends Pick<
    RoutePorts,
    | 'writer'
    | 'messages'
    | 'numbers'
    | 'plan'
    | 'refusalOfTarget'
    | 'wallMs'
    | 'defaultCountry'
    | 'shortCodes'
  > {
  readonly keys: Pick<KeyCache, 'find' | 'findById'>
}

export interface Caller extends Pick<Head, 'ignore' | 'leaveOut'> {
  readonly principal: Principal
  /** The API key or key token of the request. */
  readonly key: string
}

/**
 * Authenticates the caller and counts the call. `dialectKey`: the key from the place where the clients of the
 * dialect send it. Without it, the key in `X-API-Key` or `Authorization` is used.
 *
 * @throws Problem UNAUTHORIZED, RATE_LIMIT_EXCEEDED
 */
export function callerOf({ keys }: TextPorts, head: Head, dialectKey?: string | null): Caller {
  const authorization = head.header('authorization')
  const candidates = [
    dialectKey,
    head.header('x-api-key'),
    bearerOf(authorization),
    passwordOf(authorization),
  ]
  const key = candidates.find(one => one != null && one !== '') ?? ''
  const principal = keys.find(key)
  head.count(principal ?? null)
  if (principal === undefined) throw unauthorized('key')
  return { principal, key, ...namesOf(head) }
}

/** Admits a caller by its key to a route with a body. */
export function admitCaller(
  ports: TextPorts,
  handle: (call: Call, caller: Caller) => Promise<Answer>,
  keyOf: (head: Head) => string | null | undefined = () => null,
): (head: Head) => Handle {
  return head => {
    const caller = callerOf(ports, head, keyOf(head))
    return call => handle(call, caller)
  }
}

/** What names something in the headers of the answer. */
export function namesOf(head: Head): Pick<Head, 'ignore' | 'leaveOut'> {
  return { ignore: names => head.ignore(names), leaveOut: numbers => head.leaveOut(numbers) }
}

/**
 * Refuses HEAD at a GET that sends: HEAD must change nothing.
 *
 * @throws Problem METHOD_NOT_ALLOWED
 */
export function refuseHead({ method }: Call): void {
  if (method === 'head') throw new Problem('METHOD_NOT_ALLOWED', 'HEAD sends no text: use GET')
}

/** A text and its recipients as a dialect read them from a request, before validation. */
export interface Texts {
  /** All fields of the request. */
  readonly fields: Readonly<Record<string, unknown>>
  /**
   * The dialect's names of fields, where they differ from Roost's; refusals use them. It has no `sendAt`
   * unless it is here.
   */
  readonly names?: Readonly<Record<string, string>>
  /** Further fields that the dialect reads. All others are named to the caller. */
  readonly reads?: readonly string[]
  /** The numbers, the text and the time to send at, unless they are simply the fields of these names. */
  readonly to?: readonly unknown[]
  readonly message?: unknown
  readonly sendAt?: unknown
  readonly ttl?: unknown
  readonly priority?: 'normal' | 'high'
  readonly simSlot?: unknown
  readonly deviceId?: unknown
  readonly deviceGroupId?: unknown
  readonly webhookUrl?: unknown
  /** Makes the URL of notifications in another form. Every plan has those. */
  readonly callback?: (url: string) => string
  /** Whether numbers that no rule knows are taken as they are. Undefined: the dialect has no such field. */
  readonly skipPhoneValidation?: boolean
  /** The name under which the messages can be found together later. */
  readonly call?: CallNameChoice
}

export interface SentTexts {
  readonly sent: readonly AcceptedMessageResource[]
  /** The numbers that were left out. */
  readonly optedOut: readonly string[]
}

/** What the answer of a shape says of a number that was left out. */
export const OPTED_OUT_WORDS = FAILURES.OPTED_OUT

/**
 * Accepts one message for each number, or none of them. Numbers that want no more texts are left out.
 *
 * @throws Problem as `POST /sms/send`; CONFLICT: an earlier call has the same name
 */
export async function sendTexts(
  ports: TextPorts,
  { principal, key, ignore, leaveOut }: Caller,
  texts: Texts,
): Promise<SentTexts> {
  const { fields, names = {}, reads = [], call, callback, ...rest } = texts
  const { to: toName = 'to', message: messageName = 'message', sendAt: timeName } = names
  const { to = listOf(fields[toName]), message = fields[messageName] } = texts
  const { sendAt: time = timeName === undefined ? null : fields[timeName] } = texts
  const validation = new Validation(new Map(Object.entries(names)))
  const known = new Set([toName, messageName, ...Object.values(names), ...reads])
  ignore(ignoredNames(fields, (name, value) => known.has(name) || faultOfField(name, value) !== null))
  refuseImpossible(validation, fields)
  // Some clients put their credential into a test message; it must not leave the gateway.
  const text = typeof message === 'string' ? message.replaceAll(key, '') : message
  const sendAt = sendTimeOf(time, ports.wallMs())
  const parsed = validation.parse(SharedFields, { ...rest, message: text, sendAt })
  checkFields(ports, validation, { principal, fields: parsed })
  const isTaken = texts.skipPhoneValidation
  const numbers = readNumbers(ports, validation, { to, name: toName, isTaken })
  const request = validation.complete(parsed)
  if (request.webhookUrl !== null && callback === undefined) checkNotifications(ports, principal)
  const webhookUrl =
    request.webhookUrl === null ? null : (callback?.(request.webhookUrl) ?? request.webhookUrl)
  const messages = numbers.map(number => messageToAccept(principal, number, { ...request, webhookUrl }))
  const { accepted, optedOut } = await ports.writer.ask('message.accept-all', {
    messages,
    ...(call !== undefined && { name: call }),
  })
  leaveOut(optedOut)
  return { sent: accepted.map(({ answer }) => JSON.parse(answer) as AcceptedMessageResource), optedOut }
}

/** Parses the numbers, and removes repeated ones. */
function readNumbers(
  ports: TextPorts,
  validation: Validation,
  { to, name, isTaken }: { to: readonly unknown[]; name: string; isTaken: boolean | undefined },
) {
  const unchecked = { hasShortCodes: ports.shortCodes(), way: SKIPS_VALIDATION }
  if (to.length === 0) validation.add(name, 'is required: the number to text')
  if (to.length > RECIPIENTS_MAX) validation.add(name, `must be at most ${RECIPIENTS_MAX} numbers`)
  const found = to.slice(0, RECIPIENTS_MAX).flatMap((given, index) => {
    const written = scalarOf(given as string)
    const read = readWrittenNumber(written, ports.defaultCountry(), ports.numbers)
    const number = isTaken === undefined ? read : orUnchecked(read, written, { ...unchecked, isTaken })
    if (typeof number !== 'string') return [number]
    validation.add(to.length === 1 ? name : `${name}.${index}`, number)
    return []
  })
  return [...new Map(found.map(number => [number.e164, number])).values()]
}

/** The fields of a form or JSON body, whose caller is known. */
export function fieldsOf({ bytes, header }: Call): Record<string, unknown> {
  return readFields(bytes, header('content-type')) as Record<string, unknown>
}

/** The fields of a body that has its caller's credential. */
export function readStrangerFields({ bytes, header }: Call): Record<string, unknown> {
  const options = { valuesMax: STRANGER_VALUES_MAX }
  return readFields(bytes, header('content-type'), options) as Record<string, unknown>
}

/** The fields of the query and of a form or JSON body. Where both have a field, the body's counts. */
export function queryAndForm(call: Call): Record<string, string> {
  const form = call.bytes.length === 0 ? {} : readStrangerFields(call)
  const fields = Object.entries(form).map(([name, value]) => [name, scalarOf(value as string)] as const)
  return Object.fromEntries([...readQuery(call.rawQuery), ...fields])
}

/**
 * Splits a field with several numbers at commas and semicolons, and at spaces if the parts are too long for
 * one number.
 */
function splitNumbers(field: string): readonly string[] {
  return field.split(/[,;]/).flatMap(part => {
    const words = part.trim().split(/\s+/)
    if (part.trim() === '') return []
    const areNumbers = words.every(word => word.replace(/\D/g, '').length >= NUMBER_DIGITS_MIN)
    return areNumbers && words.join('').length > NUMBER_LENGTH_MAX ? words : [part]
  })
}

/** Fewer digits are only a part of a number, so the space next to them does not separate two numbers. */
const NUMBER_DIGITS_MIN = 7
/** 00 and the longest number of E.164. A shorter text may be one number that is written with spaces. */
const NUMBER_LENGTH_MAX = 17

/** Reads a field that holds a list of numbers or a single text with numbers. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value == null || value === '' ? [] : splitNumbers(scalarOf(value as string))
}

/**
 * Converts a whole number of a query or form. Any other value is returned unchanged, for the schema to
 * refuse.
 */
export function integerOf(value: unknown): unknown {
  if (value == null || value === '') return undefined
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
}
