/**
 * The paths of thread entry files and of assets. In a checkout they are TypeScript files under `src/`. In the
 * bundle, in `dist/` or inside the executable, they are `.js` files side by side. They are paths and never
 * URLs, because inside the executable `new Worker` accepts only a path.
 */
import { join } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

export type EntryName = 'listener' | 'writer' | 'pool' | 'upkeep' | 'phone'

const SOURCES: Record<EntryName, string> = {
  listener: 'app/threads/listener.entry.ts',
  writer: 'app/threads/writer.entry.ts',
  pool: 'pool/pool.entry.ts',
  upkeep: 'app/threads/upkeep.entry.ts',
  phone: 'app/threads/phone.entry.ts',
}

const bundled = !import.meta.filename.endsWith('.ts')

export interface ThreadStart extends Omit<WorkerOptions, 'workerData' | 'argv'> {
  /** A thread that was started from this file before, to use instead of a new one. */
  readonly early?: Worker | undefined
  /** The thread's first message, for `onThreadData` in its entry file; absent: no such message. */
  readonly data?: object
}

/**
 * Starts a thread from its entry file. In the bundle all threads start from `thread.js`, which loads the
 * entry file. The reason: inside the executable, pkg copies the file that a thread starts from into a script
 * of its own, and V8's compile cache has one place for that script. Threads that start from different files
 * would replace each other's compiled code there.
 */
export function startThread(file: string, start: ThreadStart): Worker {
  const { early, data, transferList = [], ...options } = start
  const worker = early ?? newThread(file, options)
  if (data !== undefined) worker.postMessage(data, transferList)
  return worker
}

function newThread(file: string, options: WorkerOptions): Worker {
  return bundled ? new Worker(bundledFile('thread'), { ...options, argv: [file] }) : new Worker(file, options)
}

/** The absolute path of a thread's entry file, for `startThread` and piscina's `filename`. */
export function entryFile(name: EntryName): string {
  return bundled ? bundledFile(name) : join(import.meta.dirname, '..', '..', SOURCES[name])
}

/** The absolute path of a built file that the program serves (`agent.mjs`); read it with `node:fs`. */
export function assetFile(name: string): string {
  return bundled ? join(import.meta.dirname, name) : join(import.meta.dirname, '..', '..', '..', 'dist', name)
}

function bundledFile(name: EntryName | 'thread'): string {
  return join(import.meta.dirname, `${name}.js`)
}
