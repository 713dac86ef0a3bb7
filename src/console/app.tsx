/** The frame around every page: navigation, and whether the gateway answers. */
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isLoggedOut, urlOf } from '#console/api.ts'
import { awaySince, pollsBecause, tryNow } from '#console/live.ts'
import { DevicePage, DevicesPage } from '#console/pages/devices.tsx'
import { HomePage } from '#console/pages/home.tsx'
import { InvitePage, LogInPage, SetUpPage } from '#console/pages/log-in.tsx'
import { MessagePage } from '#console/pages/message.tsx'
import { MessagesPage } from '#console/pages/messages.tsx'
import { WebhooksPage } from '#console/pages/webhooks.tsx'
import { WritePage } from '#console/pages/write.tsx'
import { Empty, PageHead } from '#console/parts/basics.tsx'
import { LaterPage } from '#console/parts/later-page.tsx'
import { NotYours } from '#console/parts/locked.tsx'
import { hasRoomForDialog, MessageDialog } from '#console/parts/message-dialog.tsx'
import { SEARCH_FIELD, ShortcutKeys } from '#console/parts/shortcut-keys.tsx'
import { leavePage, type Place, rememberPlaces, returnTo } from '#console/place.ts'
import { neededFor } from '#console/roles.ts'
import { type PageAddress, parseRoute } from '#console/route.ts'
import { logOut, may, session } from '#console/session.ts'
import { clockWords } from '#console/time-words.ts'
import { problemCount, problemWords } from '#console/trouble.ts'
import { useResource } from '#console/use-resource.ts'
import type { StatusResource } from '#contracts/health.ts'

/** The page that is shown, and the message that is shown in a dialog over it. */
interface Shown {
  readonly route: PageAddress
  readonly messageId: string | null
  /** Where the reader was on this page before; null: it is new. */
  readonly place: Place | null
}

const shown = signal<Shown>({ route: parseRoute(location.hash), messageId: null, place: null })
rememberPlaces()
addEventListener('hashchange', () => {
  const next = parseRoute(location.hash)
  const place = leavePage()
  const { route } = shown.peek()
  const isOverList = isMessage(next) && isMessageList(route) && hasRoomForDialog()
  shown.value = isOverList ? { route, messageId: next.id, place } : { route: next, messageId: null, place }
})

function isMessage({ page, id }: PageAddress): boolean {
  return page === 'messages' && id !== null && id !== 'new'
}

function isMessageList({ page, id }: PageAddress): boolean {
  return page === 'messages' && id === null
}

export function App() {
  const { page, id } = shown.value.route
  if (page === 'setup' && id !== null) return <WithoutShell page={<SetUpPage token={id} />} />
  if (page === 'invite' && id !== null) return <WithoutShell page={<InvitePage token={id} />} />
  if (session.value === undefined) return <main tabIndex={-1} />
  if (session.value === null) return <WithoutShell page={<LogInPage />} />
  return (
    <>
      <Shell />
      {isLoggedOut.value && (
        <div class="over">
          <LogInPage again />
        </div>
      )}
    </>
  )
}

function WithoutShell({ page }: { page: preact.JSX.Element }) {
  return <main tabIndex={-1}>{page}</main>
}

const LINKS = [
  ['', 'Home', 'M3 11l9-8 9 8M5 9.5V21h5v-6h4v6h5V9.5', ''],
  ['messages', 'Messages', 'M4 4h16v12H9l-5 4z', ''],
  ['webhooks', 'Webhooks', 'M12 3v9m0 0l-4-4m4 4l4-4M4 14v6h16v-6', ''],
  ['devices', 'Phones', 'M7 2h10v20H7zM11 18.5h2', ''],
  ['on-call', 'On call', 'M12 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c0-5 3.5-7 8-7s8 2 8 7', 'wide'],
  ['received', 'Received texts', 'M4 5h16v14H4zM4 6l8 7 8-7', 'wide'],
  ['notifications', 'Notifications', 'M6 9a6 6 0 0 1 12 0v5l2 3H4l2-3zM10 20.5h4', 'wide'],
  [
    'users',
    'Users',
    'M9 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM2 21c0-4 3-6 7-6s7 2 7 6M17 5a3 3 0 1 1 0 6M18 15c3 0 4 2 4 5',
    'wide',
  ],
  ['audit', 'Who did what', 'M5 3h14v18H5zM9 8h6M9 12h6M9 16h4', 'wide'],
  ['settings', 'Settings', 'M4 7h10m4 0h2M4 17h2m4 0h10M16 5v4M8 15v4', 'wide'],
  ['more', 'More', 'M5 12h.01M12 12h.01M19 12h.01', 'narrow'],
] as const

/** The pages below the page `On call`. */
const ON_CALL: readonly string[] = ['people', 'groups', 'rotas', 'policies']
const MORE: readonly string[] = [
  'on-call',
  ...ON_CALL,
  'received',
  'notifications',
  'users',
  'audit',
  'settings',
  'more',
]

/** The links to pages that the role may open. */
function ownLinks() {
  return LINKS.filter(([target]) => may(neededFor(target, null)))
}

function Shell() {
  const main = useRef<HTMLElement>(null)
  const { route, messageId, place } = shown.value
  const { page, id, query } = route
  const isFirst = useRef(true)
  useEffect(() => {
    // Move the focus to the new page, or to its search field after the shortcut for search, so that a screen
    // reader starts there. Some pages have focused their first field already. On the first page leave the
    // focus to the browser.
    const search = query.has('find') ? main.current?.querySelector<HTMLElement>(SEARCH_FIELD) : null
    const field = main.current?.querySelector<HTMLElement>('input:focus, textarea:focus')
    if (place !== null) return returnTo(place)
    if (!isFirst.current) (search ?? field ?? main.current)?.focus({ preventScroll: true })
    if (!isFirst.current) scrollTo(0, 0)
    isFirst.current = false
  }, [page, id])
  return (
    <div class={awaySince.value === null ? 'shell' : 'shell is-away'} data-role={session.value?.account.role}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <nav class="nav" aria-label="Pages">
        <span class="brand">Roost</span>
        {ownLinks().map(([target, word, path, width]) => {
          const isHere =
            target === page ||
            (target === 'on-call' && ON_CALL.includes(page)) ||
            (target === 'more' && MORE.includes(page))
          return (
            <a key={target} class={width} href={`#/${target}`} aria-current={isHere ? 'page' : undefined}>
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d={path} />
              </svg>
              {target === '' ? <HomeWord /> : word}
            </a>
          )
        })}
        <a class="wide" href="handbook" target="_blank" rel="noopener">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 4h7l1 1 1-1h7v15h-7l-1 1-1-1H4zM12 5v15" />
          </svg>
          Handbook
        </a>
        <button type="button" class="wide" onClick={() => void logOut()}>
          Log out
        </button>
      </nav>
      <main id="main" tabIndex={-1} ref={main}>
        <ConnectionNotice />
        <CurrentPage route={route} />
        {messageId !== null && <MessageDialog key={messageId} id={messageId} close={() => history.back()} />}
      </main>
      <ShortcutKeys />
    </div>
  )
}

/** The word of Home, with the number of problems. */
function HomeWord() {
  const { data } = useResource<StatusResource>('status', ['problem', 'device'])
  const count = data?.problems.length ?? 0
  useEffect(() => {
    problemCount.value = count
  }, [count])
  return (
    <span>
      Home
      {count > 0 && (
        <span class="badge">
          <span aria-hidden="true">{count}</span>
          <span class="hidden"> {problemWords(count)}</span>
        </span>
      )}
    </span>
  )
}

function ConnectionNotice() {
  const since = awaySince.value
  if (since === null && pollsBecause.value === null) return null
  return (
    <div class="away" role="status">
      {since === null ? (
        <p>
          Updates every 10 s:{' '}
          {pollsBecause.value === 'refused' ? (
            <>
              the gateway does not know that {location.host} is its address. Set public_url in its
              configuration to {urlOf('')}
            </>
          ) : (
            'something between this page and the gateway blocks WebSockets.'
          )}
        </p>
      ) : (
        <>
          <p>The gateway does not answer. What you see is from {clockWords(since)}.</p>
          <button type="button" onClick={tryNow}>
            Try now
          </button>
        </>
      )}
    </div>
  )
}

function CurrentPage({ route }: { route: PageAddress }) {
  const { page, id, query } = route
  const later = <LaterPage key={`${page}/${id}`} {...route} />
  const needed = neededFor(page, id)
  if (!may(needed)) return <NotYours needed={needed} />
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
      return id === null ? <WebhooksPage /> : later
    case 'devices':
      if (id === null) return <DevicesPage />
      return id === 'pair' ? later : <DevicePage key={id} id={id} />
    case 'received':
    case 'notifications':
    case 'on-call':
    case 'people':
    case 'groups':
    case 'rotas':
    case 'policies':
    case 'users':
    case 'audit':
    case 'settings':
      return later
    case 'more':
      return <More />
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

/** Links to the pages that have no room in the bar of a narrow screen. */
function More() {
  return (
    <>
      <PageHead title="More" />
      <ul class="list">
        {ownLinks()
          .filter(([, , , width]) => width === 'wide')
          .map(([target, word]) => (
            <li key={target}>
              <a href={`#/${target}`}>
                <strong>{word}</strong>
              </a>
            </li>
          ))}
        <li>
          <a href="handbook" target="_blank" rel="noopener">
            <strong>Handbook</strong>
          </a>
        </li>
      </ul>
      <button type="button" onClick={() => void logOut()}>
        Log out
      </button>
    </>
  )
}
