/** What the API shows of the configuration: what a person who runs the gateway wants to look up. */
import * as v from 'valibot'
import { noted } from '#contracts/noted.ts'
import { LANGUAGE_TAGS } from '#contracts/words.ts'

const days = v.pipe(v.number(), v.integer(), v.minValue(0))

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
        dir: noted(v.string(), 'The folder of the nightly backups (`backup.dir`).'),
        secondDir: noted(
          v.nullable(v.string()),
          'The folder of their copies (`backup.second_dir`); null: none.',
        ),
        at: noted(v.string(), 'Time of day of a backup (`backup.at`), such as `03:30`.'),
        keepDays: noted(days, 'How many days the newest backup of each day is kept (`backup.keep_days`).'),
        keepWeeks: noted(
          days,
          'How many weeks the newest backup of each week is kept (`backup.keep_weeks`).',
        ),
      }),
    ),
    'The nightly backups; null: the gateway makes none, or belongs to another account.',
  ),
  alarms: noted(
    v.nullable(
      v.object({
        recipients: noted(
          v.array(v.string()),
          'The numbers that get a text (`alarms.recipients`), masked: `+1415•••0123`.',
        ),
        heartbeat: noted(
          v.boolean(),
          'Whether the gateway calls an address each minute while no problem is critical ' +
            '(`alarms.heartbeat_url`). The address may hold a secret, so it is not shown.',
        ),
      }),
    ),
    'Who hears when something is wrong; null: the gateway belongs to another account.',
  ),
})
export type ConfigurationResource = v.InferOutput<typeof ConfigurationResource>
