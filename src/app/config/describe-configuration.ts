import { maskNumber } from '#app/redact.ts'
import type { Config } from '#contracts/config.ts'
import type { ConfigurationResource } from '#contracts/configuration.ts'
import type { Settings } from '#domain/settings.ts'

/**
 * The part of the configuration that the API shows: no secret, and numbers only masked. `isOwner`: to the
 * account of the machine; others see only what their texts have.
 */
export function describeConfiguration(
  { backup, alarms, messages }: Config,
  { alarmRecipients, timeZone }: Pick<Settings, 'alarmRecipients' | 'timeZone'>,
  isOwner: boolean,
): ConfigurationResource {
  const { dir, second_dir, at, keep_days, keep_weeks } = backup
  const shared = { timeZone: timeZone(), language: messages.language }
  if (!isOwner) return { ...shared, backup: null, alarms: null }
  return {
    ...shared,
    backup:
      dir === ''
        ? null
        : { dir, secondDir: second_dir || null, at, keepDays: keep_days, keepWeeks: keep_weeks },
    alarms: {
      recipients: alarmRecipients.map(({ phoneNumber }) => maskNumber(phoneNumber)),
      heartbeat: alarms.heartbeat_url !== '',
    },
  }
}
