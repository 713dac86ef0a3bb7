import { oneCalled } from '#app/commands/one-called.ts'
import type { WriterAndConfig } from '#app/commands/with-writer.ts'
import type { WebhookReference } from '#contracts/webhook-commands.ts'

/**
 * Finds a webhook by its id, or else by its name. @throws Problem NOT_FOUND; CONFLICT: several have that name
 */
export async function findWebhook({ writer }: WriterAndConfig, idOrName: string): Promise<WebhookReference> {
  const { readWebhooks } = await import('#app/commands/read-webhooks.ts')
  const accounts = await writer.ask('account.list', {})
  const webhooks = readWebhooks(writer.directory.database, accounts)
  const found = oneCalled(webhooks, idOrName, ['webhook', 'webhooks'])
  const owner = accounts.find(({ email }) => email === found.account)
  return { accountId: owner?.accountId ?? '', webhookId: found.id }
}
