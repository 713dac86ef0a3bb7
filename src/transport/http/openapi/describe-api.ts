/**
 * Generates the OpenAPI 3.1 document from the route table and the validation schemas. The text is the same
 * for the same routes, on every thread and at any time.
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
  /** How clients reach the gateway. */
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

Every answer is JSON in an envelope: \`success\` and \`data\`, or \`success\` and \`error\`. \
Success is always 200. Times are ISO 8601 in UTC with milliseconds; lengths of text are UTF-16 code units. \
Fields may be added to answers, and unknown fields of a body are ignored.

Programs for Gotify, ntfy, signal-cli-rest-api, SMSEagle, SMSGate, Kannel, Twilio and httpSMS work, too: \
their calls are answered at the root of the port, in the shape of that gateway, and are not described here. \
Two of them differ: \`/cgi-bin/sendsms\` ignores \`dlr-url\` and \`dlr-mask\` and names them in the header \
\`X-Roost-Ignored\`; the token of \`POST /3rdparty/v1/auth/token\` is taken below \`/3rdparty\` alone.`

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
    description: 'An account token, taken wherever an API key is; there the API key itself is taken too.',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'An API key as the password; the user name may be anything.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'roost_…',
    description:
      'One half of a session. Together with the other half it is accepted wherever an account token is.',
  },
  half: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Roost-Console',
    description: 'The other half, from the answer to the log-in.',
  },
}

/** The document about every route that has an `operation`. */
export function describeApi(routes: readonly Route[], { version, url }: ApiAbout): ApiDocument {
  const described = routes.filter((route): route is DescribedRoute => route.operation !== undefined)
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
  'sms.delivered': [SmsDeliveredEvent, 'A message has arrived'],
  'sms.failed': [SmsFailedEvent, 'A message has failed'],
  'sms.received': [SmsReceivedEvent, 'A phone has received a message'],
  'device.online': [DeviceOnlineEvent, 'A phone is connected'],
  'device.offline': [DeviceOfflineEvent, 'A phone is not connected any more'],
  'system.alarm': [SystemAlarmEvent, 'A problem began, as in GET /status'],
  'system.recovered': [SystemRecoveredEvent, 'A problem is over'],
}

const EVENT_HEADERS: readonly (readonly [name: string, description: string])[] = [
  ['X-Webhook-Signature', '`sha256=` and the HMAC-SHA256 of the body in lower-case hexadecimal digits.'],
  ['X-Webhook-Id', 'The same for every attempt at one event.'],
  ['X-Webhook-Attempt', 'Counts from 1.'],
  ['webhook-id', 'Same as X-Webhook-Id (Standard Webhooks).'],
  ['webhook-timestamp', 'The second since 1970 at which it was signed.'],
  ['webhook-signature', '`v1,` and the signature of id, timestamp and body in base64.'],
]

/** What the gateway posts to the URLs of its customers. */
function describeEvents(components: Components): Record<string, JsonSchema> {
  const parameters = EVENT_HEADERS.map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }))
  const responses = { '2XX': { description: 'Accepted.' }, 410: { description: 'Disables the URL.' } }
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
