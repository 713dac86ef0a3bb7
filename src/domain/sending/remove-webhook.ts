import type { WebhookReference } from '#contracts/commands.ts'
import { tellAtOnce } from '#domain/sending/tell-storm.ts'
import { findWebhook } from '#domain/webhook/manage-webhook.ts'
import type { World } from '#domain/world.ts'

/**
 * Removes a webhook. Messages that it accepted are still sent, and what it gathered is told at once.
 *
 * @throws Problem NOT_FOUND
 */
export function removeWebhook(world: World, which: WebhookReference): { readonly id: string } {
  const webhook = findWebhook(world, which)
  const { id } = webhook
  tellAtOnce(world, webhook)
  world.webhooks.remove(world.tx, id)
  world.seenTriggers.forget(world.tx, id)
  return { id }
}
