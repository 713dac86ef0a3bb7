import * as v from 'valibot'
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
import { LooseNames, type Renamed } from '#transport/http/field-names.ts'
import { listMessages, MessageListQuery } from '#transport/http/list-messages.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import {
  messageToAccept,
  parseNumber,
  readIdempotencyKey,
  SharedFields,
  withoutCredential,
} from '#transport/http/read-send.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { SearchTurns } from '#transport/http/search-turns.ts'

export interface MessagePorts {
  readonly writer: Writer
  readonly messages: MessageReader
  readonly numbers: PhoneNumberCache
  readonly plan: (name: string) => Plan
  readonly searches: SearchTurns
  /** `messages.default_country`, for numbers without a country code: two letters or empty. */
  readonly defaultCountry: () => string
  /** Says why a URL is refused as a target of notifications; null: it is allowed. */
  readonly refusalOfTarget: (url: string, isSandbox: boolean) => string | null
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
    isField: name => NAMES.has(name),
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

/** `media` is no field of the schema, but a request for something that Roost cannot do. */
const NAMES = new LooseNames(SendRequest, {
  ...SEND_FIELD_ALIASES,
  media: ['mediaUrl', 'mediaUrls', 'attachments'],
})

const REPLAYED = { 'Idempotent-Replayed': 'true' }
const NOT_REPLAYED = {}

/** Not an async function, because its promises would cost time in each send. */
function send(ports: MessagePorts, call: AuthorizedCall) {
  const renamed = NAMES.rename(call.json)
  const fields = withoutCredential(call, renamed.fields)
  const validation = new Validation(renamed.writtenAs)
  refuseMedia(validation, renamed.fields)
  const written = writtenNumberOf(renamed)
  const body = validation.parse(written === null ? SendRequest : SharedFields, fields)
  const fault = body?.webhookUrl == null ? null : ports.refusalOfTarget(body.webhookUrl, call.principal.test)
  if (fault !== null) validation.add('webhookUrl', fault)
  const number =
    written === null ? parseNumber(ports.numbers, validation, fields) : readNumber(ports, validation, written)
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

/** Without its picture, a text may make no sense. An empty field asks for no picture. */
function refuseMedia(validation: Validation, fields: object): void {
  const { media } = fields as { readonly media?: unknown }
  if (media == null || media === '' || (Array.isArray(media) && media.length === 0)) return
  validation.add('media', 'is not possible: Roost sends texts only, so leave it out')
}

/**
 * The number from a field that clients of other gateways use, which write it in more ways than `phoneNumber`
 * allows. Null: there is no such field, or it is left to the schema because it is no text.
 */
function writtenNumberOf({ fields, writtenAs }: Renamed): string | null {
  const { phoneNumber: given } = fields as { readonly phoneNumber?: unknown }
  return writtenAs.has('phoneNumber') && typeof given === 'string' ? given : null
}

function readNumber({ numbers, defaultCountry }: MessagePorts, validation: Validation, written: string) {
  const number = readWrittenNumber(written, defaultCountry(), numbers)
  if (typeof number !== 'string') return number
  validation.add('phoneNumber', number)
  return undefined
}

/** @throws Problem FORBIDDEN for a plan without notifications */
export function checkNotifications(ports: Pick<MessagePorts, 'plan'>, principal: Principal): void {
  const plan = ports.plan(principal.plan)
  if (!plan.notifications)
    throw new Problem('FORBIDDEN', `the plan ${plan.name} has no notifications: leave out webhookUrl`)
}
