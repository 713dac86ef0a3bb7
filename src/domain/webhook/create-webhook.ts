import { WEBHOOKS_PER_ACCOUNT_MAX } from '#contracts/bounds.ts'
import type { WebhookFields } from '#contracts/commands.ts'
import type { WebhookResource } from '#contracts/webhook.ts'
import { Problem } from '#domain/problem.ts'
import { describeWebhook } from '#domain/webhook/describe-webhook.ts'
import { checkDevice } from '#domain/webhook/find-webhook.ts'
import { hintOf, NO_TRIGGERS, type Webhook } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/**
 * Makes a webhook with a token of its own, which is told this once.
 *
 * @throws Problem INVALID_REQUEST (deviceId), CONFLICT (too many)
 */
export function createWebhook(
  world: World,
  { accountId, fields }: { readonly accountId: string; readonly fields: WebhookFields },
): WebhookResource {
  const { webhooks, source, now, tx } = world
  checkDevice(world, accountId, fields.deviceId)
  if (webhooks.list(accountId).length >= WEBHOOKS_PER_ACCOUNT_MAX)
    throw new Problem('CONFLICT', `there are ${WEBHOOKS_PER_ACCOUNT_MAX} webhooks already: remove one first`)
  const token = source.secret('')
  const webhook: Webhook = {
    ...fields,
    id: source.id('whk_', now.wallMs),
    accountId,
    tokenHint: hintOf(token),
    createdAt: now.wallMs,
    updatedAt: now.wallMs,
    counters: NO_TRIGGERS,
  }
  webhooks.insert(tx, webhook, source.hash(token))
  return describeWebhook(webhook, { triggers: webhooks.triggers, wallMs: now.wallMs }, token)
}
