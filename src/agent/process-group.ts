/** Processes as /proc shows them: which program has a process id, and how to end all of its processes. */
import { readdirSync, readFileSync } from 'node:fs'
import { type Clock, pause } from '#agent/clock.ts'

/** A killed process is usually gone within milliseconds. One that waits for a device may take longer. */
const END_MS_MAX = 10_000
const LOOK_EVERY_MS = 20

interface Stat {
  /** `Z`: it has ended, and only its parent still has to notice. */
  readonly state: string
  readonly group: string
  readonly session: string
  /** Clock ticks since the machine started. */
  readonly start: string
}

/** Start time and boot id of a process, which together are unique. Null if the system does not show them. */
export function startOf(pid: number): string | null {
  const stat = statOf(pid)
  return stat === null ? null : `${stat.start}@${bootId()}`
}

/** A variable in the environment of each command, by which its processes are found in any session. */
export const COMMAND_MARK = 'ROOST_COMMAND'

/**
 * Ends all processes of a command that ran in a group and a session of its own, and waits until they are
 * gone. Those that have left the session (`setsid`) are found by `COMMAND_MARK`, unless they are of another
 * user or have cleared their environment.
 *
 * @param command process id and `startOf` of the first process, and its mark, as `runProcess` wrote them
 * @returns false: whether they are gone is not known
 */
export async function endGroup(clock: Clock, command: string, signal: AbortSignal): Promise<boolean> {
  const [pidText = '', start = '', mark = ''] = command.split(' ')
  const pid = Number(pidText)
  const untilMs = clock.monotonicMs() + END_MS_MAX
  for (;;) {
    const strays = straysOf(mark)
    const isRunning = start.endsWith(`@${bootId()}`) ? hasMembers(pid, start) : start === '-' && exists(-pid)
    if (!isRunning && strays.length === 0) return true
    // Without a start time the group may belong to another program by now, so it stays as it is.
    if (start === '-' || signal.aborted || clock.monotonicMs() >= untilMs) return false
    if (isRunning) killGroup(pid)
    for (const stray of strays) kill(stray)
    await pause(clock, LOOK_EVERY_MS, signal)
  }
}

export function killGroup(pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (pid !== undefined) kill(-pid, signal)
}

function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has just ended.
  }
}

/** The running processes whose environment holds this mark; none without a mark. */
function straysOf(mark: string): number[] {
  if (mark === '') return []
  return processes().filter(pid => {
    const isMarked = readOrNull(`/proc/${pid}/environ`)?.split('\0').includes(`${COMMAND_MARK}=${mark}`)
    return isMarked === true && isAlive(statOf(pid))
  })
}

function processes(): number[] {
  const names = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return names.map(Number)
}

function isAlive(stat: Stat | null): stat is Stat {
  return stat !== null && stat.state !== 'Z' && stat.state !== 'X'
}

/** Whether the group still has processes. Its first process may have ended while others go on. */
function hasMembers(pid: number, start: string): boolean {
  const first = statOf(pid)
  // The process id of a group is not used again before its last process has ended.
  if (first !== null && `${first.start}@${bootId()}` !== start) return false
  return processes().some(other => {
    const stat = statOf(other)
    return isAlive(stat) && Number(stat.group) === pid && Number(stat.session) === pid
  })
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function statOf(pid: number): Stat | null {
  const stat = readOrNull(`/proc/${pid}/stat`)
  if (stat === null) return null
  // Fields 3, 5, 6 and 22 of proc(5), counted after the closing parenthesis: a name may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = '', , group = '', session = ''] = fields
  const start = fields[19]
  return start === undefined ? null : { state, group, session, start }
}

const bootId = () => (readOrNull('/proc/sys/kernel/random/boot_id') ?? '').trim()

export function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
