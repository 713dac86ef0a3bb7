import { readFileSync, statSync } from 'node:fs'
import { connectControl } from '#app/control/control-client.ts'
import { VERSION } from '#app/version.ts'
import type { HealthProblem } from '#contracts/health.ts'
import { messageOf } from '#domain/cause.ts'
import type { GatewayState } from '#domain/doctor/facts.ts'
import { Problem } from '#domain/problem.ts'
import type { DataDirectory } from '#storage/data-directory.ts'

export interface SeenGateway {
  readonly state: GatewayState
  readonly problems: readonly HealthProblem[]
}

const NOBODY = { running: null, holder: null, ownVersion: VERSION, unreachable: null } as const

/** Nothing is opened but the socket of the gateway: no file is made, and no lock taken. */
export async function lookAtGateway(directory: DataDirectory): Promise<SeenGateway> {
  try {
    const gateway = await connectControl(directory.controlSocket, statSync(directory.path).uid)
    if (gateway === null) return { state: { ...NOBODY, holder: holderOf(directory.lock) }, problems: [] }
    try {
      const about = await gateway.about()
      const problems = await gateway.ask('health.list', { accountId: null }).catch(noneOfOlder)
      const running = {
        version: about?.version ?? 'of an older version',
        pid: about?.pid ?? 0,
        startedAt: Date.parse(about?.startedAt ?? ''),
        port: portOf(about?.url ?? ''),
      }
      return { state: { ...NOBODY, running }, problems }
    } finally {
      gateway.close()
    }
  } catch (error) {
    const fix = 'Run this as the owner of the data directory or as root (sudo); else restart the gateway.'
    const message = `The gateway cannot be asked: ${messageOf(error)}`
    return { state: { ...NOBODY, unreachable: { message, fix } }, problems: [] }
  }
}

/** A gateway older than the list of problems does not know the question; its version tells that. */
function noneOfOlder(error: unknown): readonly HealthProblem[] {
  if (error instanceof Problem && error.code === 'NOT_FOUND') return []
  throw error
}

function portOf(url: string): number {
  if (!URL.canParse(url)) return 0
  const { port, protocol } = new URL(url)
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

/**
 * The process that has the lock of the data directory, as the kernel tells it; null: none, or it cannot be
 * seen. To try the lock instead would take it from a gateway that starts.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_locks.5.html
 */
function holderOf(lock: string): number | null {
  try {
    const { ino, dev } = statSync(lock)
    const hex = (number: number) => number.toString(16).padStart(2, '0')
    const place = `${hex((dev >> 8) & 0xfff)}:${hex((dev & 0xff) | ((dev >> 12) & 0xfff00))}:${ino}`
    const held = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .map(line => line.trim().split(/\s+/))
      .find(words => words[5] === place)
    return Number(held?.[4]) || null
  } catch {
    return null
  }
}
