import * as v from 'valibot'
import {
  AcceptedMessageResource,
  MessageResource,
  SEND_FIELD_ALIASES,
  SendRequest,
} from '#contracts/message.ts'
import type { Principal } from '#domain/account/principal.ts'
import { describeMessage } from '#domain/message/describe-message.ts'
import type { Message } from '#domain/message/message.ts'
import { plainText } from '#domain/message/message-fields.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { Validation } from '#transport/http/body.ts'
import { faultOfField, LooseNames, type Renamed, refuseImpossible } from '#transport/http/field-names.ts'
import { findFor, forecastRoute, OF_MESSAGE } from '#transport/http/forecast-message.ts'
import { type KnownRoute, knownRoutes } from '#transport/http/known-routes.ts'
import {
  listMessages,
  MessageListQuery,
  MessageTableQuery,
  tableOfMessages,
} from '#transport/http/list-messages.ts'
import { DEVICE_ID, MESSAGE_ID, PHONE_NUMBER, TIME } from '#transport/http/openapi/example-values.ts'
import {
  checkFields,
  messageToAccept,
  readIdempotencyKey,
  readNumber,
  SharedFields,
  skipsValidation,
  withoutCredential,
} from '#transport/http/read-send.ts'
import { checkTarget } from '#transport/http/read-target.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type MessagePorts = Pick<
  RoutePorts,
  | 'writer'
  | 'messages'
  | 'numbers'
  | 'plan'
  | 'searches'
  | 'defaultCountry'
  | 'shortCodes'
  | 'refusalOfTarget'
  | 'wallMs'
>

const CREATED_AT = Date.parse(TIME)
const SENT_AT = CREATED_AT + 1480
const DELIVERED_AT = CREATED_AT + 4020
const STORED: Message = {
  ...plainText({ accountId: '', phoneNumber: PHONE_NUMBER, country: null, text: 'The backup has finished.' }),
  id: MESSAGE_ID,
  status: 'delivered',
  deviceId: DEVICE_ID,
  pinned: false,
  deviceGroupId: null,
  createdAt: CREATED_AT,
  sentAt: SENT_AT,
  deliveredAt: DELIVERED_AT,
  expiresAt: CREATED_AT + 14_400_000,
  attempt: 1,
  notBefore: 0,
  failure: null,
  timeline: [
    { status: 'queued', at: CREATED_AT },
    { status: 'sending', at: CREATED_AT + 120 },
    { status: 'sent', at: SENT_AT },
    { status: 'delivered', at: DELIVERED_AT },
  ],
}
const MESSAGE = describeMessage(STORED, () => false)

/** Routes to send, read and cancel messages. */
export function messageRoutes(ports: MessagePorts): Route[] {
  return knownRoutes({ tag: 'messages', access: 'key', role: 'viewer' }, [
    sendRoute(ports),
    {
      method: 'get',
      path: '/api/v1/sms',
      operation: {
        id: 'listMessages',
        summary: 'List messages, newest first',
        description:
          'A page holds at most `limit` messages. It can hold fewer although more messages follow, so ask ' +
          'for the next page until `nextCursor` is null. A sandbox key sees only sandbox messages.',
        query: MessageListQuery,
        response: v.array(MessageResource),
        example: { data: [MESSAGE] },
      },
      handle: call => listMessages(ports, call),
    },
    {
      method: 'get',
      path: '/api/v1/sms.csv',
      operation: {
        id: 'exportMessages',
        summary: 'All messages of a list as CSV',
        description:
          'The whole list with the same filters, newest first, as RFC 4180 in UTF-8. A text that a ' +
          'spreadsheet would take for a formula begins with an apostrophe.',
        query: MessageTableQuery,
        response: v.string(),
        bare: 'text/csv',
        example: { data: `messageId,createdAt,status\r\n${MESSAGE_ID},${TIME},delivered\r\n` },
      },
      handle: call => tableOfMessages(ports, call),
    },
    getRoute(ports),
    forecastRoute(ports),
    cancelRoute(ports),
  ])
}

function getRoute(ports: MessagePorts): KnownRoute {
  return {
    method: 'get',
    path: '/api/v1/sms/{messageId}',
    operation: {
      id: 'getMessage',
      summary: 'Delivery status of a message',
      description:
        'The message with every status that it has had. 404: the account has no message with this id, or ' +
        'the message was older than `messages.records_days` and was deleted.',
      parameters: OF_MESSAGE,
      response: MessageResource,
      example: { data: MESSAGE },
    },
    handle: ({ principal, parameters }) => {
      const message = findFor(principal, ports.messages, parameters[0] ?? '')
      if (message === undefined) throw notFound('message')
      return { data: describeMessage(message, ports.messages.isPretend) }
    },
  }
}

function cancelRoute({ writer }: MessagePorts): KnownRoute {
  return {
    method: 'delete',
    path: '/api/v1/sms/{messageId}',
    role: 'operator',
    operation: {
      id: 'cancelMessage',
      summary: 'Cancel a message that no phone has begun to send',
      description:
        'The message ends as `failed` with the code CANCELLED. 409: too late, a phone has already been ' +
        'told to send the message, or the message has ended.',
      parameters: OF_MESSAGE,
      response: MessageResource,
      problems: [409],
      example: {
        data: {
          ...MESSAGE,
          status: 'failed',
          deviceId: null,
          sentAt: null,
          deliveredAt: null,
          failure: { code: 'CANCELLED', message: 'cancelled before any phone was told to send it' },
          timeline: [
            { status: 'queued', at: TIME },
            { status: 'failed', at: '2026-01-31T12:00:30.000Z' },
          ],
        },
      },
    },
    handle: async ({ by, principal, parameters }) => {
      const { accountId, test } = principal
      const messageId = parameters[0] ?? ''
      return { data: await writer.ask('message.cancel', { accountId, test, messageId }, by) }
    },
  }
}

function sendRoute(ports: MessagePorts): KnownRoute {
  return {
    method: 'post',
    path: '/api/v1/sms/send',
    role: 'operator',
    body: 'fields',
    isField: (name, value) => NAMES.has(name) || faultOfField(name, value) !== null,
    operation: {
      id: 'sendSms',
      summary: 'Send an SMS',
      description:
        'Accepts JSON under any Content-Type, or a form. `phoneNumber` may also be named `to`, `number` or ' +
        '`recipient`; `message` may also be named `body`, `text` or `content`; capitals in names do not ' +
        'matter. Fields for pictures (`mediaUrl`, `attachments`) are refused. A number under another name ' +
        'than `phoneNumber` may also begin with 00, lack the +, or be a national number of ' +
        '`messages.default_country`; one that can be both national and international is refused. `sendAt` ' +
        '(also `scheduledAt`, `scheduleAt` or `send_at`) is a time up to 90 days ahead: the message waits ' +
        'for it, even while no phone is connected, and counts towards the day on which it was accepted. ' +
        'The answer is sent after the message is on disk. 503 NO_DEVICE_AVAILABLE: no phone is connected ' +
        'and `queueIfOffline` is not true. 404: the account has no phone with this `deviceId`, or no group ' +
        'of phones with this `deviceGroupId`. 403: the plan has no notifications, so `webhookUrl` is not ' +
        'allowed; or `details.reason` says why, such as OPTED_OUT: the number wants no more texts. 429: ' +
        'too many calls in this minute or messages on this day.',
      request: SendRequest,
      response: AcceptedMessageResource,
      problems: [403, 404, 422],
      example: {
        request: { phoneNumber: PHONE_NUMBER, message: 'The backup has finished.' },
        data: {
          messageId: MESSAGE_ID,
          status: 'queued',
          phoneNumber: PHONE_NUMBER,
          createdAt: TIME,
          segments: 1,
          encoding: 'GSM-7',
        },
      },
    },
    handle: call => send(ports, call),
  }
}

const NAMES = new LooseNames(SendRequest, SEND_FIELD_ALIASES)

const REPLAYED = { 'Idempotent-Replayed': 'true' }
const NOT_REPLAYED = {}

/** Not an async function, because its promises would cost time in each send. */
function send(ports: MessagePorts, call: AuthorizedCall) {
  const renamed = NAMES.rename(call.json)
  const fields = withoutCredential(call, renamed.fields)
  const validation = new Validation(renamed.writtenAs)
  // The usual body has the schema's own names only.
  if (renamed.fields !== call.json) refuseImpossible(validation, Object(call.json))
  const written = writtenNumberOf(renamed)
  const body = validation.parse(written === null ? SendRequest : SharedFields, fields)
  checkTarget(validation, body)
  checkFields(ports, validation, { principal: call.principal, fields: body })
  if (body?.despiteOptOut === true && call.principal.by !== 'session')
    validation.add('despiteOptOut', 'must be left out: only a person at the console can say so')
  const isTaken = body?.skipPhoneValidation === true || skipsValidation(call)
  const number = readNumber(ports, validation, { json: fields, isLoose: written !== null, isTaken })
  const idempotency = readIdempotencyKey(validation, call, 'sms/send')
  const request = validation.complete(body)
  const recipient = validation.complete(number)
  if (request.webhookUrl !== null) checkNotifications(ports, call.principal)
  const message = messageToAccept(call.principal, recipient, request)
  const accepted = ports.writer.ask('message.accept', { ...message, idempotency }, call.by)
  return accepted.then(({ answer, replayed }) => ({
    dataJson: answer,
    headers: replayed ? REPLAYED : NOT_REPLAYED,
  }))
}

/**
 * The number from a field that clients of other gateways use, which write it in more ways than `phoneNumber`
 * allows. Null: there is no such field, or it is left to the schema because it is no text.
 */
function writtenNumberOf({ fields, writtenAs }: Renamed): string | null {
  const { phoneNumber: given } = fields as { readonly phoneNumber?: unknown }
  return writtenAs.has('phoneNumber') && typeof given === 'string' ? given : null
}

/** @throws Problem FORBIDDEN for a plan without notifications */
export function checkNotifications(ports: Pick<MessagePorts, 'plan'>, principal: Principal): void {
  const plan = ports.plan(principal.plan)
  if (!plan.notifications)
    throw new Problem('FORBIDDEN', `the plan ${plan.name} has no notifications: leave out webhookUrl`)
}
