import { t } from '#console/language.ts'
import { Dotted, Empty, Fault, Loading, Mark, PageHead, When } from '#console/parts/basics.tsx'
import { EntryLink } from '#console/parts/entry-link.tsx'
import { PhoneNumber } from '#console/parts/phone-number.tsx'
import { T } from '#console/parts/t.tsx'
import { useResource } from '#console/use-resource.ts'
import { heardBy } from '#console/webhook-draft.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

/** One call for all lines, with what their last alerts read like. */
const LIST = 'webhooks?lastAlert=true'

/** Addresses that turn what monitors post into texts. */
export function WebhooksPage() {
  const { data, isLoading, error, reload } = useResource<readonly WebhookResource[]>(LIST, ['webhook'])
  return (
    <>
      <PageHead title={t('Webhooks')}>
        {data?.length !== 0 && (
          <a class="button primary" href="#/webhooks/new">
            {t('Make a webhook')}
          </a>
        )}
      </PageHead>
      <Fault error={error} retry={reload} />
      {isLoading && <Loading />}
      {data?.length === 0 && (
        <Empty title={t('No webhook yet')} drawing="hook">
          <p>
            <T>
              A webhook is a secret address. What a monitor posts there becomes a text to the people you
              choose.
            </T>
          </p>
          <p>
            <a class="button primary" href="#/webhooks/new">
              {t('Make a webhook')}
            </a>
          </p>
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <ul class="list hooks">
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
        <span>
          <strong dir="auto">{webhook.name}</strong>{' '}
          {!enabled && <Mark tone="dim" mark="off" word={t('Off')} />}
        </span>
        <LastAlert webhook={webhook} />
        <span class="dim about">
          <Dotted
            parts={[
              ...(told === null ? [] : [<PhoneNumber number={told} />]),
              ...(policyId === null ? [] : [t('somebody must answer')]),
              ...(webhook.lastAlert?.guess === true ? [t('unknown format')] : []),
              <Used used={usage.thisHour} max={maxPerHour} />,
              ...(usage.rejected > 0 ? [t('{rejected} refused', { rejected: usage.rejected })] : []),
            ]}
          />
        </span>
      </EntryLink>
    </li>
  )
}

/** How much of its limit a webhook has used, as a small bar and in words. */
function Used({ used, max }: { used: number; max: number }) {
  return (
    <>
      <meter aria-hidden="true" max={max} high={max * 0.8} value={used} />{' '}
      {t('{thisHour} of {maxPerHour} in 60 minutes', { thisHour: used, maxPerHour: max })}
    </>
  )
}

/** What the last alert read like, and how old it is. */
function LastAlert({ webhook: { usage, lastAlert: last } }: { webhook: WebhookResource }) {
  const isHeard = usage.lastTriggeredAt !== null
  return (
    <>
      <span class="dim end">{isHeard && <When at={last?.at ?? usage.lastTriggeredAt} />}</span>
      <span class="one-line" dir="auto">
        {isHeard ? (
          (last?.message ?? t('its alerts became no text in the last 7 days'))
        ) : (
          <span class="next">{t('No alert yet. Open it to try it, or for a new address.')}</span>
        )}
      </span>
    </>
  )
}
