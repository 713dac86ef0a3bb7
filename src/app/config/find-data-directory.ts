/**
 * Finds the data directory for a command. A directory named on the command line, in the environment or in the
 * configuration file is used. Otherwise the command uses `./data` if that belongs to a gateway, and else
 * `/var/lib/roost`, where the packaged gateway keeps its data.
 */
import { readdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LoadedConfig } from '#app/config/config-file.ts'
import { nameUser } from '#app/name-user.ts'
import { Problem } from '#domain/problem.ts'

export const SYSTEM_DATA_DIR = '/var/lib/roost'
/**
 * A directory with one of these files belongs to a gateway. The gateway makes the lock before the database.
 */
const GATEWAY_FILES = ['roost.db', 'lock']

export interface DirectorySearch {
  readonly loaded: LoadedConfig
  readonly cwd: string
  /** Whether to return the configured directory when no gateway was found; the command may then make it. */
  readonly mayCreate: boolean
  readonly systemDir?: string
}

/**
 * @returns the absolute path of the data directory
 * @throws DirectoryProblem NOT_FOUND when there is no gateway; FORBIDDEN when the user may not read it
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
  throw new DirectoryProblem('NOT_FOUND', {
    reason: `there is no gateway in ${places.join(' or ')}`,
    fix: 'name its data directory with --data DIR, or make a gateway with: roost serve',
  })
}

/** No data directory can be used. */
export class DirectoryProblem extends Problem {
  readonly reason: string
  readonly fix: string

  constructor(code: Problem['code'], { reason, fix }: { readonly reason: string; readonly fix: string }) {
    super(code, `${reason}: ${fix}`)
    this.reason = reason
    this.fix = fix
  }
}

/** `hidden`: the user may not read the directory. */
function lookInto(path: string): 'gateway' | 'other' | 'absent' | 'hidden' {
  try {
    const files = readdirSync(path)
    return GATEWAY_FILES.some(file => files.includes(file)) ? 'gateway' : 'other'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'EACCES' || code === 'EPERM' ? 'hidden' : 'absent'
  }
}

function hiddenDirectory(path: string): DirectoryProblem {
  const uid = ownerOf(path)
  const owner = uid === null ? 'its owner' : `the user ${nameUser(uid)}`
  return new DirectoryProblem('FORBIDDEN', {
    reason: `${path} belongs to ${owner}`,
    fix: uid === 0 ? 'run this as root (sudo)' : 'run this as that user or as root (sudo)',
  })
}

/** The id of the user who owns the path; null: unknown. */
export function ownerOf(path: string): number | null {
  try {
    return statSync(path).uid
  } catch {
    return null
  }
}
