/**
 * Linux control groups with a memory limit, for scripts/check-memory.ts. Supports version 1 (a hierarchy for
 * memory) and version 2. Both need root.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = '/sys/fs/cgroup'
/**
 * By version, the files of a group and the patterns of the figures in them. `reached`: how often the group
 * was at its limit. `own`: memory of the processes themselves, in memory.stat.
 */
const FILES = {
  1: {
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
    kills: 'memory.oom_control',
    reached: ['memory.failcnt', /(\d+)/],
    own: /^rss (\d+)/m,
  },
  2: {
    limit: 'memory.max',
    peak: 'memory.peak',
    kills: 'memory.events',
    reached: ['memory.events', /^max (\d+)/m],
    own: /^anon (\d+)/m,
  },
} as const

export interface GroupUse {
  /** The peak, page cache included. The kernel frees page cache when memory is short. */
  readonly peakBytes: number
  /** How often the group reached its limit, so that the kernel had to free memory. */
  readonly reached: number
  /** Processes that the kernel killed because the group was at its limit. */
  readonly kills: number
}

/** A folder of groups with the same limit. */
export class MemoryGroups {
  readonly #folder: string
  readonly #files: (typeof FILES)[1 | 2]
  readonly #limitBytes: number

  /** @throws Error when this user cannot limit memory on this machine */
  constructor(limitBytes: number) {
    const version = existsSync(join(ROOT, 'memory', FILES[1].limit)) ? 1 : 2
    const root = version === 1 ? join(ROOT, 'memory') : ROOT
    this.#files = FILES[version]
    this.#limitBytes = limitBytes
    this.#folder = join(root, `roost-check-${process.pid}`)
    if (version === 2) writeFileSync(join(root, 'cgroup.subtree_control'), '+memory')
    mkdirSync(this.#folder)
    if (version === 2) writeFileSync(join(this.#folder, 'cgroup.subtree_control'), '+memory')
  }

  /**
   * A shell command that runs its arguments in a new group: `sh -c COMMAND sh PROGRAM ARGUMENT…`. A user who
   * may not make groups runs them without a limit.
   */
  get command(): string {
    const group = `${this.#folder}/$$`
    const { limit } = this.#files
    const steps = [`mkdir ${group}`, `echo ${this.#limitBytes} >${group}/${limit}`]
    const enter = [...steps, `echo $$ >${group}/cgroup.procs`].join(' && ')
    return `{ ${enter}; } 2>/dev/null; exec "$@"`
  }

  /** Removes the groups whose processes have ended. Returns their use by the id of their first process. */
  takeEnded(): Map<number, GroupUse> {
    const ended = new Map<number, GroupUse>()
    for (const name of readdirSync(this.#folder).filter(entry => /^\d+$/.test(entry))) {
      const group = join(this.#folder, name)
      if (readFileSync(join(group, 'cgroup.procs'), 'utf8') !== '') continue
      ended.set(Number(name), this.useOf(Number(name)))
      rmdirSync(group)
    }
    return ended
  }

  /** What the group of this process has used up to now. */
  useOf(pid: number): GroupUse {
    const read = (file: string) => readFileSync(join(this.#folder, String(pid), file), 'utf8')
    const kills = /^oom_kill (\d+)/m.exec(read(this.#files.kills))?.[1]
    const [file, pattern] = this.#files.reached
    const reached = Number(pattern.exec(read(file))?.[1])
    return { peakBytes: Number(read(this.#files.peak)), reached, kills: Number(kills) }
  }

  /** Memory of the group of this process that the kernel cannot free without swap, bytes. */
  ownBytes(pid: number): number {
    const stat = readFileSync(join(this.#folder, String(pid), 'memory.stat'), 'utf8')
    return Number(this.#files.own.exec(stat)?.[1])
  }

  /** Removes the folder, which must contain no group. */
  remove(): void {
    rmdirSync(this.#folder)
  }
}
