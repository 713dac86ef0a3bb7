/**
 * The executable keeps what V8 compiled of it in the cache directory, so that only the first start of a
 * version compiles it. Threads read the variable that `useCompileCache` sets, and do the same.
 */
import { mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** What compiles less at the next start is written this long after a thread began to work. */
const KEPT_AFTER_MS = 5_000

/** To be called before anything large is loaded. Where a folder was named already, that one is used. */
export function useCompileCache(env: NodeJS.ProcessEnv, uid: number): void {
  if (env['NODE_COMPILE_CACHE'] !== undefined) return
  const folder = makeFolder(env, uid)
  if (folder === null) return
  env['NODE_COMPILE_CACHE'] = folder
  process.getBuiltinModule('node:module').enableCompileCache(folder)
}

/** Has a thread write what it compiled, a while after its start: at its end it may be killed. */
export function keepCompiled(): void {
  const { flushCompileCache } = process.getBuiltinModule('node:module')
  setTimeout(() => flushCompileCache(), KEPT_AFTER_MS).unref()
}

/** Null: there is none that only this user may write, and what is in it is run. */
function makeFolder(env: NodeJS.ProcessEnv, uid: number): string | null {
  const { CACHE_DIRECTORY, XDG_CACHE_HOME } = env
  const folder = join(CACHE_DIRECTORY || XDG_CACHE_HOME || join(homedir(), '.cache'), 'roost', 'compiled')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = statSync(folder)
    return found.uid === uid && (found.mode & 0o022) === 0 ? folder : null
  } catch {
    return null
  }
}
