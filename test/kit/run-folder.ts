import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Runs every test file of a folder below `test/` in this process, one after the other. Only for suites that
 * hold no gateway and change nothing that the next one sees: a top-level `before` or `after` would be
 * everybody's.
 */
export async function runFolder(folder: string): Promise<void> {
  const files = globSync('**/*.test.ts', { cwd: join(import.meta.dirname, '..', folder) }).sort()
  for (const file of files) await import(pathToFileURL(join(import.meta.dirname, '..', folder, file)).href)
}
