import { LIVE_SOCKETS_PER_ACCOUNT_MAX } from '#contracts/bounds.ts'
import type { LiveWatcher } from '#contracts/phone-commands.ts'
import { Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/**
 * Lets a listener get the account's news from now on. Only memory changes.
 *
 * @throws Problem CONFLICT when the account has the maximum of open pages
 */
export function joinLive({ watched }: World, watcher: LiveWatcher): null {
  if (watched.join(watcher)) return null
  throw new Problem(
    'CONFLICT',
    `${LIVE_SOCKETS_PER_ACCOUNT_MAX} live sockets of this account are open: close a page`,
  )
}

export function leaveLive({ watched }: World, watcher: LiveWatcher): null {
  watched.leave(watcher)
  return null
}
