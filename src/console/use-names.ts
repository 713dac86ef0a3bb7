import { t } from '#console/language.ts'
import { useResource } from '#console/use-resource.ts'

/** The name of a thing. Null: there is none, or its name is not known yet. */
export type NameThing = (id: string | null) => string | null

/** Names the webhooks with these ids. Fetches the webhooks only if there is an id. */
export function useWebhookNames(ids: readonly (string | null)[]): NameThing {
  return useNames('webhooks', ids, t('a webhook that was removed'))
}

/** The same for forwards. */
export function useForwardNames(ids: readonly (string | null)[]): NameThing {
  return useNames('forwards', ids, t('a forward that was removed'))
}

function useNames(path: string, ids: readonly (string | null)[], gone: string): NameThing {
  const isAsked = ids.some(id => id !== null)
  const { data } = useResource<readonly { id: string; name: string }[]>(isAsked ? path : null, [])
  return id => {
    if (id === null || data === undefined) return null
    return data.find(one => one.id === id)?.name ?? gone
  }
}
