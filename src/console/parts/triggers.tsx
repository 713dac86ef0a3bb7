import { Meter, When } from '#console/parts/basics.tsx'
import { useResource } from '#console/use-resource.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

interface LastTriggers {
  readonly triggers: readonly {
    readonly at: string
    readonly address: string
    readonly outcome: string
    readonly format: string | null
    readonly message: string | null
  }[]
  readonly lastBody: string | null
}

/** What came to a webhook last. */
export function Triggers({ webhook }: { webhook: WebhookResource }) {
  const { usage, maxPerHour } = webhook
  const last = useResource<LastTriggers | LastTriggers['triggers']>(`webhooks/${webhook.id}/triggers`, [
    'webhook',
  ])
  const found = last.data
  const rows = found === undefined ? [] : 'triggers' in found ? found.triggers : found
  const lastBody = found !== undefined && 'lastBody' in found ? found.lastBody : null
  return (
    <section class="card" aria-labelledby="triggers">
      <h2 id="triggers">What came</h2>
      <Meter label="Alerts in the last 60 minutes" value={usage.thisHour} max={maxPerHour} />
      <p class="dim">
        {usage.today} today, {usage.total} in all, {usage.rejected} refused; the last{' '}
        <When at={usage.lastTriggeredAt} />.
      </p>
      {rows.length > 0 && (
        <ul class="timeline">
          {rows.map(row => (
            <li key={row.at}>
              <strong>{row.message ?? row.outcome}</strong>
              <br />
              <span class="dim">
                <When at={row.at} /> · from {row.address} · {row.outcome.toLowerCase()}
              </span>
            </li>
          ))}
        </ul>
      )}
      {lastBody !== null && (
        <details>
          <summary>What it posted last</summary>
          <pre>{lastBody}</pre>
        </details>
      )}
    </section>
  )
}
