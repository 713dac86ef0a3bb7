import { windowAt } from '#domain/webhook/trigger-gate.ts'
import type { World } from '#domain/world.ts'

/**
 * Prepares the triggers of a webhook for counting: rows older than an hour are removed. If the wall clock
 * jumped since the last call, the rows of all webhooks are first moved with it, so that each has its real
 * age.
 */
export function settleTriggers(
  { webhooks, wallJumps, tx, now }: Pick<World, 'webhooks' | 'wallJumps' | 'tx' | 'now'>,
  webhookId: string,
): void {
  const jumpMs = wallJumps.since(now)
  if (jumpMs !== 0) webhooks.moveTriggers(tx, jumpMs)
  webhooks.settle(tx, webhookId, windowAt(now.wallMs))
}
