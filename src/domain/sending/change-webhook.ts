import type { CommandInput } from '#contracts/commands.ts'
import type { WebhookResource } from '#contracts/webhook.ts'
import type { WebhookReference } from '#contracts/webhook-commands.ts'
import { closeIncidentsOf } from '#domain/sending/raise-incident.ts'
import { tellAtOnce } from '#domain/sending/tell-storm.ts'
import { findWebhook, updateWebhook } from '#domain/webhook/manage-webhook.ts'
import type { World } from '#domain/world.ts'

/**
 * Changes a webhook. Without its policy nothing more is known of its incidents, so they are closed.
 *
 * @throws Problem as `updateWebhook`
 */
export function changeWebhook(world: World, input: CommandInput<'webhook.update'>): WebhookResource {
  const changed = updateWebhook(world, input)
  if (input.change.policyId === null) closeIncidentsOf(world, findWebhook(world, input))
  return changed
}

/**
 * Removes a webhook. Messages that it accepted are still sent, what it gathered is told at once, and
 * its incidents are closed.
 *
 * @throws Problem NOT_FOUND
 */
export function removeWebhook(world: World, which: WebhookReference): { readonly id: string } {
  const webhook = findWebhook(world, which)
  const { id } = webhook
  tellAtOnce(world, webhook)
  closeIncidentsOf(world, webhook)
  world.seenTriggers.forget(world.tx, id)
  world.webhooks.remove(world.tx, id)
  return { id }
}
