/**
 * What the owner chose at the API, laid under what the configuration file and the environment say.
 */
import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { SERVICE_BACKUP_DIR, SERVICE_DATA_DIR } from '#app/service/service-files.ts'
import { CONFIG_DEFAULTS, type Config } from '#contracts/config.ts'
import type { ChosenConfiguration } from '#contracts/configuration.ts'
import { dataDirectory } from '#storage/data-directory.ts'

/** The sections of which the owner may choose values. */
export const CHOSEN_SECTIONS = ['alarms', 'backup'] as const

/** The keys of these sections that file and environment say, such as `backup.keep_days`. */
export function fixedKeys(config: Config): readonly string[] {
  const differing = CHOSEN_SECTIONS.flatMap(section =>
    Object.entries(config[section])
      .filter(([key, value]) => String(value) !== String(Object(CONFIG_DEFAULTS[section])[key]))
      .map(([key]) => `${section}.${key}`),
  )
  return config.fixed ?? differing
}

/** The same keys as the API names them. Who names a folder decides whether there are copies at all. */
export function fixedFields(config: Config): readonly string[] {
  return fixedKeys(config).flatMap(key => {
    const field = key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    return key === 'backup.dir' ? ['backup.enabled', field] : [field]
  })
}

/** The configuration with what the owner chose where file and environment say nothing. */
export function withChosen(config: Config, chosen: ChosenConfiguration): Config {
  const { alarms, backup } = config
  const fixed = fixedKeys(config)
  const pick = <T>(key: string, said: T, choice: T | undefined): T =>
    fixed.includes(key) || choice === undefined ? said : choice
  const numbers = chosen.recipients.map(({ phoneNumber }) => phoneNumber)
  return {
    ...config,
    fixed,
    alarms: {
      recipients: pick('alarms.recipients', alarms.recipients, numbers),
      heartbeat_url: pick('alarms.heartbeat_url', alarms.heartbeat_url, chosen.heartbeatUrl ?? ''),
    },
    backup: {
      ...backup,
      dir: pick('backup.dir', backup.dir, chosen.backup.enabled === true ? ownBackupDir(config) : ''),
      at: pick('backup.at', backup.at, chosen.backup.at),
      keep_days: pick('backup.keep_days', backup.keep_days, chosen.backup.keepDays),
      keep_weeks: pick('backup.keep_weeks', backup.keep_weeks, chosen.backup.keepWeeks),
    },
  }
}

/** The folder of copies that are switched on at the API: that of the package, else one with the data. */
export function ownBackupDir({ data_dir }: Pick<Config, 'data_dir'>): string {
  if (resolve(data_dir) === SERVICE_DATA_DIR && isWritable(SERVICE_BACKUP_DIR)) return SERVICE_BACKUP_DIR
  return dataDirectory(data_dir).backups
}

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Where copies would go, with the room there and the size of the database. */
export function backupPlace(config: Pick<Config, 'data_dir'>) {
  const dir = ownBackupDir(config)
  const { database } = dataDirectory(config.data_dir)
  const sizes = [database, `${database}-wal`].map(
    file => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
  )
  const { bavail, bsize } = statfsSync(
    statSync(dir, { throwIfNoEntry: false }) === undefined ? dirname(dir) : dir,
  )
  return { dir, freeBytes: bavail * bsize, databaseBytes: sizes.reduce((sum, size) => sum + size) }
}
