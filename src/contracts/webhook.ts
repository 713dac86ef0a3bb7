/** Inbound webhooks in the API, and the types of a trigger that is rendered to a text. */
import * as v from 'valibot'
import {
  ALERT_LENGTH_MAX,
  ALLOWED_IP_LENGTH_MAX,
  ALLOWED_IPS_MAX,
  RECIPIENTS_MAX,
  SILENT_AFTER_MINUTES_MAX,
  WEBHOOK_CALLS_PER_HOUR_DEFAULT,
} from '#contracts/bounds.ts'
import { PhoneChoice, PhoneFields } from '#contracts/device-group.ts'
import { WebhookPeople } from '#contracts/group.ts'
import { PhoneNumberInput } from '#contracts/message.ts'
import { noted } from '#contracts/noted.ts'
import {
  E164,
  IncidentId,
  Instant,
  MESSAGE_STATUSES,
  MessageId,
  Name,
  PolicyId,
  WebhookId,
  whole,
} from '#contracts/primitives.ts'

const ALERT_TEMPLATE_LENGTH_MAX = 1000
const WEBHOOK_CALLS_PER_HOUR_MAX = 1000

/** Checks only the shape; the domain decides which numbers are possible and finds duplicates. */
const Recipients = v.pipe(
  v.array(PhoneNumberInput, 'must be a list of phone numbers'),
  v.maxLength(RECIPIENTS_MAX, `must contain at most ${RECIPIENTS_MAX} phone numbers`),
)

const MaxPerHour = whole(1, WEBHOOK_CALLS_PER_HOUR_MAX)

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
const Flag = v.boolean('must be true or false')

/** Null: silence is not watched. */
const SilentAfterMinutes = v.nullable(
  v.pipe(
    v.number('must be a number or null'),
    v.integer('must be a whole number'),
    v.minValue(1, 'must be at least 1'),
    v.maxValue(SILENT_AFTER_MINUTES_MAX, `must be at most ${SILENT_AFTER_MINUTES_MAX}`),
  ),
)

const NAME_NOTE = 'A label for people, 1 to 80 characters on one line.'
const RECIPIENTS_NOTE =
  'Up to 20 phone numbers (E.164) that get the texts, each once; without `people` and `policyId`, at least ' +
  'one. A trigger cannot change them.'
const ALLOWED_IPS_NOTE =
  'IP addresses and CIDR blocks that may trigger the webhook; empty: anyone who knows its URL.'
const POLICY_NOTE = 'The policy by which its alerts become incidents; null: none.'
const MESSAGE_TEMPLATE_NOTE =
  'Text in which `{{path}}` stands for a value of the payload; null: Roost detects the sender and words ' +
  'the text.'

/** The settings that requests and answers write in the same way. */
const shared = {
  maxPerHour: noted(MaxPerHour, 'How many triggers are accepted in any 60 minutes, 1 to 1000.'),
  enabled: noted(Flag, 'False: switched off.'),
  minSeverity: noted(
    MinSeverity,
    'Alerts below this severity send no text; null: all alerts do. Alerts without a severity always do.',
  ),
  sendRecovered: noted(Flag, 'Whether an alert sends a text that certainly says that a problem is over.'),
  summarizeOverflow: noted(
    Flag,
    'Whether one text says at once that `maxPerHour` refuses alerts, and another one sums them up as soon ' +
      'as triggers are accepted again.',
  ),
  keepLastBody: noted(
    Flag,
    'Whether the bodies of the last requests are kept for a week, so that the owner can look at them.',
  ),
  gather: noted(
    Flag,
    'Whether alerts that come quickly one after another (from the fifth within 60 seconds on) are told ' +
      'together, in a few texts. Such a webhook never answers 429.',
  ),
  silentAfterMinutes: noted(
    SilentAfterMinutes,
    'After so many minutes without a request to its address, 1 to 44640, the recipients are told, and ' +
      'again when the next request comes; null: they are not.',
  ),
}

/** The field `messageTemplate` of requests. */
export const TemplateSetting = noted(v.nullable(MessageTemplate), MESSAGE_TEMPLATE_NOTE)

const settings = {
  name: noted(Name, NAME_NOTE),
  recipients: noted(Recipients, RECIPIENTS_NOTE),
  people: WebhookPeople,
  messageTemplate: TemplateSetting,
  allowedIps: noted(AllowedIps, ALLOWED_IPS_NOTE),
  ...PhoneChoice,
  policyId: noted(v.nullable(v.string('must be text')), POLICY_NOTE),
  ...shared,
}

export const CreateWebhookRequest = v.object({
  ...settings,
  recipients: v.optional(settings.recipients, []),
  people: v.optional(settings.people, []),
  maxPerHour: v.nullish(settings.maxPerHour, WEBHOOK_CALLS_PER_HOUR_DEFAULT),
  messageTemplate: v.optional(settings.messageTemplate, null),
  allowedIps: v.nullish(settings.allowedIps, []),
  ...PhoneFields,
  policyId: v.optional(settings.policyId, null),
  enabled: v.nullish(settings.enabled, true),
  minSeverity: v.optional(settings.minSeverity, null),
  sendRecovered: v.nullish(settings.sendRecovered, true),
  summarizeOverflow: v.nullish(settings.summarizeOverflow, true),
  keepLastBody: v.nullish(settings.keepLastBody, true),
  gather: v.nullish(settings.gather, false),
  silentAfterMinutes: v.optional(settings.silentAfterMinutes, null),
})
export type CreateWebhookRequest = v.InferOutput<typeof CreateWebhookRequest>

/** Absent fields stay as they are. */
export const UpdateWebhookRequest = v.partial(v.object(settings))
export type UpdateWebhookRequest = v.InferOutput<typeof UpdateWebhookRequest>

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const WebhookResource = v.object({
  id: noted(WebhookId, 'The identifier, `whk_…`.'),
  name: noted(v.string(), NAME_NOTE),
  recipients: noted(v.array(E164), RECIPIENTS_NOTE),
  people: WebhookPeople,
  messageTemplate: noted(v.nullable(v.string()), MESSAGE_TEMPLATE_NOTE),
  allowedIps: noted(v.array(v.string()), ALLOWED_IPS_NOTE),
  ...PhoneChoice,
  policyId: noted(v.nullable(PolicyId), POLICY_NOTE),
  ...shared,
  createdAt: noted(Instant, 'Time of creation.'),
  updatedAt: noted(Instant, 'Time of the last change.'),
  token: noted(
    v.nullable(v.string()),
    'The secret token. Only the answers that create it contain it; else null.',
  ),
  url: noted(
    v.nullable(v.string()),
    'Path of the webhook’s secret URL. Only the answers that create the token contain it; else null.',
  ),
  mailAddress: noted(
    v.nullable(v.string()),
    'Where devices that can only send e-mail send it, if the gateway takes mails. The part after `@` does ' +
      'not matter. Only the answers that create the token contain it; else null.',
  ),
  tokenHint: noted(v.string(), 'The last four characters of the token.'),
  usage: noted(
    v.object({
      thisHour: noted(count, 'Accepted triggers of the last 60 minutes.'),
      today: noted(count, 'Accepted triggers of this UTC day.'),
      total: noted(count, 'Accepted triggers since the webhook was made.'),
      rejected: noted(
        count,
        'Triggers refused because of their address, `maxPerHour` or the daily quota, since the webhook was ' +
          'made.',
      ),
      guessed: noted(count, 'Texts of the last 7 days (UTC) that Roost worded by a guess.'),
      lastTriggeredAt: noted(v.nullable(Instant), 'Time of the last accepted trigger; null: none yet.'),
    }),
    'The counters.',
  ),
  lastAlert: noted(
    v.optional(
      v.nullable(
        v.object({
          at: noted(Instant, 'When it came.'),
          message: noted(v.string(), 'Its text, also if it was not sent.'),
          guess: noted(v.boolean(), 'Whether Roost guessed its words.'),
        }),
      ),
    ),
    'The newest alert of the last 7 days that became a text; null: none did. Only in lists with ' +
      '`lastAlert=true`.',
  ),
})
export type WebhookResource = v.InferOutput<typeof WebhookResource>

export const RemovedWebhook = v.object({
  id: noted(WebhookId, 'The identifier; identifiers sort by time of creation.'),
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

export const AlertText = v.pipe(v.string(), v.minLength(1), v.maxLength(ALERT_LENGTH_MAX))

/**
 * Why an accepted request sent no text. `EMPTY`: a GET without a query, or a HEAD. `FILTERED`: below
 * `minSeverity`, or recovered while `sendRecovered` is false.
 */
export const UNTRIGGERED_REASONS = ['EMPTY', 'FILTERED'] as const

/** The answer to a trigger. */
export const TriggeredResource = v.object({
  triggered: noted(
    v.boolean(),
    'Whether the alert was accepted: it sent texts, or a later text tells it (`gathered`).',
  ),
  reason: noted(
    v.nullable(v.picklist(UNTRIGGERED_REASONS)),
    'Why no text was sent. EMPTY: a GET without a query, or a HEAD. FILTERED: the alert is below ' +
      '`minSeverity`, or it has recovered and `sendRecovered` is false. Null: texts were sent.',
  ),
  duplicate: noted(
    v.boolean(),
    'True if the same request came less than a minute ago. `messages` are those of the first request; no ' +
      'new text was sent.',
  ),
  gathered: noted(
    v.boolean(),
    'True if a later text tells this alert together with others (`gather`); `messages` is empty.',
  ),
  message: noted(v.nullable(AlertText), 'The text of the alert; null: the request holds no alert.'),
  messages: noted(
    v.array(
      v.object({
        messageId: noted(MessageId, 'The message, `msg_…`.'),
        phoneNumber: noted(E164, 'E.164: + and 2 to 15 digits.'),
        status: noted(v.picklist(MESSAGE_STATUSES), 'The current state.'),
      }),
    ),
    'One message for each of the webhook’s `recipients` and `people`.',
  ),
  incidentId: noted(
    v.nullable(IncidentId),
    'The incident that the alert opened, joined or ended, `inc_…`; null: none, or the webhook has no policy.',
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
