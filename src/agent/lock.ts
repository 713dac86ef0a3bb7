/**
 * One agent a state file. The lock is a file that names its holder; Node has no flock, so a lock left behind
 * by kill -9 is told from a live one by asking whether that very process still runs: its pid, and where
 * /proc is there, its start time and the boot, because pids are used again (in a container at every start).
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { AgentError, reasonOf, systemCode } from '#agent/agent-error.ts'

/** Takes the lock or throws an AgentError; the answer gives it back. */
export function takeLock(file: string): () => void {
  const mine = `${process.pid} ${birthOf(process.pid) ?? '-'}\n`
  for (let tries = 0; tries < 3; tries++) {
    if (createWith(file, mine)) return () => giveBack(file, mine)
    const held = readOrNull(file)
    if (held === null) continue
    if (isAlive(held, mine)) {
      throw new AgentError(
        `Another agent (process ${Number.parseInt(held, 10)}) uses this state file; stop it, ` +
          'or name another with --state.',
      )
    }
    removeStale(file, held)
  }
  throw new AgentError(`The lock ${file} cannot be taken: several agents start at once; try again.`)
}

function createWith(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, content, { mode: 0o600 })
  } catch (error) {
    throw new AgentError(`The lock ${file} cannot be written: ${reasonOf(error)}.`)
  }
  try {
    // A link appears with its content; a file made with O_EXCL is empty for a moment, and looks abandoned.
    linkSync(draft, file)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    // File systems without links, such as a phone's shared storage.
    return createExclusively(file, content)
  } finally {
    rmSync(draft, { force: true })
  }
}

function createExclusively(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Moves the lock aside before it is removed: when another agent was faster, what was moved is put back. */
function removeStale(file: string, stale: string): void {
  const aside = `${file}.${process.pid}.stale`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw error
  }
  const moved = readOrNull(aside)
  if (moved !== stale && moved !== null) createWith(file, moved)
  rmSync(aside, { force: true })
}

function giveBack(file: string, mine: string): void {
  if (readOrNull(file) === mine) rmSync(file, { force: true })
}

function isAlive(held: string, mine: string): boolean {
  if (held === mine) return false
  const [pidText = '', ...rest] = held.trim().split(' ')
  const pid = Number.parseInt(pidText, 10)
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
  const birth = rest.join(' ')
  const birthNow = birthOf(pid)
  return birthNow === null || birth === '-' || birth === birthNow
}

/** When this process began, in a way that no other process shares; null where the system does not tell. */
function birthOf(pid: number): string | null {
  const stat = readOrNull(`/proc/${pid}/stat`)
  const boot = readOrNull('/proc/sys/kernel/random/boot_id')
  if (stat === null) return null
  // Field 22, counted after the command's closing parenthesis: the command may hold spaces (proc(5)).
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return started === undefined ? null : `${started}@${(boot ?? '').trim()}`
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
