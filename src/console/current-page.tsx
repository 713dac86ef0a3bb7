/** Which page an address shows. */

import { t } from '#console/language.ts'
import { DevicesPage } from '#console/pages/devices.tsx'
import { HomePage } from '#console/pages/home.tsx'
import { MessagePage } from '#console/pages/message.tsx'
import { TextsPage } from '#console/pages/texts.tsx'
import { Empty, PageHead } from '#console/parts/basics.tsx'
import { LaterPage } from '#console/parts/later-page.tsx'
import { NotYours } from '#console/parts/locked.tsx'
import { neededFor } from '#console/roles.ts'
import type { PageAddress } from '#console/route.ts'
import { may } from '#console/session-of-reader.ts'

export function CurrentPage({ route }: { route: PageAddress }) {
  const { page, id, query } = route
  const later = (
    <LaterPage key={`${page}/${page === 'settings' ? '' : id}?${id === 'new' ? query : ''}`} {...route} />
  )
  const needed = neededFor(page, id)
  if (!may(needed)) return <NotYours needed={needed} />
  switch (page) {
    case '':
      return <HomePage />
    case 'texts':
      if (id === null) return <TextsPage query={query} />
      return isMessage(id) ? <MessagePage key={id} id={id} wasJustWritten={query.has('sent')} /> : later
    case 'devices':
      return id === null ? <DevicesPage /> : later
    case 'more':
    case 'webhooks':
    case 'opt-outs':
    case 'forwards':
    case 'notifications':
    case 'on-call':
    case 'people':
    case 'groups':
    case 'device-groups':
    case 'rotas':
    case 'policies':
    case 'users':
    case 'audit':
    case 'settings':
      return later
    default:
      return (
        <>
          <PageHead title={t('Not found')} />
          <Empty title={t('There is no such page')} drawing="night">
            <a class="button" href="#/">
              {t('Go to Home')}
            </a>
          </Empty>
        </>
      )
  }
}

/** Other texts are shown with those of their sender. */
function isMessage(id: string): boolean {
  return id.startsWith('msg_')
}
