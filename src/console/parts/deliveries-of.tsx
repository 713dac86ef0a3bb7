import { t } from '#console/language.ts'
import { DeliveryLines } from '#console/parts/delivery-lines.tsx'
import { useResource } from '#console/use-resource.ts'
import type { DeliveryResource } from '#contracts/notification.ts'

/** The notifications about a text. */
export function DeliveriesOf({ messageId }: { messageId: string }) {
  const path = `notifications/deliveries?messageId=${encodeURIComponent(messageId)}`
  const { data = [] } = useResource<readonly DeliveryResource[]>(path, ['delivery'])
  return (
    <section>
      <h2>{t('Notifications about it')}</h2>
      <DeliveryLines deliveries={data} />
    </section>
  )
}
