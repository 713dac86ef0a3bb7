/**
 * Generates the OpenAPI 3.1 document from the routes and the validation schemas. The result depends only on
 * the routes, so it is the same on all threads and at any time.
 */
import type * as v from 'valibot'
import {
  DeviceOfflineEvent,
  DeviceOnlineEvent,
  SmsDeliveredEvent,
  SmsFailedEvent,
  SmsReceivedEvent,
  SmsSentEvent,
  SystemAlarmEvent,
  SystemRecoveredEvent,
} from '#contracts/notification-event.ts'
import { Components } from '#transport/http/openapi/components.ts'
import type { JsonSchema } from '#transport/http/openapi/convert-schemas.ts'
import {
  type DescribedRoute,
  describeOperation,
  schemasOf,
} from '#transport/http/openapi/describe-operation.ts'
import { HEADERS, sharedHeaders } from '#transport/http/openapi/headers.ts'
import { refusalResponses, refusalSchemas } from '#transport/http/openapi/refusals.ts'
import { TAGS } from '#transport/http/openapi/tags.ts'
import type { Route } from '#transport/http/route.ts'

export interface ApiAbout {
  readonly version: string
  /** The address at which clients reach the gateway. */
  readonly url: string
}

export interface ApiDocument {
  readonly openapi: '3.1.0'
  readonly info: JsonSchema
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** Operations by path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>
  readonly webhooks: Readonly<Record<string, JsonSchema>>
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema | object>>>>
}

const DESCRIPTION = `Sends text messages through phones that are paired with this gateway.

Each answer is JSON in an envelope: \`success\` and \`data\`, or \`success\` and \`error\`. \
The status of a success is always 200. Times are ISO 8601 in UTC with milliseconds. Lengths of texts are \
UTF-16 code units. Later versions may add fields to answers. Unknown fields of a body are ignored, and \
named in the header \`X-Roost-Ignored\`.

Programs for Gotify, ntfy, signal-cli-rest-api, SMSEagle, SMSGate, Kannel, Twilio, httpSMS and playSMS can \
use this gateway, too. Their paths start at the root of the port, and the answers have the format of the \
original; this document does not describe them. Numbers that a call left out, because they want no more \
texts, are named in the header \`X-Roost-Opted-Out\`. Two calls differ from the original: \
\`/cgi-bin/sendsms\` ignores \`dlr-url\` and \`dlr-mask\`, and names them in the header \
\`X-Roost-Ignored\`. A token of \
\`POST /3rdparty/v1/auth/token\` is valid only below \`/3rdparty\`.`

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key: `sk_live_…`, or `sk_test_…` for the sandbox, which sends nothing to phones.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An account token. Operations that accept an API key also accept the key itself as a bearer token.',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'An API key as the password, with any user name.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    // Clients made by generators put this name into a header, so all its characters are allowed there.
    name: 'roost_ID',
    description:
      'One half of a session’s secret. Both halves together work like an account token. ' +
      '`ID` is six characters that differ between gateways. Over HTTPS, the name begins with `__Host-`.',
  },
  half: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Roost-Console',
    description: 'The other half of the session’s secret, from the answer to the login.',
  },
}

/** The console's own routes may change at any time. */
function isDescribed(route: Route): route is DescribedRoute {
  return route.operation !== undefined && route.access !== 'session'
}

/** The document, with all routes that have an `operation`. */
export function describeApi(routes: readonly Route[], { version, url }: ApiAbout): ApiDocument {
  const described = routes.filter(isDescribed)
  const components = new Components(described.flatMap(schemasOf))
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const route of described) {
    const operations = paths[route.path] ?? {}
    operations[route.method] = describeOperation(route, components)
    paths[route.path] = operations
  }
  const webhooks = describeEvents(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Roost',
      version,
      description: DESCRIPTION,
      contact: { name: 'The owner of this gateway', url },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url }],
    tags: tagsOf(described),
    paths,
    webhooks,
    components: {
      schemas: { ...components.used(), ...refusalSchemas() },
      responses: refusalResponses(sharedHeaders('/api/v1/')),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

function tagsOf(described: readonly DescribedRoute[]): ApiDocument['tags'] {
  const used = new Set<string>(described.map(({ operation }) => operation.tag))
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
}

const EVENTS: Readonly<Record<string, readonly [schema: v.GenericSchema, summary: string]>> = {
  'sms.sent': [SmsSentEvent, 'A phone has sent a message'],
  'sms.delivered': [SmsDeliveredEvent, 'A message was delivered'],
  'sms.failed': [SmsFailedEvent, 'A message has failed'],
  'sms.received': [SmsReceivedEvent, 'A phone has received a message'],
  'device.online': [DeviceOnlineEvent, 'A phone is connected'],
  'device.offline': [DeviceOfflineEvent, 'A phone is not connected any more'],
  'system.alarm': [SystemAlarmEvent, 'A problem has begun, as in GET /status'],
  'system.recovered': [SystemRecoveredEvent, 'A problem is over'],
}

const EVENT_HEADERS: readonly (readonly [name: string, description: string])[] = [
  ['X-Webhook-Signature', '`sha256=` and the HMAC-SHA256 of the body in lower-case hexadecimal digits.'],
  ['X-Webhook-Id', 'Id of the event, the same in all attempts.'],
  ['X-Webhook-Attempt', 'Number of the attempt, from 1.'],
  ['webhook-id', 'The same as X-Webhook-Id (Standard Webhooks).'],
  ['webhook-timestamp', 'Time of signing, seconds since 1970 (Standard Webhooks).'],
  ['webhook-signature', '`v1,` and the signature of id, timestamp and body in base64 (Standard Webhooks).'],
]

/** Describes the notifications that the gateway posts to the URLs of its accounts. */
function describeEvents(components: Components): Record<string, JsonSchema> {
  const parameters = EVENT_HEADERS.map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }))
  const responses = {
    '2XX': { description: 'The receiver has accepted the event.' },
    410: { description: 'The receiver wants no more events: the gateway disables the URL.' },
  }
  return Object.fromEntries(
    Object.entries(EVENTS).map(([event, [schema, summary]]) => {
      const content = { 'application/json': { schema: components.refer(schema, 'output') } }
      return [
        event,
        {
          post: {
            operationId: operationIdOf(event),
            summary,
            tags: ['notifications'],
            security: [],
            parameters,
            requestBody: { required: true, content },
            responses,
          },
        },
      ]
    }),
  )
}

/** `sms.sent` → `onSmsSent`. */
function operationIdOf(event: string): string {
  return `on${event.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
}
