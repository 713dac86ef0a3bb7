import type { ChosenConfiguration } from '#contracts/configuration.ts'
import type { Recipient } from '#contracts/webhook-commands.ts'
import type { Settings } from '#domain/settings.ts'
import type { Tx } from '#domain/tx.ts'

/** What the owner of the gateway chose at the API. */
export interface ChosenStore {
  read(): ChosenConfiguration
  save(tx: Tx, chosen: ChosenConfiguration): void
}

export const NOTHING_CHOSEN: ChosenConfiguration = {
  recipients: [],
  nextIndex: 0,
  heartbeatUrl: null,
  backup: {},
}

interface AlarmFacts {
  readonly settings: Settings
  readonly chosen: ChosenStore
}

/** The numbers to text when something is wrong. */
export function alarmRecipients({ settings, chosen }: AlarmFacts): readonly Recipient[] {
  return settings.alarmRecipients ?? chosen.read().recipients
}
