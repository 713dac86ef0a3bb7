import { t } from '#console/language.ts'
import { useResource } from '#console/use-resource.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

/** The name of a webhook. Null: there is no webhook, or its name is not known yet. */
export type NameWebhook = (id: string | null) => string | null

/** Names the webhooks with these ids. Fetches the webhooks only if there is an id. */
export function useWebhookNames(ids: readonly (string | null)[]): NameWebhook {
  const isAsked = ids.some(id => id !== null)
  const { data } = useResource<readonly WebhookResource[]>(isAsked ? 'webhooks' : null, [])
  return id => {
    if (id === null || data === undefined) return null
    return data.find(webhook => webhook.id === id)?.name ?? t('a webhook that was removed')
  }
}
