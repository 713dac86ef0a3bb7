import { windowAt } from '#domain/webhook/trigger-gate.ts'
import type { World } from '#domain/world.ts'

/**
 * Prepares the triggers of a webhook for counting by removing rows older than an hour. If the wall clock
 * jumped since the last call, this first moves the times of all rows by the jump, so that each row keeps
 * its real age.
 */
export function pruneTriggers(
  { webhooks, wallJumps, tx, now }: Pick<World, 'webhooks' | 'wallJumps' | 'tx' | 'now'>,
  webhookId: string,
): void {
  const jumpMs = wallJumps.measure(now)
  if (jumpMs !== 0) webhooks.moveTriggers(tx, jumpMs)
  webhooks.prune(tx, webhookId, windowAt(now.wallMs))
}
