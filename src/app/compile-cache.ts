/**
 * The executable stores V8's compiled code in the cache directory, so only the first start of a version has
 * to compile. `useCompileCache` sets NODE_COMPILE_CACHE, through which threads use the same cache.
 */
import { mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Time from the call of `writeCompileCacheLater` until the thread writes the cache. */
const WRITTEN_AFTER_MS = 5_000

/** Call this before loading anything large. It changes nothing if NODE_COMPILE_CACHE is already set. */
export function useCompileCache(env: NodeJS.ProcessEnv, uid: number): void {
  if (env['NODE_COMPILE_CACHE'] !== undefined) return
  const folder = makeFolder(env, uid)
  if (folder === null) return
  env['NODE_COMPILE_CACHE'] = folder
  process.getBuiltinModule('node:module').enableCompileCache(folder)
}

/**
 * Makes this thread write its compiled code in some seconds, and not at its end, because a thread that is
 * killed writes nothing.
 */
export function writeCompileCacheLater(): void {
  const { flushCompileCache } = process.getBuiltinModule('node:module')
  setTimeout(() => flushCompileCache(), WRITTEN_AFTER_MS).unref()
}

/**
 * Makes the cache folder. Null: that failed, or others may write to the folder, which is unsafe because its
 * contents are executed.
 */
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
