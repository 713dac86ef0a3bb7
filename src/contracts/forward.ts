/** Forwards: where received texts are passed on to. */
import * as v from 'valibot'
import { HttpUrl } from '#contracts/message.ts'
import { noted } from '#contracts/noted.ts'
import { type DeliveryResource, DISABLED_REASONS } from '#contracts/notification.ts'
import type { AttemptResult } from '#contracts/notification-attempt.ts'
import type { OwnedCommands, OwnedReference } from '#contracts/owned.ts'
import { ForwardId, Instant, Name } from '#contracts/primitives.ts'

/** Longest credential, characters: access tokens of some Matrix servers are signed documents. */
const CREDENTIAL_LENGTH_MAX = 2048
/** Longest target and filter, characters: the longest e-mail address has 254. */
const LINE_LENGTH_MAX = 256

/** A kind is one of these names and its entry in `domain/forward/adapters.ts`. */
export const FORWARD_KINDS = [
  'ntfy',
  'gotify',
  'telegram',
  'matrix',
  'slack',
  'discord',
  'email',
  'sms',
] as const
export type ForwardKind = (typeof FORWARD_KINDS)[number]

function line(lengthMax: number) {
  return v.pipe(
    v.string('must be text'),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(lengthMax, `must be at most ${lengthMax} characters`),
    v.regex(/^\P{Cc}*$/u, 'must be one line'),
  )
}
/** A header of a request or a part of an address holds it. */
const Credential = v.pipe(
  v.string('must be text'),
  v.maxLength(CREDENTIAL_LENGTH_MAX, `must be at most ${CREDENTIAL_LENGTH_MAX} characters`),
  v.regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces'),
)

const url = noted(
  v.nullable(HttpUrl),
  'The whole address for ntfy, slack and discord; the base of the server for gotify and matrix; telegram ' +
    'has its own. Null for email and sms.',
)
const target = noted(
  v.nullable(line(LINE_LENGTH_MAX)),
  'The chat for telegram, the room (`!…`) for matrix, the address for email, the id of a person for sms; ' +
    'null for the others.',
)
const credential = noted(
  v.nullable(Credential),
  'The bot’s token for telegram, the application’s for gotify, an access token for matrix, and for ntfy if ' +
    'the topic needs one; null for the others. No answer shows it.',
)
const from = noted(
  v.nullable(line(LINE_LENGTH_MAX)),
  'Only texts of this sender: a number or a name as the list of received texts shows it; null: of all.',
)
const contains = noted(
  v.nullable(line(LINE_LENGTH_MAX)),
  'Only texts that contain this, in any case and without regard to accents; null: all.',
)
const codes = noted(
  v.boolean('must be true or false'),
  'Whether one-time codes are passed on. Otherwise digits beside a word such as "code" become `*`.',
)
const enabled = noted(v.boolean('must be true or false'), 'False: switched off.')
const kind = noted(
  v.picklist(FORWARD_KINDS, `must be one of ${FORWARD_KINDS.join(', ')}`),
  'Which service gets the texts; `slack` also means Mattermost and Rocket.Chat.',
)
const name = noted(Name, 'A label for people, 1 to 80 characters on one line.')

export const CreateForwardRequest = v.object({
  name,
  kind,
  url: v.optional(url, null),
  target: v.optional(target, null),
  credential: v.optional(credential, null),
  from: v.optional(from, null),
  contains: v.optional(contains, null),
  codes: v.optional(codes, false),
  enabled: v.optional(enabled, true),
})
export type ForwardFields = v.InferOutput<typeof CreateForwardRequest>

/** Absent fields stay as they are. */
export const UpdateForwardRequest = v.partial(
  v.object({ name, url, target, credential, from, contains, codes, enabled }),
)

export const ForwardResource = v.object({
  id: noted(ForwardId, 'The identifier, `fwd_…`.'),
  name,
  kind,
  url,
  target,
  hasCredential: noted(v.boolean(), 'Whether a credential is stored.'),
  from,
  contains,
  codes,
  enabled,
  disabledReason: noted(
    v.nullable(v.picklist(DISABLED_REASONS)),
    'GONE: the service answered 410. FAILING: it failed for five days. Null: it was not switched off so.',
  ),
  disabledAt: noted(v.nullable(Instant), 'When the gateway switched it off; null: it did not.'),
  failingSince: noted(
    v.nullable(Instant),
    'Time of the first failure after the last success, later by as long as the gateway was off since; ' +
      'null: the last attempt succeeded.',
  ),
  createdAt: noted(Instant, 'Time of creation.'),
})
export type ForwardResource = v.InferOutput<typeof ForwardResource>

export const RemovedForward = v.object({ id: noted(ForwardId, 'The forward that was removed.') })

/** What the gateway does to pass on one text. */
export type ForwardRequest =
  | {
      readonly via: 'http'
      readonly method: 'POST' | 'PUT'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
    }
  /** `id`: a name of the mail for repeats, without angle brackets. */
  | {
      readonly via: 'mail'
      readonly to: string
      readonly subject: string
      readonly text: string
      readonly id: string
    }
  | { readonly via: 'sms' }

/** The writer's commands for forwards. */
export interface ForwardCommands
  extends OwnedCommands<
    'forward',
    ForwardFields,
    ForwardResource,
    OwnedReference,
    Partial<Omit<ForwardFields, 'kind'>>
  > {
  'forward.remove': { input: OwnedReference; output: { readonly id: string } }
  'forward.test': { input: OwnedReference; output: DeliveryResource }
  /** Texts the delivery with this id to the person of its forward. A repeat texts nobody again. */
  'forward.text': { input: { readonly id: string }; output: AttemptResult }
}
