import { readdirSync } from 'node:fs'
import { newestBackup } from '#domain/backup/backup-schedule.ts'

/** When the newest nightly backup in a folder was made, milliseconds since 1970; null: there is none. */
export function findNewestBackup(dir: string): number | null {
  try {
    return newestBackup(readdirSync(dir))
  } catch {
    return null
  }
}
