import type { CommandInput } from '#contracts/commands.ts'
import type { WebhookResource } from '#contracts/webhook.ts'
import { closeIncidentsOf } from '#domain/sending/raise-incident.ts'
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
