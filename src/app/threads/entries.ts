/**
 * The paths of thread entry files and of assets. In a checkout they are TypeScript files under `src/`. In the
 * bundle, in `dist/` or inside the executable, they are `.js` files side by side. They are paths and never
 * URLs, because inside the executable `new Worker` accepts only a path.
 */
import { join } from 'node:path'

export type EntryName = 'listener' | 'writer' | 'pool' | 'backup' | 'phone'

const SOURCES: Record<EntryName, string> = {
  listener: 'app/threads/listener.entry.ts',
  writer: 'app/threads/writer.entry.ts',
  pool: 'pool/pool.entry.ts',
  backup: 'app/threads/backup.entry.ts',
  phone: 'app/threads/phone.entry.ts',
}

const bundled = !import.meta.filename.endsWith('.ts')

/** The absolute path of a thread's entry file, for `new Worker` and piscina's `filename`. */
export function entryFile(name: EntryName): string {
  return bundled
    ? join(import.meta.dirname, `${name}.js`)
    : join(import.meta.dirname, '..', '..', SOURCES[name])
}

/** The absolute path of a built file that the program serves (`agent.mjs`); read it with `node:fs`. */
export function assetFile(name: string): string {
  return bundled ? join(import.meta.dirname, name) : join(import.meta.dirname, '..', '..', '..', 'dist', name)
}
