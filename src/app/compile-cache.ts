/**
 * The executable keeps V8's compiled code in the cache directory, so only the first start of a version
 * compiles it. Threads read the variable that `useCompileCache` sets, and use the same cache.
 */
import { mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The cache is written this long after a thread started. */
const KEPT_AFTER_MS = 5_000

/** Call it before loading anything large. A folder that is already configured is used. */
export function useCompileCache(env: NodeJS.ProcessEnv, uid: number): void {
  if (env['NODE_COMPILE_CACHE'] !== undefined) return
  const folder = makeFolder(env, uid)
  if (folder === null) return
  env['NODE_COMPILE_CACHE'] = folder
  process.getBuiltinModule('node:module').enableCompileCache(folder)
}

/** Makes a thread write its compiled code a while after its start: at its end it may be killed. */
export function keepCompiled(): void {
  const { flushCompileCache } = process.getBuiltinModule('node:module')
  setTimeout(() => flushCompileCache(), KEPT_AFTER_MS).unref()
}

/** Null: there is no folder that only this user may write. That matters because its contents are executed. */
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
