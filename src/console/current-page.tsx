/** Which page an address shows. */
import { ConversationPage } from '#console/pages/conversation.tsx'
import { DeliveryPage } from '#console/pages/delivery.tsx'
import { DevicePage, DevicesPage } from '#console/pages/devices.tsx'
import { HomePage } from '#console/pages/home.tsx'
import { MessagePage } from '#console/pages/message.tsx'
import { MessagesPage } from '#console/pages/messages.tsx'
import { NotificationsPage } from '#console/pages/notifications.tsx'
import { PairPage } from '#console/pages/pair.tsx'
import { ReceivedPage } from '#console/pages/received.tsx'
import { NewWebhookPage, WebhookPage } from '#console/pages/webhook.tsx'
import { WebhooksPage } from '#console/pages/webhooks.tsx'
import { WritePage } from '#console/pages/write.tsx'
import { Empty, PageHead } from '#console/parts/basics.tsx'
import { MorePage } from '#console/parts/navigation.tsx'
import { onDemand } from '#console/parts/on-demand.tsx'
import type { PageAddress } from '#console/route.ts'

const OnCallPages = onDemand(async () => (await import('#console/pages/on-call-pages.tsx')).OnCallPages)
const SettingsPage = onDemand(async () => (await import('#console/pages/settings.tsx')).SettingsPage)

export function CurrentPage({ route: { page, id, query } }: { route: PageAddress }) {
  switch (page) {
    case '':
      return <HomePage />
    case 'messages':
      if (id === null) return <MessagesPage query={query} />
      return id === 'new' ? (
        <WritePage key={String(query)} query={query} />
      ) : (
        <MessagePage key={id} id={id} wasJustWritten={query.has('sent')} />
      )
    case 'webhooks':
      if (id === null) return <WebhooksPage />
      return id === 'new' ? <NewWebhookPage /> : <WebhookPage key={id} id={id} />
    case 'devices':
      if (id === null) return <DevicesPage />
      return id === 'pair' ? <PairPage /> : <DevicePage key={id} id={id} />
    case 'received':
      return id === null ? <ReceivedPage query={query} /> : <ConversationPage key={id} from={id} />
    case 'notifications':
      return id === null ? <NotificationsPage query={query} /> : <DeliveryPage key={id} id={id} />
    case 'on-call':
    case 'people':
    case 'rotas':
    case 'policies':
      return <OnCallPages key={`${page}/${id}`} page={page} id={id === 'new' ? null : id} />
    case 'settings':
      return <SettingsPage part={id} />
    case 'more':
      return <MorePage />
    default:
      return (
        <>
          <PageHead title="Not found" />
          <Empty title="There is no such page">
            <a class="button" href="#/">
              Go to Home
            </a>
          </Empty>
        </>
      )
  }
}
