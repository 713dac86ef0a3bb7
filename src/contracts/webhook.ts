/** Inbound webhooks in the API, and the types of a trigger that is rendered to a text. */
import * as v from 'valibot'
import {
  ALERT_LENGTH_MAX,
  ALLOWED_IP_LENGTH_MAX,
  ALLOWED_IPS_MAX,
  RECIPIENTS_MAX,
  WEBHOOK_CALLS_PER_HOUR_DEFAULT,
} from '#contracts/bounds.ts'
import { PhoneNumberInput } from '#contracts/message.ts'
import {
  DeviceId,
  E164,
  ENCODINGS,
  Instant,
  MESSAGE_STATUSES,
  MessageId,
  Name,
  WebhookId,
} from '#contracts/primitives.ts'

const ALERT_TEMPLATE_LENGTH_MAX = 1000
const WEBHOOK_CALLS_PER_HOUR_MAX = 1000
/** Characters of `contentType` in a preview: the boundary of a multipart body has at most 70 (RFC 2046). */
const CONTENT_TYPE_LENGTH_MAX = 200

/** Checks only the shape; the domain decides which numbers are possible and finds duplicates. */
const Recipients = v.pipe(
  v.array(PhoneNumberInput, 'must be a list of phone numbers'),
  v.minLength(1, 'must contain at least one phone number'),
  v.maxLength(RECIPIENTS_MAX, `must contain at most ${RECIPIENTS_MAX} phone numbers`),
)

const MaxPerHour = v.pipe(
  v.number('must be a number'),
  v.integer('must be a whole number'),
  v.minValue(1, 'must be at least 1'),
  v.maxValue(WEBHOOK_CALLS_PER_HOUR_MAX, `must be at most ${WEBHOOK_CALLS_PER_HOUR_MAX}`),
)

const MessageTemplate = v.pipe(
  v.string('must be text'),
  v.maxLength(ALERT_TEMPLATE_LENGTH_MAX, `must be at most ${ALERT_TEMPLATE_LENGTH_MAX} characters`),
  v.regex(/^[^\0]*$/, 'must not contain the character U+0000'),
  v.check(text => text.isWellFormed(), 'must not contain half of a surrogate pair'),
)

/** IP addresses and CIDR blocks. `domain/network/address-block.ts` parses them. */
const AllowedIps = v.pipe(
  v.array(
    v.pipe(
      v.string('must be text'),
      v.maxLength(ALLOWED_IP_LENGTH_MAX, `must be at most ${ALLOWED_IP_LENGTH_MAX} characters`),
    ),
    'must be a list of addresses',
  ),
  v.maxLength(ALLOWED_IPS_MAX, `must contain at most ${ALLOWED_IPS_MAX} addresses`),
)

/** Severities, mildest first. */
export const ALERT_SEVERITIES = ['info', 'warning', 'critical'] as const
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number]

/** Alerts below this severity send no text; null: all alerts do. */
const MinSeverity = v.nullable(v.picklist(ALERT_SEVERITIES, `must be ${ALERT_SEVERITIES.join(', ')} or null`))
const WebhookDevice = v.string('must be text')
const Flag = v.boolean('must be true or false')

export const CreateWebhookRequest = v.object({
  name: Name,
  recipients: Recipients,
  maxPerHour: v.nullish(MaxPerHour, WEBHOOK_CALLS_PER_HOUR_DEFAULT),
  messageTemplate: v.nullish(MessageTemplate, null),
  /** Empty: anyone who knows the webhook's URL may trigger it. */
  allowedIps: v.nullish(AllowedIps, []),
  /** null: any phone of the account. */
  deviceId: v.nullish(WebhookDevice, null),
  enabled: v.nullish(Flag, true),
  minSeverity: v.optional(MinSeverity, null),
  sendRecovered: v.nullish(Flag, true),
  summarizeOverflow: v.nullish(Flag, true),
  keepLastBody: v.nullish(Flag, true),
})
export type CreateWebhookRequest = v.InferOutput<typeof CreateWebhookRequest>

/** Absent fields stay as they are. */
export const UpdateWebhookRequest = v.object({
  name: v.optional(Name),
  recipients: v.optional(Recipients),
  maxPerHour: v.optional(MaxPerHour),
  messageTemplate: v.optional(v.nullable(MessageTemplate)),
  allowedIps: v.optional(AllowedIps),
  deviceId: v.optional(v.nullable(WebhookDevice)),
  enabled: v.optional(Flag),
  minSeverity: v.optional(MinSeverity),
  sendRecovered: v.optional(Flag),
  summarizeOverflow: v.optional(Flag),
  keepLastBody: v.optional(Flag),
})
export type UpdateWebhookRequest = v.InferOutput<typeof UpdateWebhookRequest>

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const WebhookResource = v.object({
  id: WebhookId,
  name: v.string(),
  recipients: v.array(E164),
  maxPerHour: MaxPerHour,
  messageTemplate: v.nullable(v.string()),
  allowedIps: v.array(v.string()),
  deviceId: v.nullable(DeviceId),
  enabled: v.boolean(),
  minSeverity: MinSeverity,
  sendRecovered: v.boolean(),
  summarizeOverflow: v.boolean(),
  keepLastBody: v.boolean(),
  createdAt: Instant,
  updatedAt: Instant,
  /** The secret token. Only the answers that create it contain it; else null. */
  token: v.nullable(v.string()),
  /** The path that contains the token; null if `token` is. */
  url: v.nullable(v.string()),
  /** The last four characters of the token. */
  tokenHint: v.string(),
  usage: v.object({
    /** Accepted triggers of the last 60 minutes. */
    thisHour: count,
    today: count,
    total: count,
    /** Triggers refused because of their IP address, `maxPerHour` or the daily quota. */
    rejected: count,
    lastTriggeredAt: v.nullable(Instant),
  }),
})
export type WebhookResource = v.InferOutput<typeof WebhookResource>

export const RemovedWebhook = v.object({ id: WebhookId })

/** The route checks that exactly one of `payload` and `body` is given. */
export const PreviewRequest = v.object({
  messageTemplate: v.nullish(MessageTemplate, null),
  payload: v.optional(
    v.pipe(v.unknown(), v.description('Any JSON value, as an alert sender would post it.')),
  ),
  /** The exact body of a trigger. */
  body: v.nullish(v.string('must be text'), null),
  /** The Content-Type of `body`. */
  contentType: v.nullish(
    v.pipe(
      v.string('must be text'),
      v.maxLength(CONTENT_TYPE_LENGTH_MAX, `must be at most ${CONTENT_TYPE_LENGTH_MAX} characters`),
    ),
    null,
  ),
})

export const ALERT_FORMATS = [
  'template',
  'uptime-monitor',
  'alert-manager',
  'dashboard',
  'generic',
  'digest',
] as const
export type AlertFormat = (typeof ALERT_FORMATS)[number]

/**
 * The state that an alert reports. `firing`: something is wrong or has started. `recovered`: the problem is
 * over, or a job went well. `acknowledged`: a person takes care of it. `test`: a test of the sender.
 * `notice`: any other state, such as maintenance or information.
 */
export const ALERT_STATES = ['firing', 'recovered', 'acknowledged', 'test', 'notice'] as const
export type AlertState = (typeof ALERT_STATES)[number]

const AlertText = v.pipe(v.string(), v.minLength(1), v.maxLength(ALERT_LENGTH_MAX))

export const PreviewResource = v.object({
  message: AlertText,
  format: v.picklist(ALERT_FORMATS),
  severity: v.nullable(v.picklist(ALERT_SEVERITIES)),
  state: v.nullable(v.picklist(ALERT_STATES)),
  segments: v.pipe(v.number(), v.integer(), v.minValue(1)),
  encoding: v.picklist(ENCODINGS),
})

/**
 * Why an accepted request sent no text. `EMPTY`: a GET without a query, or a HEAD. `FILTERED`: below
 * `minSeverity`, or recovered while `sendRecovered` is false.
 */
export const UNTRIGGERED_REASONS = ['EMPTY', 'FILTERED'] as const

/** The answer to a trigger. */
export const TriggeredResource = v.object({
  /** false: no text was sent; `reason` says why. */
  triggered: v.boolean(),
  reason: v.nullable(v.picklist(UNTRIGGERED_REASONS)),
  /** True: the same request came less than a minute ago. `messages` are those of the first one. */
  duplicate: v.boolean(),
  /** Null: the request holds no alert. */
  message: v.nullable(AlertText),
  messages: v.array(
    v.object({ messageId: MessageId, phoneNumber: E164, status: v.picklist(MESSAGE_STATUSES) }),
  ),
})
export type TriggeredResource = v.InferOutput<typeof TriggeredResource>

/** A request to a webhook as plain data, which can cross threads to the pool. */
export interface TriggerRequest {
  readonly method: 'GET' | 'POST'
  /** Still percent-encoded, without the question mark. */
  readonly query: string
  readonly contentType: string | null
  /** The request's headers that `TRIGGER_HEADERS` lists; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What a field of an alert says. */
export const FIELD_ROLES = ['thing', 'state', 'reason', 'severity'] as const
export type FieldRole = (typeof FIELD_ROLES)[number]

/** A value of a body. */
export interface AlertField {
  /** The path by which a template reaches it: `alerts.0.name`. */
  readonly path: string
  readonly value: string
  /** What Roost takes it for, or what the owner has settled. */
  readonly role: FieldRole | null
}

/** The paths that the owner has settled for one shape of bodies. */
export interface SettledRoles {
  readonly thing?: string
  readonly state?: string
  readonly reason?: string
}

/** The settled roles of a webhook, by shape. */
export type AlertReadings = Readonly<Record<string, SettledRoles>>

/** How an alert was read. */
export interface AlertReading {
  /** Whether no sender was recognised and no role is settled, so that the roles were guessed. */
  readonly guess: boolean
  /** At most 200, the outermost first. */
  readonly fields: readonly AlertField[]
  /** A name for bodies with the same paths. The length of a list does not count. */
  readonly shape: string
  /**
   * What the alert is about, the same for an alarm and its end: the sender's own key (`id:…`), or else the
   * words of the thing (`thing:…`). Null: the alert names neither.
   */
  readonly key: string | null
  /** The thing, as a person reads it. */
  readonly subject: string | null
  /** The address that AWS SNS asks to open before it sends anything. Null for every other body. */
  readonly confirmationUrl: string | null
}

export interface RenderedAlert {
  /** One line of 1 to `ALERT_LENGTH_MAX` UTF-16 code units, without control characters. */
  readonly message: string
  readonly format: AlertFormat
  /** Null: the alert does not say, or says several. */
  readonly severity: AlertSeverity | null
  readonly state: AlertState | null
  /** Null: the alert could not be read in time, and the text is the start of the body. */
  readonly reading: AlertReading | null
}
