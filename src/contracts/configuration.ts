/** What the API shows of the configuration, and what its owner may change at the API. */
import * as v from 'valibot'
import { PHONE_NUMBER_LENGTH_MAX } from '#contracts/bounds.ts'
import { noted } from '#contracts/noted.ts'
import { ClockTime } from '#contracts/on-call.ts'
import { whole } from '#contracts/primitives.ts'
import type { Recipient } from '#contracts/webhook-commands.ts'
import { LANGUAGE_TAGS } from '#contracts/words.ts'

const days = v.pipe(v.number(), v.integer(), v.minValue(0))
const index = v.pipe(v.number(), v.integer(), v.minValue(0))

export const ConfigurationResource = v.object({
  timeZone: noted(
    v.string(),
    'The time zone of the gateway’s machine, such as `Europe/Berlin`: that of people and rotas without one ' +
      'of their own, and of the times in texts.',
  ),
  language: noted(v.picklist(LANGUAGE_TAGS), 'The language of the texts to people (`messages.language`).'),
  backup: noted(
    v.nullable(
      v.object({
        enabled: noted(v.boolean(), 'Whether a copy is made each night.'),
        dir: noted(v.string(), 'The folder of the copies, or the one that they would go to.'),
        secondDir: noted(
          v.nullable(v.string()),
          'The folder of second copies (`backup.second_dir` of the file); null: none.',
        ),
        at: noted(v.string(), 'Time of day of a copy, such as `03:30`.'),
        keepDays: noted(days, 'How many days the newest copy of each day is kept.'),
        keepWeeks: noted(days, 'How many weeks the newest copy of each week is kept.'),
      }),
    ),
    'The nightly copies; null: the caller is no owner of the first account.',
  ),
  alarms: noted(
    v.nullable(
      v.object({
        recipients: noted(
          v.array(
            v.object({
              index: noted(index, 'Names this number in a change. It stays while the number is there.'),
              hint: noted(v.string(), 'The number, masked: `+1415•••0123`.'),
            }),
          ),
          'The numbers that get a text.',
        ),
        heartbeat: noted(
          v.boolean(),
          'Whether the gateway calls an address each minute while no problem is critical. The address may ' +
            'hold a secret, so it is never shown.',
        ),
      }),
    ),
    'Who hears when something is wrong; null: the caller is no owner of the first account.',
  ),
  fixed: noted(
    v.nullable(v.array(v.string())),
    'What the configuration file or the environment says, such as `backup.keepDays`, so that no call ' +
      'changes it; null: the caller is no owner of the first account.',
  ),
})
export type ConfigurationResource = v.InferOutput<typeof ConfigurationResource>

export const ConfigurationChange = v.object({
  alarms: noted(
    v.optional(
      v.object({
        add: noted(
          v.optional(
            v.pipe(
              v.array(v.pipe(v.string('must be text'), v.maxLength(PHONE_NUMBER_LENGTH_MAX, 'is too long'))),
              v.maxLength(20, 'must be at most 20 numbers'),
            ),
          ),
          'Numbers that get a text from now on. One that is there already stays as it is.',
        ),
        remove: noted(
          v.optional(v.pipe(v.array(whole(0, 1_000_000_000)), v.maxLength(20, 'must be at most 20 numbers'))),
          'Those that get none any more, by their `index`.',
        ),
        heartbeatUrl: noted(
          v.optional(v.nullable(v.string('must be text, or null'))),
          'The address to call each minute while no problem is critical; null: none. The rules for it are ' +
            'those for the URL of notifications.',
        ),
      }),
    ),
    'Who hears when something is wrong.',
  ),
  backup: noted(
    v.optional(
      v.object({
        enabled: noted(
          v.optional(v.boolean('must be true or false')),
          'Whether a copy is made each night, in the folder of the package, else in `backups` of the data ' +
            'directory. Only the file names another folder.',
        ),
        at: noted(v.optional(ClockTime), 'Time of day of a copy, such as `03:30`.'),
        keepDays: noted(v.optional(whole(1, 366)), 'How many days the newest copy of each day is kept.'),
        keepWeeks: noted(v.optional(whole(0, 520)), 'How many weeks the newest copy of each week is kept.'),
      }),
    ),
    'The nightly copies.',
  ),
})
export type ConfigurationChange = v.InferOutput<typeof ConfigurationChange>

/** What the owner chose at the API. It counts where the file and the environment say nothing. */
export interface ChosenConfiguration {
  readonly recipients: readonly (Recipient & { readonly index: number })[]
  /** Of the next recipient: a number keeps its index, and no other number ever gets it. */
  readonly nextIndex: number
  readonly heartbeatUrl: string | null
  readonly backup: NonNullable<ConfigurationChange['backup']>
}

export interface ConfigurationCommands {
  /** `owner`: the account that the gateway belongs to. */
  'configuration.find': {
    input: Record<never, never>
    output: { readonly owner: string | null; readonly chosen: ChosenConfiguration }
  }
  'configuration.change': {
    input: {
      readonly accountId: string
      readonly change: ConfigurationChange
      /** The numbers of `alarms.add`, read. */
      readonly added: readonly Recipient[]
      /** Where copies would go, and the room there. */
      readonly place: { readonly dir: string; readonly freeBytes: number; readonly databaseBytes: number }
    }
    output: ChosenConfiguration
  }
}
