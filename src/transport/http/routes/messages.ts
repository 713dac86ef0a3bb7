import * as v from 'valibot'
import { PHONE_NUMBER_LENGTH_MAX } from '#contracts/bounds.ts'
import type { Writer } from '#contracts/commands.ts'
import {
  AcceptedMessageResource,
  MessageResource,
  SEND_FIELD_ALIASES,
  SendRequest,
} from '#contracts/message.ts'
import type { Plan } from '#domain/account/plan.ts'
import type { Principal } from '#domain/account/principal.ts'
import { describeMessage } from '#domain/message/describe-message.ts'
import type { MessageReader } from '#domain/message/message-reader.ts'
import type { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'
import { readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { Validation } from '#transport/http/body.ts'
import { listMessages, MessageListQuery } from '#transport/http/list-messages.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import {
  messageToAccept,
  parseNumber,
  readIdempotencyKey,
  withoutCredential,
} from '#transport/http/read-send.ts'
import { type Renamed, renameAliases } from '#transport/http/rename-aliases.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'

export interface MessagePorts {
  readonly writer: Writer
  readonly messages: MessageReader
  readonly numbers: PhoneNumberCache
  readonly plan: (name: string) => Plan
  /** `messages.default_country`, for numbers without a country code: two letters or empty. */
  readonly defaultCountry: () => string
  /** Says why a URL is refused as a target of notifications; null: it is allowed. */
  readonly refusalOfTarget: (url: string) => string | null
}

/** Routes to send, read and cancel messages. */
export function messageRoutes(ports: MessagePorts): Route[] {
  return [
    sendRoute(ports),
    {
      method: 'get',
      path: '/api/v1/sms',
      access: 'key',
      body: 'none',
      operation: {
        id: 'listMessages',
        tag: 'messages',
        summary: 'List messages, newest first',
        query: MessageListQuery,
        response: v.array(MessageResource),
        problems: [400, 401, 429, 503],
        example: EXAMPLES.messages,
      },
      handle: call => listMessages(ports, call),
    },
    {
      method: 'get',
      path: '/api/v1/sms/{messageId}',
      access: 'key',
      body: 'none',
      operation: {
        id: 'getMessage',
        tag: 'messages',
        summary: 'Delivery status of a message',
        response: MessageResource,
        problems: [401, 404, 429, 503],
        example: EXAMPLES.message,
      },
      handle: ({ principal, parameters }) => {
        const message = findFor(principal, ports.messages, parameters[0] ?? '')
        if (message === undefined) throw notFound('message')
        return { data: describeMessage(message, ports.messages.isPretend) }
      },
    },
    {
      method: 'delete',
      path: '/api/v1/sms/{messageId}',
      access: 'key',
      body: 'none',
      operation: {
        id: 'cancelMessage',
        tag: 'messages',
        summary: 'Cancel a message that no phone has begun to send',
        response: MessageResource,
        problems: [401, 404, 409, 429, 503],
        example: EXAMPLES.cancelled,
      },
      handle: async ({ principal, parameters }) => {
        const { accountId, test } = principal
        const messageId = parameters[0] ?? ''
        return { data: await ports.writer.ask('message.cancel', { accountId, test, messageId }) }
      },
    },
  ]
}

/** A key finds messages of its own mode, live or sandbox. A person finds both, as in lists. */
function findFor({ accountId, by, test }: Principal, messages: MessageReader, id: string) {
  const found = messages.find(accountId, test, id)
  return found !== undefined || by === 'key' ? found : messages.find(accountId, !test, id)
}

function sendRoute(ports: MessagePorts): Route {
  return {
    method: 'post',
    path: '/api/v1/sms/send',
    access: 'key',
    body: 'fields',
    operation: {
      id: 'sendSms',
      tag: 'messages',
      summary: 'Send an SMS',
      request: SendRequest,
      response: AcceptedMessageResource,
      problems: [400, 401, 403, 404, 413, 422, 429, 503],
      example: EXAMPLES.send,
    },
    handle: call => send(ports, call),
  }
}

const REPLAYED = { 'Idempotent-Replayed': 'true' }
const NOT_REPLAYED = {}

/** Not an async function, because its promises would cost time in each send. */
function send(ports: MessagePorts, call: AuthorizedCall) {
  const renamed = renameAliases(call.json, SEND_FIELD_ALIASES)
  const { writtenAs } = renamed
  const fields = withoutCredential(call, withParsedNumber(ports, renamed))
  const validation = new Validation(writtenAs)
  const body = validation.parse(SendRequest, fields)
  const fault = body?.webhookUrl == null ? null : ports.refusalOfTarget(body.webhookUrl)
  if (fault !== null) validation.add('webhookUrl', fault)
  const number = parseNumber(ports.numbers, validation, fields)
  const idempotency = readIdempotencyKey(validation, call, 'sms/send')
  const request = validation.complete(body)
  const recipient = validation.complete(number)
  if (request.webhookUrl !== null) checkNotifications(ports, call.principal)
  const message = messageToAccept(call.principal, recipient, request)
  const accepted = ports.writer.ask('message.accept', { ...message, idempotency })
  return accepted.then(({ answer, replayed }) => ({
    dataJson: answer,
    headers: replayed ? REPLAYED : NOT_REPLAYED,
  }))
}

/**
 * Parses a number in a field that clients of other gateways use. They may write it with 00 or without a
 * country code. A number that cannot be parsed stays unchanged, and the schema refuses it.
 */
function withParsedNumber({ numbers, defaultCountry }: MessagePorts, { fields, writtenAs }: Renamed): object {
  const { phoneNumber: given } = fields as { readonly phoneNumber?: unknown }
  if (!writtenAs.has('phoneNumber') || typeof given !== 'string') return fields
  if (given.startsWith('+') || given.length > PHONE_NUMBER_LENGTH_MAX) return fields
  const number = readWrittenNumber(numbers, given, defaultCountry())
  return number === null ? fields : { ...fields, phoneNumber: number.e164 }
}

/** @throws Problem FORBIDDEN for a plan without notifications */
export function checkNotifications(ports: Pick<MessagePorts, 'plan'>, principal: Principal): void {
  const plan = ports.plan(principal.plan)
  if (!plan.notifications)
    throw new Problem('FORBIDDEN', `the plan ${plan.name} has no notifications: leave out webhookUrl`)
}
