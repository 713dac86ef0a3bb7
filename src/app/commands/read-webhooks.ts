import type { AccountResource } from '#contracts/account.ts'
import { SEEN_TRIGGERS_KEPT_MS } from '#contracts/bounds.ts'
import type { WebhookReference } from '#contracts/webhook-commands.ts'
import { describeWebhook } from '#domain/webhook/describe-webhook.ts'
import { openReadOnly } from '#storage/database.ts'
import { openSeenTriggerReader } from '#storage/seen-trigger-reader.ts'
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

/** The last triggers of a webhook, newest first, and its settled readings. Reads without the writer. */
export function readHistory(file: string, { accountId, webhookId }: WebhookReference) {
  const database = openReadOnly(file)
  try {
    const webhook = openWebhookReader(database).find(accountId, webhookId)
    const triggers = openSeenTriggerReader(database).list(webhookId, Date.now() - SEEN_TRIGGERS_KEPT_MS)
    return { triggers, readings: webhook?.readings ?? {} }
  } finally {
    database.close()
  }
}
