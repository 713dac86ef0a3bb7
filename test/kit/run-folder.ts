import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Runs every test file of a folder below `test/` in this process, one after the other. Only for suites that
 * start no gateway and leave nothing behind. A top-level `before` or `after` would apply to all files.
 */
export async function runFolder(folder: string): Promise<void> {
  const files = globSync('**/*.test.ts', { cwd: join(import.meta.dirname, '..', folder) }).sort()
  for (const file of files) await import(pathToFileURL(join(import.meta.dirname, '..', folder, file)).href)
}
