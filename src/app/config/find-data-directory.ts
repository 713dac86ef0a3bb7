/**
 * Which data directory a command uses. One named by command line, environment or configuration file wins.
 * Otherwise it is `./data` if that belongs to a gateway, then `/var/lib/roost`, where a packaged gateway
 * keeps its data.
 */
import { readdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LoadedConfig } from '#app/config/config-file.ts'
import { Problem } from '#domain/problem.ts'

export const SYSTEM_DATA_DIR = '/var/lib/roost'
/** A directory with one of these files belongs to a gateway. The lock is made first, then the database. */
const GATEWAY_FILES = ['roost.db', 'lock']

export interface DirectorySearch {
  readonly loaded: LoadedConfig
  readonly cwd: string
  /** Whether a missing directory may be made, at the configured place. */
  readonly mayCreate: boolean
  readonly systemDir?: string
}

/**
 * The absolute path of the data directory.
 *
 * @throws Problem NOT_FOUND when there is no gateway; FORBIDDEN when the directory may not be read
 */
export function findDataDirectory(search: DirectorySearch): string {
  const { loaded, cwd, mayCreate, systemDir = SYSTEM_DATA_DIR } = search
  const named = resolve(cwd, loaded.config.data_dir)
  const places = loaded.isDataDirGiven ? [named] : [named, systemDir]
  for (const place of places) {
    const found = lookInto(place)
    if (found === 'gateway') return place
    if (found === 'hidden') throw hiddenDirectory(place)
  }
  if (mayCreate) return named
  throw new Problem(
    'NOT_FOUND',
    `there is no gateway in ${places.join(' or ')}: name its data directory with --data DIR, ` +
      'or make a gateway with: roost serve',
  )
}

function lookInto(path: string): 'gateway' | 'other' | 'absent' | 'hidden' {
  try {
    const files = readdirSync(path)
    return GATEWAY_FILES.some(file => files.includes(file)) ? 'gateway' : 'other'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'EACCES' || code === 'EPERM' ? 'hidden' : 'absent'
  }
}

function hiddenDirectory(path: string): Problem {
  const uid = ownerOf(path)
  const who = uid === null ? 'its owner' : `the user ${uid}`
  return new Problem('FORBIDDEN', `${path} belongs to ${who}: run this as that user or as root (sudo)`)
}

/** The number of the user who owns it; null where it cannot be known. */
export function ownerOf(path: string): number | null {
  try {
    return statSync(path).uid
  } catch {
    return null
  }
}
