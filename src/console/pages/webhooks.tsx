import { t } from '#console/language.ts'
import { Dotted, Empty, Fault, Loading, Mark, PageHead, When } from '#console/parts/basics.tsx'
import { EntryLink } from '#console/parts/entry-link.tsx'
import { T } from '#console/parts/t.tsx'
import { useResource } from '#console/use-resource.ts'
import { heardBy } from '#console/webhook-draft.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

/** Addresses that turn what monitors post into texts. */
export function WebhooksPage() {
  const { data, isLoading, error, reload } = useResource<readonly WebhookResource[]>('webhooks', ['webhook'])
  return (
    <>
      <PageHead title={t('Webhooks')}>
        <a class="button primary" href="#/webhooks/new">
          {t('Make a webhook')}
        </a>
      </PageHead>
      <Fault error={error} retry={reload} />
      {isLoading && <Loading />}
      {data?.length === 0 && (
        <Empty title={t('No webhook yet')} drawing="alert">
          <p>
            <T>
              A webhook is a secret address. What a monitor posts there becomes a text to the people you
              choose.
            </T>
          </p>
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <ul class="list">
          {data.map(webhook => (
            <Line key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </>
  )
}

function Line({ webhook }: { webhook: WebhookResource }) {
  const { usage, policyId, enabled, maxPerHour } = webhook
  const told = heardBy(webhook)
  return (
    <li>
      <EntryLink href={`#/webhooks/${webhook.id}`}>
        <strong>{webhook.name}</strong>
        <Mark
          tone={enabled ? 'good' : 'dim'}
          mark={enabled ? '●' : '○'}
          word={enabled ? t('On') : t('Off')}
        />
        <span class="dim">
          <Dotted
            parts={[
              ...(told === null ? [] : [told]),
              ...(policyId === null ? [] : [t('somebody must answer')]),
              t('{thisHour} of {maxPerHour} in 60 minutes', { thisHour: usage.thisHour, maxPerHour }),
              ...(usage.rejected > 0 ? [t('{rejected} refused', { rejected: usage.rejected })] : []),
            ]}
          />
        </span>
        <span class="dim end">
          {usage.lastTriggeredAt === null ? t('no alert yet') : <When at={usage.lastTriggeredAt} />}
        </span>
      </EntryLink>
    </li>
  )
}
