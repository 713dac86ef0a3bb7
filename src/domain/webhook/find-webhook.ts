import type { WebhookReference } from '#contracts/commands.ts'
import { notFound } from '#domain/problem.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/** @throws Problem NOT_FOUND, also for another account's */
export function findWebhook(world: World, { accountId, webhookId }: WebhookReference): Webhook {
  const webhook = world.webhooks.find(accountId, webhookId)
  if (webhook === undefined) throw notFound('webhook')
  return webhook
}

/** @throws Problem NOT_FOUND when the phone that is to send is not the account's, as at a send */
export function checkDevice(world: World, accountId: string, deviceId: string | null): void {
  if (deviceId === null || world.fleet.phoneOf(accountId, deviceId) !== undefined) return
  throw notFound('device')
}
