/** People, rotas and policies in the API: who is told of alerts, and when. */
import * as v from 'valibot'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { PhoneChoice, PhoneFields, type WithTarget } from '#contracts/device-group.ts'
import { PhoneNumberInput } from '#contracts/message.ts'
import { noted } from '#contracts/noted.ts'
import type { OwnedCommands, OwnedReference } from '#contracts/owned.ts'
import {
  E164,
  FutureTime,
  Instant,
  Name,
  OverrideId,
  PersonId,
  PolicyId,
  RotaId,
  whole,
} from '#contracts/primitives.ts'

/** Spans of a person's day. */
export const ClockTime = v.pipe(
  v.string('must be text'),
  v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 22:00'),
)

const hours = {
  from: noted(ClockTime, 'When they begin: local time of the person, like `22:00`.'),
  to: noted(ClockTime, 'When they end; an earlier time is on the next day.'),
}
const areHours = ({ from, to }: { from: string; to: string }) => from !== to
const HOURS_FAULT = 'must end at another time than it begins'
const RingHours = v.nullable(
  v.pipe(
    v.object(hours, 'must be an object with from and to, or null'),
    v.check(span => areHours(span), HOURS_FAULT),
  ),
)

/** Longer than any name in the IANA time zone database, characters. */
const TIME_ZONE_LENGTH_MAX = 64
/** A rota of a large team. */
const ROTA_PEOPLE_MAX = 20
const ROTA_DAYS_MAX = 28
const STEPS_MAX = 10
const TARGETS_MAX = ACCOUNT_BOUNDS.stepTargets.most
const ROUNDS_MAX = 5
const ROUNDS_DEFAULT = 2
/** Last step of a round: a week after the first. */
const STEP_AFTER_MINUTES_MAX = 10_080
const TAKEN_FOR_MINUTES_MIN = 15
const TAKEN_FOR_MINUTES_MAX = 10_080
const TAKEN_FOR_MINUTES_DEFAULT = 240

export const TimeZone = v.pipe(
  v.string('must be text'),
  v.maxLength(TIME_ZONE_LENGTH_MAX, `must be at most ${TIME_ZONE_LENGTH_MAX} characters`),
  v.check(isTimeZone, 'must be a time zone like Europe/Berlin'),
)

/** Whether the IANA time zone database has this name. `Intl` also knows offsets, without clock changes. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}

const TIME_ZONE_NOTE =
  'A name of the IANA time zone database, such as `Europe/Berlin`; null: that of the gateway.'
const ZONE_ANSWER_NOTE = 'The time zone, such as `Europe/Berlin`; that of the gateway if none was given.'
const NAME_NOTE = 'A label for people, 1 to 80 characters on one line.'
const CREATED_NOTE = 'Time of creation.'
const Quiet = v.nullable(
  v.pipe(
    v.object(
      {
        ...hours,
        below: noted(
          v.picklist(['warning', 'critical'], 'must be warning or critical'),
          'Alerts milder than this wait. Critical ones, and ones of unknown severity, never do.',
        ),
      },
      'must be an object with from, to and below, or null',
    ),
    v.check(span => areHours(span), HOURS_FAULT),
  ),
)
const QUIET_NOTE = 'Hours in which mild alerts wait; null: none.'

const personSettings = {
  name: noted(Name, NAME_NOTE),
  phoneNumber: noted(PhoneNumberInput, 'The number with + and the country code (E.164).'),
  timeZone: noted(v.nullable(TimeZone), TIME_ZONE_NOTE),
  quiet: noted(Quiet, QUIET_NOTE),
}

export const CreatePersonRequest = v.object({
  ...personSettings,
  timeZone: v.optional(personSettings.timeZone, null),
  quiet: v.optional(personSettings.quiet, null),
})

/** Absent fields stay as they are. */
export const UpdatePersonRequest = v.partial(v.object(personSettings))

export const PersonResource = v.object({
  id: noted(PersonId, 'The identifier, `per_…`.'),
  ...personSettings,
  phoneNumber: noted(E164, 'E.164: + and 2 to 15 digits.'),
  timeZone: noted(v.string(), ZONE_ANSWER_NOTE),
  createdAt: noted(Instant, CREATED_NOTE),
})
export type PersonResource = v.InferOutput<typeof PersonResource>

const RotaPeople = v.pipe(
  v.array(v.string('must be text'), 'must be a list of ids of people'),
  v.minLength(1, 'must contain at least one person'),
  v.maxLength(ROTA_PEOPLE_MAX, `must contain at most ${ROTA_PEOPLE_MAX} people`),
  v.check(areDifferent, 'must name each person once'),
)

const rotaSettings = {
  name: noted(Name, NAME_NOTE),
  people: noted(RotaPeople, 'Ids of 1 to 20 people in the order of their turns, each once.'),
  days: noted(whole(1, ROTA_DAYS_MAX), 'Days of one turn, 1 to 28.'),
  handover: noted(
    v.pipe(
      v.string('must be text'),
      v.regex(
        /^(?:mon|tue|wed|thu|fri|sat|sun) (?:[01]\d|2[0-3]):[0-5]\d$/,
        'must be a day and a time like mon 09:00',
      ),
    ),
    'When turns begin, in local time, like `mon 09:00`.',
  ),
  timeZone: noted(v.nullable(TimeZone), TIME_ZONE_NOTE),
}

export const CreateRotaRequest = v.object({
  ...rotaSettings,
  timeZone: v.optional(rotaSettings.timeZone, null),
})

/** Absent fields stay as they are. */
export const UpdateRotaRequest = v.partial(v.object(rotaSettings))

export const CreateOverrideRequest = v.pipe(
  v.object({
    personId: noted(v.string('must be text'), 'The person who is on call in this time.'),
    from: noted(FutureTime, 'When it begins: ISO 8601 with Z or an offset.'),
    until: noted(FutureTime, 'When it ends; later than `from` and than now.'),
  }),
  v.forward(
    v.partialCheck([['from'], ['until']], ({ from, until }) => from < until, 'must be later than from'),
    ['until'],
  ),
)

export const OverrideResource = v.object({
  id: noted(OverrideId, 'The identifier, `ovr_…`.'),
  personId: noted(PersonId, 'The person who is on call in this time.'),
  from: noted(Instant, 'When it begins.'),
  until: noted(Instant, 'When it ends.'),
})

export const RotaResource = v.object({
  id: noted(RotaId, 'The identifier, `rot_…`.'),
  ...rotaSettings,
  timeZone: noted(v.string(), ZONE_ANSWER_NOTE),
  onCall: noted(PersonId, 'The person who is on call now.'),
  until: noted(Instant, 'When somebody else is on call, or the next turn begins.'),
  overrides: noted(
    v.array(OverrideResource),
    'Times in which another person is on call; not those that are over.',
  ),
  createdAt: noted(Instant, CREATED_NOTE),
})
export type RotaResource = v.InferOutput<typeof RotaResource>

/** A span in which one person of a rota is on call. */
export const TurnResource = v.object({
  personId: noted(PersonId, 'Who is on call.'),
  from: noted(Instant, 'When it begins; the first one may have begun before now.'),
  until: noted(Instant, 'When it ends.'),
  isOverride: noted(v.boolean(), 'Whether the person stands in for whoever’s turn it is.'),
})
export type TurnResource = v.InferOutput<typeof TurnResource>

const Target = v.pipe(
  v.string('must be text'),
  v.regex(
    /^(?:everyone|(?:per|rot|grp)_[0-9A-HJKMNP-TV-Z]{26}|rot_[0-9A-HJKMNP-TV-Z]{26}\+1)$/,
    'must be the id of a person (per_…), group (grp_…) or rota (rot_…; rot_…+1: who is next), or everyone',
  ),
)

const Steps = v.pipe(
  v.array(
    v.object({
      afterMinutes: noted(
        whole(0, STEP_AFTER_MINUTES_MAX),
        'Minutes since the first step of the round, 0 to 10080; the first is 0, and they rise.',
      ),
      tell: noted(
        v.pipe(
          v.array(Target, 'must be a list of people and rotas'),
          v.minLength(1, 'must name at least one'),
          v.maxLength(TARGETS_MAX, `must name at most ${TARGETS_MAX}`),
          v.check(areDifferent, 'must name each once'),
        ),
        'Whom to tell: the id of a person; of a group of people; of a rota (who is on call); `rot_…+1` ' +
          '(who is next in it); `everyone` (all people of the policy).',
      ),
      ring: noted(
        v.optional(v.boolean('must be true or false'), false),
        'Whether the phones of these people ring, too.',
      ),
      ringHours: noted(v.optional(RingHours), 'When they ring; null: always.'),
    }),
    'must be a list of steps',
  ),
  v.minLength(1, 'must contain at least one step'),
  v.maxLength(STEPS_MAX, `must contain at most ${STEPS_MAX} steps`),
  v.check(
    steps => steps.every(({ afterMinutes }, index) => afterMinutes > (steps[index - 1]?.afterMinutes ?? -1)),
    'must rise: each afterMinutes is more than the one before',
  ),
  v.check(steps => steps[0]?.afterMinutes === 0, 'must begin at once: the first afterMinutes is 0'),
)

const policySettings = {
  name: noted(Name, NAME_NOTE),
  steps: noted(Steps, '1 to 10 steps.'),
  rounds: noted(whole(1, ROUNDS_MAX), 'How often all steps are walked, 1 to 5.'),
  takenForMinutes: noted(
    whole(TAKEN_FOR_MINUTES_MIN, TAKEN_FOR_MINUTES_MAX),
    'After so many minutes, 15 to 10080, what was taken and is not over opens again.',
  ),
  ...PhoneChoice,
}

export const CreatePolicyRequest = v.object({
  ...policySettings,
  rounds: v.optional(policySettings.rounds, ROUNDS_DEFAULT),
  takenForMinutes: v.optional(policySettings.takenForMinutes, TAKEN_FOR_MINUTES_DEFAULT),
  ...PhoneFields,
})

/** Absent fields stay as they are. */
export const UpdatePolicyRequest = v.partial(v.object(policySettings))

export const PolicyResource = v.object({
  id: noted(PolicyId, 'The identifier, `pol_…`.'),
  ...policySettings,
  createdAt: noted(Instant, CREATED_NOTE),
})
export type PolicyResource = v.InferOutput<typeof PolicyResource>

export const RemovedOnCall = v.object({ id: noted(v.string(), 'The identifier of what was removed.') })

function areDifferent(items: string[]): boolean {
  return new Set(items).size === items.length
}

/** A person as a caller sets it. `country`: as in `AcceptMessage`. */
export type PersonFields = v.InferOutput<typeof CreatePersonRequest> & { readonly country: string | null }
export type RotaFields = v.InferOutput<typeof CreateRotaRequest>
export type PolicyFields = WithTarget<v.InferOutput<typeof CreatePolicyRequest>>
export type OverrideFields = v.InferOutput<typeof CreateOverrideRequest>

export const ON_CALL_KINDS = ['person', 'rota', 'policy', 'group'] as const
export type OnCallKind = (typeof ON_CALL_KINDS)[number]

/** The writer's commands for people, rotas and policies. */
export interface OnCallCommands
  extends OwnedCommands<'person', PersonFields, PersonResource>,
    OwnedCommands<'rota', RotaFields, RotaResource>,
    OwnedCommands<'policy', PolicyFields, PolicyResource> {
  'rota.override': { input: OwnedReference & { readonly fields: OverrideFields }; output: RotaResource }
  'rota.end-override': { input: OwnedReference & { readonly overrideId: string }; output: RotaResource }
  'on-call.remove': {
    input: OwnedReference & { readonly kind: OnCallKind }
    output: { readonly id: string }
  }
}
