import type { AccountResource } from '#contracts/account.ts'
import { describeWebhook } from '#domain/webhook/describe-webhook.ts'
import { openReadOnly } from '#storage/database.ts'
import { openWebhookReader } from '#storage/webhook-reader.ts'

/**
 * The webhooks of these accounts, with each account's e-mail address. Reads the database without the writer.
 */
export function readWebhooks(file: string, accounts: readonly AccountResource[]) {
  const database = openReadOnly(file)
  try {
    const reader = openWebhookReader(database)
    const at = { triggers: reader.triggers, wallMs: Date.now() }
    return accounts.flatMap(({ accountId, email }) =>
      reader.list(accountId).map(webhook => ({ ...describeWebhook(webhook, at), account: email })),
    )
  } finally {
    database.close()
  }
}
