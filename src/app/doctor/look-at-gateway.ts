import { readFileSync, statSync } from 'node:fs'
import { connectControl } from '#app/control/control-client.ts'
import type { HealthProblem } from '#contracts/health.ts'
import { VERSION } from '#contracts/version.ts'
import { messageOf } from '#domain/cause.ts'
import type { GatewayProcessFacts } from '#domain/doctor/facts.ts'
import { Problem } from '#domain/problem.ts'
import type { DataDirectory } from '#storage/data-directory.ts'

export interface SeenGateway {
  readonly state: GatewayProcessFacts
  readonly problems: readonly HealthProblem[]
}

const NOT_RUNNING = { running: null, holder: null, ownVersion: VERSION, unreachable: null } as const

/** Asks the running gateway for its state. Opens only its control socket: makes no file and takes no lock. */
export async function lookAtGateway(directory: DataDirectory): Promise<SeenGateway> {
  try {
    const gateway = await connectControl(directory.controlSocket, statSync(directory.path).uid)
    if (gateway === null) return { state: { ...NOT_RUNNING, holder: holderOf(directory.lock) }, problems: [] }
    try {
      const about = await gateway.about()
      const running = {
        version: about?.version ?? 'older',
        pid: about?.pid ?? 0,
        startedAt: Date.parse(about?.startedAt ?? ''),
        port: portOf(about?.url ?? ''),
      }
      const state = { ...NOT_RUNNING, running }
      const asked = gateway.ask('health.list', { accountId: null }).catch(noneIfOlder)
      return await asked.then(
        problems => ({ state, problems }),
        // It answered before, so it is the one that has the port.
        error => ({ state: { ...state, unreachable: unreachable(error) }, problems: [] }),
      )
    } finally {
      gateway.close()
    }
  } catch (error) {
    return { state: { ...NOT_RUNNING, unreachable: unreachable(error) }, problems: [] }
  }
}

function unreachable(error: unknown): GatewayProcessFacts['unreachable'] {
  return {
    message: `The gateway cannot be asked: ${messageOf(error)}`,
    fix:
      'Run this as the owner of the data directory or as root (sudo). If that does not help, restart the ' +
      'gateway.',
  }
}

/** An older gateway does not know `health.list`. Another check reports that it is older. */
function noneIfOlder(error: unknown): readonly HealthProblem[] {
  if (error instanceof Problem && error.code === 'NOT_FOUND') return []
  throw error
}

function portOf(url: string): number {
  if (!URL.canParse(url)) return 0
  const { port, protocol } = new URL(url)
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

/**
 * The id of the process that holds the lock of the data directory; null: none, or unknown. The kernel lists
 * all locks with the file's device (major and minor number) and inode. An attempt to take the lock instead
 * could keep it from a gateway that is starting.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_locks.5.html
 */
function holderOf(lock: string): number | null {
  try {
    const { ino, dev } = statSync(lock)
    const hex = (number: number) => number.toString(16).padStart(2, '0')
    const major = (dev >> 8) & 0xfff
    const minor = (dev & 0xff) | ((dev >> 12) & 0xfff00)
    const place = `${hex(major)}:${hex(minor)}:${ino}`
    const row = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .map(line => line.trim().split(/\s+/))
      .find(words => words[5] === place)
    return Number(row?.[4]) || null
  } catch {
    return null
  }
}
