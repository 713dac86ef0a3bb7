import type { CommandInput } from '#contracts/commands.ts'
import type { World } from '#domain/world.ts'

/** Counts triggers that listeners refused; a webhook that is gone meanwhile has nobody to tell. */
export function rejectTriggers(world: World, { counts }: CommandInput<'webhook.reject'>): null {
  for (const [id, count] of counts) world.webhooks.reject(world.tx, id, count)
  return null
}
