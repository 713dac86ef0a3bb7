import type { LiveWatcher } from '#contracts/phone-commands.ts'
import type { World } from '#domain/world.ts'

/**
 * Lets a listener get the account's news from now on. Only memory changes.
 *
 * @throws Problem CONFLICT when the account or the user has the maximum of open pages
 */
export function joinLive({ watched }: World, watcher: LiveWatcher): null {
  watched.join(watcher)
  return null
}

export function leaveLive({ watched }: World, watcher: LiveWatcher): null {
  watched.leave(watcher)
  return null
}
