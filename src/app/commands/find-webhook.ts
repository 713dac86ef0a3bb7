import type { WriterAndConfig } from '#app/commands/with-writer.ts'
import type { WebhookReference } from '#contracts/webhook-commands.ts'
import { notFound, Problem } from '#domain/problem.ts'

/**
 * Finds a webhook by its id, or else by its name. @throws Problem NOT_FOUND; CONFLICT: several have that name
 */
export async function findWebhook({ writer }: WriterAndConfig, idOrName: string): Promise<WebhookReference> {
  const { readWebhooks } = await import('#app/commands/read-webhooks.ts')
  const accounts = await writer.ask('account.list', {})
  const webhooks = readWebhooks(writer.directory.database, accounts)
  const byId = webhooks.filter(({ id }) => id === idOrName)
  const [found, second] = byId.length > 0 ? byId : webhooks.filter(({ name }) => name === idOrName)
  if (found === undefined) throw notFound('webhook')
  if (second !== undefined)
    throw new Problem('CONFLICT', `several webhooks are called ${idOrName}: give the id (roost webhook list)`)
  const owner = accounts.find(({ email }) => email === found.account)
  return { accountId: owner?.accountId ?? '', webhookId: found.id }
}
