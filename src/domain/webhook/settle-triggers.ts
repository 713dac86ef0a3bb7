import { windowAt } from '#domain/webhook/trigger-gate.ts'
import type { World } from '#domain/world.ts'

/**
 * Prepares the triggers of a webhook to be counted: rows that left the hour go. When the wall clock jumped
 * since the last look, the rows of all webhooks move with it first, so that each is as old as it really is.
 */
export function settleTriggers(
  { webhooks, wallJumps, tx, now }: Pick<World, 'webhooks' | 'wallJumps' | 'tx' | 'now'>,
  webhookId: string,
): void {
  const jumpMs = wallJumps.since(now)
  if (jumpMs !== 0) webhooks.moveTriggers(tx, jumpMs)
  webhooks.settle(tx, webhookId, windowAt(now.wallMs))
}
