import type { ComponentChild } from 'preact'
import { FIELD_LABELS } from '#console/field-labels.ts'
import { labelFields } from '#console/field-words.ts'
import { t } from '#console/language.ts'
import { ConversationPage } from '#console/pages/conversation.tsx'
import { DeliveryPage } from '#console/pages/delivery.tsx'
import { DevicePage } from '#console/pages/device.tsx'
import { DeviceGroupPage } from '#console/pages/device-group.tsx'
import { ForwardPage, ForwardsPage } from '#console/pages/forwards.tsx'
import { GroupPage } from '#console/pages/group.tsx'
import { MorePage } from '#console/pages/more.tsx'
import { NotificationsPage } from '#console/pages/notifications.tsx'
import { OnCallPage } from '#console/pages/on-call.tsx'
import { OptOutsPage } from '#console/pages/opt-outs.tsx'
import { PairPage } from '#console/pages/pair.tsx'
import { PersonPage } from '#console/pages/person.tsx'
import { PolicyPage } from '#console/pages/policy.tsx'
import { RotaPage } from '#console/pages/rota.tsx'
import { SettingsPage } from '#console/pages/settings.tsx'
import { NewWebhookPage, WebhookPage } from '#console/pages/webhook.tsx'
import { WebhooksPage } from '#console/pages/webhooks.tsx'
import { WritePage } from '#console/pages/write.tsx'
import { DeliveryLines } from '#console/parts/delivery-lines.tsx'
import { Locked } from '#console/parts/locked.tsx'
import type { PageAddress } from '#console/route.ts'
import { useResource } from '#console/use-resource.ts'
import type { DeliveryResource } from '#contracts/notification.ts'

labelFields(FIELD_LABELS)

/**
 * The pages, and parts of one, that few people open first. A browser loads their file when the first of them
 * is opened.
 */
export function LaterPages({ page, id, query }: PageAddress) {
  switch (page) {
    case 'on-call':
      return <OnCallPage />
    case 'people':
      return locked(<PersonPage id={existing(id)} />)
    case 'groups':
      return locked(<GroupPage id={existing(id)} />)
    case 'rotas':
      return locked(<RotaPage id={existing(id)} />)
    case 'policies':
      return locked(<PolicyPage id={existing(id)} />)
    case 'webhooks':
      if (id === null) return <WebhooksPage />
      return id === 'new' ? <NewWebhookPage /> : <WebhookPage id={id} />
    case 'device-groups':
      return <DeviceGroupPage id={existing(id)} />
    case 'texts':
      if (id === null || id === 'new') return <WritePage query={query} />
      return <ConversationPage key={id} from={id} />
    case 'more':
      return <MorePage />
    case 'devices':
      return id === 'pair' ? <PairPage /> : <DevicePage id={id ?? ''} />
    case 'deliveries-of':
      return <DeliveriesOf messageId={id ?? ''} />
    case 'opt-outs':
      return <OptOutsPage />
    case 'notifications':
      return id === null ? <NotificationsPage query={query} /> : <DeliveryPage id={id} />
    case 'forwards':
      return id === null ? <ForwardsPage /> : <ForwardPage key={id} id={existing(id)} />
    case 'users':
    case 'audit':
      return <SettingsPage path={page} />
    default:
      return <SettingsPage path={id === null ? 'settings' : `settings/${id}`} />
  }
}

/** A page that a viewer only reads. */
function locked(page: ComponentChild) {
  return <Locked to="operator">{page}</Locked>
}

/** The id in the address; null: `new`. */
function existing(id: string | null): string | null {
  return id === 'new' ? null : id
}

/** The notifications about a text. */
function DeliveriesOf({ messageId }: { messageId: string }) {
  const path = `notifications/deliveries?messageId=${encodeURIComponent(messageId)}`
  const { data = [] } = useResource<readonly DeliveryResource[]>(path, ['delivery'])
  return (
    <section>
      <h2>{t('Notifications about it')}</h2>
      <DeliveryLines deliveries={data} />
    </section>
  )
}
