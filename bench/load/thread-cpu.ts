/** The processor time of a process by thread, as Linux counts it (user and system, in nanoseconds). */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NAME_THREAD = fileURLToPath(new URL('./name-thread.ts', import.meta.url))

/** Nanoseconds by thread; `helpers` are the threads of V8 and libuv, which mostly collect garbage. */
export type CpuByThread = ReadonlyMap<string, number>

export interface ThreadNames {
  /** Variables to set in the environment of the gateway, so that its threads get names. */
  readonly env: Readonly<Record<string, string>>
  /** Processor time that the threads of that process have used so far. */
  read(pid: number): CpuByThread
  remove(): void
}

/**
 * Makes the threads of a gateway write down their names. An executable ignores `NODE_OPTIONS`, so all its
 * threads count as helpers.
 */
export function nameThreads(): ThreadNames {
  const directory = mkdtempSync(join(tmpdir(), 'roost-threads-'))
  return {
    env: { NODE_OPTIONS: `--import ${NAME_THREAD}`, BENCH_THREADS: directory },
    read(pid) {
      const names = new Map(readdirSync(directory).map(file => file.split(' ') as [string, string]))
      const sums = new Map<string, number>()
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const name = names.get(thread) ?? 'helpers'
        sums.set(name, (sums.get(name) ?? 0) + threadNs(pid, thread))
      }
      return sums
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** The processor time of a whole process, ns. */
export function readCpuNs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadNs(pid, thread), 0)
}

/** The first number of `schedstat` is the time on a processor; `stat` has it in hundredths of a second. */
function threadNs(pid: number, thread: string): number {
  const [ns] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')
  return Number(ns)
}
