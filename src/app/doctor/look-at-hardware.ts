/**
 * Reads facts about memory cards, memory and clock: from the kernel, and from `timedatectl`. `root` is a
 * prefix of all paths, for tests.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CardFacts, ClockFacts, Fact, MemoryFacts } from '#domain/doctor/facts.ts'

/** Milliseconds of one clock tick in /proc (USER_HZ is 100). */
const TICK_MS = 10
const TIMEDATECTL_MS_MAX = 10_000

/** @see https://docs.kernel.org/driver-api/mmc/mmc-dev-attrs.html */
export function lookAtCards(root = ''): Fact<readonly CardFacts[]> {
  const blocks = join(root, '/sys/block')
  if (!existsSync(blocks)) return { unreadable: 'Memory cards cannot be examined: there is no /sys/block' }
  return readdirSync(blocks)
    .filter(device => /^mmcblk\d+$/.test(device))
    .map(device => {
      const attribute = (name: string) => read(join(blocks, device, 'device', name))?.trim() ?? ''
      // Two values, for the fast and the slow cells of the card; 0: not defined.
      const lifeTimes = attribute('life_time').split(/\s+/).map(Number).filter(Boolean)
      return {
        device: `/dev/${device}`,
        name: attribute('name') || device,
        wornTenths: lifeTimes.length > 0 ? Math.max(...lifeTimes) : null,
        spareState: Number(attribute('pre_eol_info')) || null,
      }
    })
}

export function lookAtMemory(pid: number | null, root = ''): Fact<MemoryFacts> {
  const table = read(join(root, '/proc/meminfo'))
  if (table === null) return { unreadable: 'Memory cannot be examined: there is no /proc/meminfo' }
  const bytesOf = (name: string) =>
    Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(table)?.[1] ?? 0) * 1024
  const totalBytes = bytesOf('MemTotal')
  const group = pid === null ? null : groupOf(pid, root)
  const limit = Math.min(...(group?.limits ?? []))
  return {
    availableBytes: bytesOf('MemAvailable'),
    totalBytes,
    // A group without a limit reports a huge number.
    limitBytes: limit < totalBytes ? limit : null,
    kills: group?.kills ?? null,
  }
}

/**
 * The memory limits of a process's control group (version 2 or 1) and of all groups above it. `kills`: how
 * many processes of the group the kernel killed for lack of memory.
 */
function groupOf(pid: number, root: string): { limits: readonly number[]; kills: number | null } | null {
  const lines = (read(join(root, `/proc/${pid}/cgroup`)) ?? '').split('\n').map(line => line.split(':'))
  const version1 = lines.find(([, controllers]) => controllers?.split(',').includes('memory'))
  const path = (version1 ?? lines.find(([number]) => number === '0'))?.[2]
  if (path === undefined) return null
  const top = join(root, version1 === undefined ? '/sys/fs/cgroup' : '/sys/fs/cgroup/memory')
  const [limitFile, killFile] =
    version1 === undefined ? ['memory.max', 'memory.events'] : ['memory.limit_in_bytes', 'memory.oom_control']
  const limits: number[] = []
  for (let folder = path; ; folder = dirname(folder)) {
    const limit = Number.parseInt(read(join(top, folder, limitFile)) ?? '', 10)
    if (!Number.isNaN(limit)) limits.push(limit)
    if (folder === '/' || folder === '.') break
  }
  const kills = /^oom_kill (\d+)$/m.exec(read(join(top, path, killFile)) ?? '')?.[1]
  return { limits, kills: kills === undefined ? null : Number(kills) }
}

export interface ClockQuestion {
  readonly now: number
  /** The running gateway. `startedAt`: the wall clock at its start, milliseconds since 1970. */
  readonly running: { readonly pid: number; readonly startedAt: number } | null
  readonly root?: string
  /** Runs `timedatectl show` and returns its output; null: it is not installed, or fails. */
  readonly askTime?: () => string | null
}

export function lookAtClock({
  now,
  running,
  root = '',
  askTime = askTimedatectl,
}: ClockQuestion): ClockFacts {
  const answer = /^NTPSynchronized=(yes|no)$/m.exec(askTime() ?? '')?.[1]
  return {
    isSynchronised: answer === undefined ? null : answer === 'yes',
    steppedMs: running === null ? null : stepSince(running, now, root),
  }
}

/**
 * How far the wall clock was set since the gateway started, milliseconds. The kernel measures the age of a
 * process on a clock that cannot be set.
 */
function stepSince(
  { pid, startedAt }: NonNullable<ClockQuestion['running']>,
  now: number,
  root: string,
): number | null {
  const uptimeMs = Number.parseFloat(read(join(root, '/proc/uptime')) ?? '') * 1000
  // Field 22 is the start time. Field 2, the program's name in brackets, may contain spaces, so fields are
  // counted after it.
  const fields = (read(join(root, `/proc/${pid}/stat`)) ?? '').split(') ').at(-1)?.split(' ')
  const startMs = Number(fields?.[19] ?? Number.NaN) * TICK_MS
  const steppedMs = now - (uptimeMs - startMs) - startedAt
  return Number.isFinite(steppedMs) ? steppedMs : null
}

function askTimedatectl(): string | null {
  const { status, stdout } = spawnSync('timedatectl', ['show', '--property=NTPSynchronized'], {
    encoding: 'utf8',
    timeout: TIMEDATECTL_MS_MAX,
  })
  return status === 0 ? stdout : null
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
