import type { WebhookReference } from '#contracts/commands.ts'
import type { WebhookResource } from '#contracts/webhook.ts'
import { describeWebhook } from '#domain/webhook/describe-webhook.ts'
import { findWebhook } from '#domain/webhook/find-webhook.ts'
import { hintOf } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/**
 * Gives a webhook a new token; the old one opens nothing from this transaction on, because every trigger is
 * looked up by its token's hash once more where it is accepted.
 *
 * @throws Problem NOT_FOUND
 */
export function rotateWebhook(world: World, which: WebhookReference): WebhookResource {
  const { webhooks, source, now } = world
  const known = findWebhook(world, which)
  const token = source.secret('')
  const webhook = { ...known, tokenHint: hintOf(token), updatedAt: now.wallMs }
  webhooks.saveToken(world.tx, webhook, source.hash(token))
  return describeWebhook(webhook, { triggers: webhooks.triggers, wallMs: now.wallMs }, token)
}
