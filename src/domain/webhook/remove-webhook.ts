import type { WebhookReference } from '#contracts/commands.ts'
import { findWebhook } from '#domain/webhook/find-webhook.ts'
import type { World } from '#domain/world.ts'

/** Removes a webhook; what it gave already is sent all the same. @throws Problem NOT_FOUND */
export function removeWebhook(world: World, which: WebhookReference): { readonly id: string } {
  const { id } = findWebhook(world, which)
  world.webhooks.remove(world.tx, id)
  return { id }
}
