import { SEND_FIELD_ALIASES } from '#contracts/message.ts'
import {
  IssueCodeRequest,
  IssuedCodeResource,
  VerifiedCodeResource,
  VerifyCodeRequest,
} from '#contracts/two-factor.ts'
import { regionOf } from '#domain/phone-number/parse-phone-number.ts'
import { Validation } from '#transport/http/body.ts'
import { knownRoutes } from '#transport/http/known-routes.ts'
import { MESSAGE_ID, PHONE_NUMBER, TIME } from '#transport/http/openapi/example-values.ts'
import { parseNumber, readIdempotencyKey } from '#transport/http/read-send.ts'
import { checkTarget, targetOf } from '#transport/http/read-target.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type TwoFactorPorts = Pick<RoutePorts, 'writer' | 'numbers'>

/** Routes to send one-time codes and to check the codes that people type. */
export function twoFactorRoutes(ports: TwoFactorPorts): Route[] {
  return knownRoutes({ tag: 'codes', access: 'key', role: 'operator' }, [
    {
      method: 'post',
      path: '/api/v1/sms/2fa',
      body: 'fields',
      operation: {
        id: 'sendCode',
        summary: 'Send a one-time code',
        description:
          'Accepts JSON under any Content-Type, or a form. A code is sent before all other messages and ' +
          'has its own daily limit. A new code makes the previous code for the same number invalid. Only ' +
          'the text message holds the code; no answer shows it. 503: no phone is connected.',
        request: IssueCodeRequest,
        response: IssuedCodeResource,
        problems: [404, 422],
        example: {
          request: { phoneNumber: PHONE_NUMBER, template: 'Your code is {code}', expiresIn: 300 },
          data: {
            messageId: MESSAGE_ID,
            status: 'queued',
            phoneNumber: PHONE_NUMBER,
            createdAt: TIME,
            expiresAt: '2026-01-31T12:05:00.000Z',
          },
        },
      },
      handle: call => issue(ports, call),
    },
    {
      method: 'post',
      path: '/api/v1/sms/2fa/verify',
      body: 'fields',
      operation: {
        id: 'verifyCode',
        summary: 'Check a one-time code',
        description:
          'Accepts JSON under any Content-Type, or a form. Send either `phoneNumber` or `messageId`, not ' +
          'both. A wrong code is not an error: the answer is 200 with `verified: false` and the reason. A ' +
          'code allows five attempts; a number allows twenty failed attempts a day.',
        request: VerifyCodeRequest,
        response: VerifiedCodeResource,
        example: {
          request: { phoneNumber: PHONE_NUMBER, code: '407182' },
          data: { verified: true, reason: null },
        },
      },
      handle: async call => ({ data: await verify(ports, call) }),
    },
  ])
}

async function issue({ writer, numbers }: TwoFactorPorts, call: AuthorizedCall) {
  const validation = new Validation()
  const body = validation.parse(IssueCodeRequest, call.json)
  for (const name of ['sendAt', ...SEND_FIELD_ALIASES.sendAt])
    if ((call.json as Readonly<Record<string, unknown>>)[name] != null)
      validation.add(name, 'leave it out: a one-time code is sent at once')
  checkTarget(validation, body)
  const number = parseNumber(numbers, validation, call.json)
  const idempotency = readIdempotencyKey(validation, call, 'sms/2fa')
  const request = validation.complete(body)
  const recipient = validation.complete(number)
  const { accountId, test } = call.principal
  const issued = await writer.ask(
    'two-factor.issue',
    {
      accountId,
      test,
      phoneNumber: recipient.e164,
      country: regionOf(recipient),
      code: request.code,
      template: request.template,
      validityMs: request.expiresIn * 1000,
      deviceId: targetOf(request),
      idempotency,
    },
    call.by,
  )
  return { data: issued.answer, headers: issued.replayed ? { 'Idempotent-Replayed': 'true' } : {} }
}

/** Asks the writer twice: the first command counts and commits the try, and the second compares the code. */
async function verify(ports: TwoFactorPorts, call: AuthorizedCall): Promise<VerifiedCodeResource> {
  const { writer } = ports
  const { code, by } = readGuess(ports, call)
  const { accountId, test } = call.principal
  const counted = await writer.ask('two-factor.count-try', { accountId, test, by })
  if (counted.reason !== null) return { verified: false, reason: counted.reason }
  const { messageId, tryNumber } = counted
  return writer.ask('two-factor.compare-try', { accountId, test, messageId, tryNumber, code })
}

/** @throws Problem INVALID_REQUEST, also if both or neither of `phoneNumber` and `messageId` are given */
function readGuess({ numbers }: TwoFactorPorts, { json }: AuthorizedCall) {
  const validation = new Validation()
  const body = validation.parse(VerifyCodeRequest, json)
  const number = parseNumber(numbers, validation, json)
  const given = json as { readonly phoneNumber?: unknown; readonly messageId?: unknown }
  // Computed from the raw body, so that this fault is reported even if the schema finds others.
  const isNeither = given.phoneNumber == null && given.messageId == null
  const isBoth = body !== undefined && body.phoneNumber !== null && body.messageId !== null
  if (isNeither) validation.add('phoneNumber', 'is required, unless messageId is given')
  if (isBoth) validation.add('phoneNumber', 'give either phoneNumber or messageId, not both')
  const { code, messageId } = validation.complete(body)
  const by = messageId === null ? { phoneNumber: validation.complete(number).e164 } : { messageId }
  return { code, by }
}
