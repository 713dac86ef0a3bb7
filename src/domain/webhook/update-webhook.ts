import type { WebhookFields, WebhookReference } from '#contracts/commands.ts'
import type { WebhookResource } from '#contracts/webhook.ts'
import { describeWebhook } from '#domain/webhook/describe-webhook.ts'
import { checkDevice, findWebhook } from '#domain/webhook/find-webhook.ts'
import type { World } from '#domain/world.ts'

/**
 * Changes what is named and leaves the rest.
 *
 * @throws Problem NOT_FOUND, INVALID_REQUEST (deviceId)
 */
export function updateWebhook(
  world: World,
  input: WebhookReference & { readonly change: Partial<WebhookFields> },
): WebhookResource {
  const { webhooks, now } = world
  const known = findWebhook(world, input)
  const { change } = input
  if (change.deviceId !== undefined) checkDevice(world, input.accountId, change.deviceId)
  const webhook = { ...known, ...change, updatedAt: now.wallMs }
  webhooks.save(world.tx, webhook)
  return describeWebhook(webhook, { triggers: webhooks.triggers, wallMs: now.wallMs })
}
