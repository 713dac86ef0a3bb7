/**
 * A service that runs as its own user cannot open files that root created in its data directory. A command
 * run by root therefore switches to the owner of the directory before it opens a file there.
 */
import { statSync } from 'node:fs'
import type { ProgramUser } from '#app/command-io.ts'
import { nameUser } from '#app/name-user.ts'
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
    const name = nameUser(uid)
    throw new Problem(
      'FORBIDDEN',
      `${directory} belongs to the user ${name}, and root may not act as that user here: ` +
        `run this as that user, for example: sudo -u ${name === String(uid) ? `'#${uid}'` : name} roost …`,
    )
  }
}
