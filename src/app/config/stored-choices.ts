import { existsSync } from 'node:fs'
import { withChosen } from '#app/config/chosen-configuration.ts'
import type { Config } from '#contracts/config.ts'
import { openChosenStore } from '#storage/chosen-store.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { readOnce } from '#storage/database.ts'

/** The configuration with what the owner chose at the API, for a command, which reads the database. */
export function withStoredChoices(config: Config): Config {
  const { database } = dataDirectory(config.data_dir)
  if (!existsSync(database)) return config
  try {
    return withChosen(
      config,
      readOnce(database, connection => openChosenStore(connection).read()),
    )
  } catch {
    // A database from before there were choices, or a damaged one, which the doctor reports.
    return config
  }
}
