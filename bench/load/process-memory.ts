/** Divides the memory of a process into parts, from what Linux and the threads of the process report. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** All sizes in bytes. */
export interface ProcessMemory {
  readonly resident: number
  /** Pages of files: the program and its libraries. */
  readonly files: number
  /** What malloc holds, in use or free for the next request; includes the page caches of SQLite. */
  readonly malloc: number
  /** Everything else, mostly the heaps of V8. */
  readonly others: number
}

/** What a thread reported about its heap. */
export interface ThreadHeap {
  readonly thread: string
  readonly used: number
  readonly reserved: number
}

/** glibc starts each of its arenas at an address that is a multiple of this number. */
const ARENA_BYTES = 67_108_864
const HEADING = /^([0-9a-f]+)-[0-9a-f]+ (\S+) \S+ \S+ \d+ *(.*)$/
/** Milliseconds after which a thread that reported nothing counts as ended. */
const SILENT_MS_MAX = 12_000

export function readProcessMemory(pid: number): ProcessMemory {
  const sums = { files: 0, malloc: 0, others: 0 }
  let kind: keyof typeof sums = 'others'
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'latin1').split('\n')) {
    const [, start, access, name] = HEADING.exec(line) ?? []
    if (start !== undefined) kind = kindOf(Number.parseInt(start, 16), access ?? '', name ?? '')
    const resident = /^Rss: +(\d+) kB$/.exec(line)?.[1]
    if (resident !== undefined) sums[kind] += Number(resident) * 1024
  }
  return { resident: sums.files + sums.malloc + sums.others, ...sums }
}

/** The latest report that `report-heap.ts` wrote for each running thread. */
export function readThreadHeaps(directory: string): ThreadHeap[] {
  const now = Date.now()
  return readdirSync(directory).flatMap(thread => {
    const file = join(directory, thread)
    const text = readFileSync(file, 'utf8')
    if (text === '' || now - statSync(file).mtimeMs > SILENT_MS_MAX) return []
    return [{ thread, ...(JSON.parse(text) as Omit<ThreadHeap, 'thread'>) }]
  })
}

function kindOf(start: number, access: string, name: string): 'files' | 'malloc' | 'others' {
  if (name.startsWith('/')) return 'files'
  if (name === '[heap]') return 'malloc'
  return name === '' && access.startsWith('rw') && start % ARENA_BYTES === 0 ? 'malloc' : 'others'
}
