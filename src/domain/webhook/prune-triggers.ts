import { windowAt } from '#domain/webhook/trigger-gate.ts'
import type { World } from '#domain/world.ts'

/** Prepares the triggers of a webhook for counting by removing rows older than an hour. */
export function pruneTriggers(
  { webhooks, tx, now }: Pick<World, 'webhooks' | 'tx' | 'now'>,
  webhookId: string,
): void {
  webhooks.prune(tx, webhookId, windowAt(now.wallMs))
}
