/**
 * Allows one agent per state file. The lock is a file that names the process that holds it, because Node
 * has no flock. After kill -9 the file stays. So the next agent checks whether that process still runs. It
 * compares the pid and, if /proc exists, the start time and the boot id, because pids are reused (in a
 * container at every start).
 */
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { AgentError, reasonOf, systemCode } from '#agent/agent-error.ts'
import { readOrNull, startOf } from '#agent/process-group.ts'

/** Takes the lock. The returned function releases it. @throws AgentError if another agent holds the lock */
export function takeLock(file: string): () => void {
  const ownLock = `${process.pid} ${startOf(process.pid) ?? '-'}\n`
  for (let tries = 0; tries < 3; tries++) {
    if (createLock(file, ownLock)) return () => release(file, ownLock)
    const foundLock = readOrNull(file)
    if (foundLock === null) continue
    if (isAlive(foundLock, ownLock)) {
      throw new AgentError(
        `Another agent (process ${Number.parseInt(foundLock, 10)}) uses this state file; stop it, ` +
          'or name another with --state.',
      )
    }
    removeStale(file, foundLock)
  }
  throw new AgentError(`The lock ${file} cannot be taken: several agents start at once; try again.`)
}

function createLock(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, content, { mode: 0o600 })
  } catch (error) {
    throw new AgentError(`The lock ${file} cannot be written: ${reasonOf(error)}.`)
  }
  try {
    // A hard link appears with its content. A file created with O_EXCL is empty for a moment and looks stale.
    linkSync(draft, file)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    // The file system has no hard links, as on a phone's shared storage.
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

/** Renames the stale lock before removing it. Puts the file back if it is the new lock of another agent. */
function removeStale(file: string, stale: string): void {
  const aside = `${file}.${process.pid}.stale`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw error
  }
  const moved = readOrNull(aside)
  if (moved !== stale && moved !== null) createLock(file, moved)
  rmSync(aside, { force: true })
}

function release(file: string, ownLock: string): void {
  if (readOrNull(file) === ownLock) rmSync(file, { force: true })
}

function isAlive(foundLock: string, ownLock: string): boolean {
  if (foundLock === ownLock) return false
  const [pidText = '', ...rest] = foundLock.trim().split(' ')
  const pid = Number.parseInt(pidText, 10)
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
  const start = rest.join(' ')
  const startNow = startOf(pid)
  return startNow === null || start === '-' || start === startNow
}
