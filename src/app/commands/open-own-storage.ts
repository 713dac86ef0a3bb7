import { systemNow } from '#app/clock.ts'
import { publicUrlOf } from '#app/config/public-url.ts'
import { settingsWithAuthority } from '#app/config/settings.ts'
import type { Config } from '#contracts/config.ts'
import { causeOf } from '#domain/cause.ts'
import { count } from '#domain/words.ts'
import { unpackSecrets } from '#storage/backup.ts'
import { refuseEmptied } from '#storage/commit-loss.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { openStorage, type Storage } from '#storage/open-storage.ts'
import { loadSecret } from '#storage/secret-file.ts'
import { systemSource } from '#storage/source.ts'

interface OwnStorageOptions {
  readonly config: Config
  /** Prints a sentence for the person who typed the command. */
  readonly tell: (sentence: string) => void
}

/** Opens the database of a data directory whose lock the caller holds, while no gateway serves it. */
export function openOwnStorage(directory: DataDirectory, { config, tell }: OwnStorageOptions): Storage {
  refuseEmptied(directory)
  unpackSecrets(directory)
  const storage = openStorage(directory, {
    settings: settingsWithAuthority(config, publicUrlOf(config)),
    source: systemSource(loadSecret(directory.codeKey)),
    now: systemNow,
    migrating: ({ step, steps, percent }) =>
      tell(`Bringing the database up to date: step ${step} of ${steps}, ${percent} %`),
    faulted: error => tell(`fault: ${causeOf(error)}`),
  })
  // No phone can connect to a command, so no message is offered.
  storage.batch.stopping = true
  if (storage.lost !== null)
    tell(
      `The database lost its newest commits (${storage.lost.commits}). ` +
        `${describeEnded(storage.lost.messages)}. All account tokens ended.`,
    )
  if (storage.copied !== null)
    tell(`The database is a copy. ${describeEnded(storage.copied)}: the original may have sent them.`)
  return storage
}

function describeEnded(messages: number): string {
  const open = count(messages, 'open message', 'open messages')
  return `${open} ended as OUTCOME_UNKNOWN and will not be sent again`
}
