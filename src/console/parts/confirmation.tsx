import { t } from '#console/language.ts'
import { When } from '#console/parts/basics.tsx'
import { T } from '#console/parts/t.tsx'
import type { SeenTriggerResource } from '#contracts/seen-trigger.ts'

/** The link by which AWS SNS wants to be confirmed. Only the owner's browser opens it, never the gateway. */
export function Confirmation({ trigger }: { trigger: SeenTriggerResource | undefined }) {
  if (trigger === undefined || trigger.confirmationUrl === null) return null
  return (
    <div class="notice wait" role="status">
      <p>
        <T>
          <strong>AWS SNS waits to be confirmed.</strong> It asked <When at={trigger.at} />, and sends no
          alert before you open its link. Roost does not open it by itself.
        </T>
      </p>
      <a class="button" href={trigger.confirmationUrl} target="_blank" rel="noopener noreferrer">
        {t('Confirm the subscription')}
      </a>
    </div>
  )
}
