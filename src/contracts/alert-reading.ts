/** How an alert was read: its fields, the role of each, and the roles that the owner has settled. */
import * as v from 'valibot'
import { noted } from '#contracts/noted.ts'
import { Instant } from '#contracts/primitives.ts'
import type { AlertFormat, AlertSeverity, AlertState } from '#contracts/webhook.ts'

/** Longest path of a field, UTF-16 code units. The paths of real senders have at most 80. */
export const FIELD_PATH_LENGTH_MAX = 200
/** What a field of an alert says. */
export const FIELD_ROLES = ['thing', 'state', 'reason', 'severity'] as const
export type FieldRole = (typeof FIELD_ROLES)[number]

/** The roles that an owner can settle. */
export const SETTLED_ROLES = ['thing', 'state', 'reason'] as const

/** How many values may mean that a problem is over, and the longest of them, UTF-16 code units. */
const OVER_VALUES_MAX = 20
const OVER_LENGTH_MAX = 200
/** How many paths of a shape its reading lists: enough to recognize the sender. */
export const MATCH_PATHS_MAX = 12
/** So many fields are offered for each role. */
export const CHOICES_MAX = 3

/** The key of roles that a preview tries, whatever the shape of its body is. */
export const ANY_SHAPE = '*'

/** A name for bodies with the same paths. The length of a list does not count. */
export const ReadingShape = v.pipe(
  v.string('must be text'),
  v.regex(/^[0-9a-f]{16}$/, 'must be a shape, as the list of triggers has it'),
)

export const SHAPE_NOTE = 'A name for bodies with the same set of paths; the length of a list does not count.'

/** A value of a body. */
export const AlertFieldResource = v.object({
  path: noted(v.string(), 'The path by which a template reaches the value.'),
  value: noted(v.string(), 'The value as text, at most 200 characters.'),
  role: noted(
    v.nullable(v.picklist(FIELD_ROLES)),
    'What the value says in the text, as Roost read it or as it was settled; null: nothing.',
  ),
})
export type AlertField = Readonly<v.InferOutput<typeof AlertFieldResource>>

/** What previews and triggers say about the reading of their alert. */
export const readingEntries = {
  guess: noted(
    v.boolean(),
    'Whether no known sender was recognized and no reading was settled, so that the roles were guessed.',
  ),
  fields: noted(v.array(AlertFieldResource), 'The values of the body, at most 200, the outermost first.'),
  confirmationUrl: noted(
    v.nullable(v.string()),
    'The link by which AWS SNS wants to be confirmed before it sends alerts; null for every other body. ' +
      'The gateway never opens it.',
  ),
}

const FieldPath = v.pipe(
  v.string('must be the path of a field'),
  v.minLength(1, 'must be the path of a field'),
  v.maxLength(FIELD_PATH_LENGTH_MAX, `must be at most ${FIELD_PATH_LENGTH_MAX} characters`),
  v.check(text => text.isWellFormed() && !text.includes('\0'), 'must be the path of a field'),
)

const THING_NOTE = 'Path of the field that names what the alert is about; null: as Roost reads it.'
const STATE_NOTE = 'Path of the field with the state; null: as Roost reads it.'
const REASON_NOTE = 'Path of the field that says why; null: as Roost reads it.'

const OVER_NOTE =
  'Values of the field with the state that mean that the problem is over, compared as text in any case. ' +
  'Every other value then means that it is not. Without any, Roost decides by the words that it knows.'
const OverValue = v.union(
  [
    v.pipe(v.string(), v.maxLength(OVER_LENGTH_MAX, `must be at most ${OVER_LENGTH_MAX} characters`)),
    v.pipe(v.number(), v.finite()),
    v.boolean(),
  ],
  'must be a text, a number or a flag',
)

/** What the owner has settled for one shape of bodies. What is null stays as Roost reads it. */
export const SettledRoles = v.object({
  thing: noted(v.nullish(FieldPath, null), THING_NOTE),
  state: noted(v.nullish(FieldPath, null), STATE_NOTE),
  reason: noted(v.nullish(FieldPath, null), REASON_NOTE),
  over: noted(
    v.nullish(
      v.pipe(
        v.array(OverValue, 'must be a list'),
        v.maxLength(OVER_VALUES_MAX, `must have at most ${OVER_VALUES_MAX} values`),
      ),
      [],
    ),
    OVER_NOTE,
  ),
})
export type SettledRoles = Readonly<Partial<v.InferOutput<typeof SettledRoles>>>

/** A path in which all items of a list are one: bodies of one shape differ in the lengths of their lists. */
export function withoutIndexes(path: string): string {
  return path.replace(/(?<=^|\.)\d+(?=\.|$)/g, '*')
}

/** The settled roles of a webhook, by shape. Those of `ANY_SHAPE` count for each alert. */
export type AlertReadings = Readonly<Record<string, SettledRoles>>

/** A reading as the webhook stores it. */
export interface StoredReading extends SettledRoles {
  /** Paths that bodies of the shape have, the outermost first. Absent: settled before they were kept. */
  readonly match?: readonly string[]
  /** When it was settled, wall-clock milliseconds. */
  readonly at: number
}

export const ReadingResource = v.object({
  shape: noted(ReadingShape, SHAPE_NOTE),
  match: noted(
    v.array(v.string()),
    `Paths that alerts of the shape have, the outermost first, at most ${MATCH_PATHS_MAX}; empty if no ` +
      'alert of it was kept.',
  ),
  thing: noted(v.nullable(v.string()), THING_NOTE),
  state: noted(v.nullable(v.string()), STATE_NOTE),
  reason: noted(v.nullable(v.string()), REASON_NOTE),
  over: noted(v.array(v.union([v.string(), v.number(), v.boolean()])), OVER_NOTE),
  settledAt: noted(Instant, 'When the reading was settled.'),
})
export type ReadingResource = v.InferOutput<typeof ReadingResource>

const pathsFor = (what: string) =>
  noted(v.array(v.string()), `Paths of fields that may say ${what}, the best first.`)

/** The fields that a person may choose from for each role, the best first. */
export const ReadingChoices = v.object({
  thing: pathsFor('what the alert is about'),
  state: pathsFor('what happened to it'),
  reason: pathsFor('why'),
})
export type ReadingChoices = Readonly<v.InferOutput<typeof ReadingChoices>>

export const ForgottenReading = v.object({ shape: noted(ReadingShape, SHAPE_NOTE) })

export interface ReadingReference {
  readonly accountId: string
  readonly webhookId: string
  readonly shape: string
}

/** The writer's commands for settled readings. */
export interface ReadingCommands {
  'webhook.settle': {
    input: ReadingReference & { readonly roles: SettledRoles }
    output: ReadingResource
  }
  'webhook.forget': { input: ReadingReference; output: { readonly shape: string } }
}

/** One of the things of a group of alerts. */
export interface AlertThing {
  readonly key: string
  /** As a person reads it, without the name that the group shares. */
  readonly name: string
  readonly isOver: boolean
}

/** How an alert was read. */
export interface AlertReading {
  /** Whether no sender was recognised and no role is settled, so that the roles were guessed. */
  readonly guess: boolean
  /** At most 200, the outermost first. Fields with a path above `FIELD_PATH_LENGTH_MAX` are left out. */
  readonly fields: readonly AlertField[]
  readonly shape: string
  /**
   * What the alert is about, the same for an alarm and its end: the sender's own key (`id:…`), or else the
   * words of the thing (`thing:…`). Null: the alert names neither.
   */
  readonly key: string | null
  /** The key that the release before gave it. Absent: the same, or none. */
  readonly formerKey?: string
  /** The thing, as a person reads it. */
  readonly subject: string | null
  /** What tells the thing from another of the same name: its machine, its part or its problem. */
  readonly detail?: string
  /** Of a list of alerts (Alertmanager, Grafana), each of them. `key` is then that of the group. */
  readonly things?: readonly AlertThing[]
  /** Whether `things` are all of the group of which its sender tells: what they leave out is silenced. */
  readonly isWhole?: true
  /** The address that AWS SNS asks to open before it sends anything. Null for every other body. */
  readonly confirmationUrl: string | null
}

/** What an alert says, for texts about several alerts. */
export interface AlertFacts
  extends Pick<AlertReading, 'key' | 'formerKey' | 'subject' | 'detail' | 'things' | 'isWhole'> {
  readonly state: AlertState | null
  readonly severity: AlertSeverity | null
  /** Whether the sender itself states that it is critical. */
  readonly isUrgent: boolean
}

export interface RenderedAlert {
  /** One line of 1 to `ALERT_LENGTH_MAX` UTF-16 code units, without control characters. */
  readonly message: string
  readonly format: AlertFormat
  /** Null: the alert does not say, or says several. */
  readonly severity: AlertSeverity | null
  readonly state: AlertState | null
  /** Whether the sender itself states that it is critical. */
  readonly isUrgent: boolean
  /** Null: the alert could not be read in time, and the text is the start of the body. */
  readonly reading: AlertReading | null
}
