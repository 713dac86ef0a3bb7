/**
 * What root makes in the data directory of a service user, that service can no longer open. So a command that
 * root gives acts as the owner of the directory, from before it opens anything there.
 */
import { readFileSync, statSync } from 'node:fs'
import type { ProgramUser } from '#app/command-io.ts'
import { Problem } from '#domain/problem.ts'

/**
 * Becomes the owner of the data directory where that is another user; a directory that is not there yet will
 * be one's own.
 *
 * @throws Problem FORBIDDEN where root may not change its user, in a container without CAP_SETUID
 */
export function actAsOwner(directory: string, user: ProgramUser): void {
  if (user.uid !== 0) return
  const owner = statSync(directory, { throwIfNoEntry: false })
  if (owner === undefined || owner.uid === 0) return
  const { uid, gid } = owner
  try {
    user.become({ uid, gid })
  } catch {
    const name = nameOf(uid)
    throw new Problem(
      'FORBIDDEN',
      `${directory} belongs to the user ${name ?? uid}, and root may not act as that user here: ` +
        `run this as that user, for example: sudo -u ${name ?? `'#${uid}'`} roost …`,
    )
  }
}

function nameOf(uid: number): string | undefined {
  try {
    const users = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map(line => line.split(':'))
    return users.find(([, , number]) => number === String(uid))?.[0]
  } catch {
    return undefined
  }
}
