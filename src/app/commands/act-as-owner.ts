/**
 * A service that runs as its own user cannot open files that root created in its data directory. A command
 * run by root therefore switches to the owner of the directory before it opens a file there.
 */
import { readFileSync, statSync } from 'node:fs'
import type { ProgramUser } from '#app/command-io.ts'
import { Problem } from '#domain/problem.ts'

/**
 * Switches to the owner of the data directory, if root runs the command and another user owns the directory.
 * A directory that does not exist yet will belong to the current user.
 *
 * @throws Problem FORBIDDEN if root may not change its user, as in a container without CAP_SETUID
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
