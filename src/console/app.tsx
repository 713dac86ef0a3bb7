/** The frame around every page: navigation, and whether the gateway answers. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isLoggedOut, urlOf } from '#console/api.ts'
import { LONGEST_MS } from '#console/back-off.ts'
import { CurrentPage } from '#console/current-page.tsx'
import { keepFocus } from '#console/keep-focus.ts'
import { t } from '#console/language.ts'
import { awaySince, pollsBecause, tryNow } from '#console/live-news.ts'
import { InvitePage, SetUpPage } from '#console/pages/first-password.tsx'
import { LogInPage } from '#console/pages/log-in.tsx'
import { Navigation, WayBack } from '#console/parts/navigation.tsx'
import { SEARCH_FIELD, ShortcutKeys } from '#console/parts/shortcut-keys.tsx'
import { returnTo } from '#console/place.ts'
import { session } from '#console/session-of-reader.ts'
import { followAddress, type Shown, shown } from '#console/shown.ts'
import { clockWords } from '#console/time-words.ts'

followAddress()

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

function Shell() {
  const main = useRef<HTMLElement>(null)
  const beside = useRef<HTMLElement>(null)
  const { route, detail, place } = shown.value
  const { page, id, query } = route
  const isFirst = useRef(true)
  useEffect(() => (main.current === null ? undefined : keepFocus(main.current)), [])
  // Before the effects of the page, some of which scroll to another place or focus a field.
  useLayoutEffect(() => {
    // Move the focus to the new page, or to its search field after the shortcut for search, so that a screen
    // reader starts there. Some pages have focused their first field already. On the first page leave the
    // focus to the browser.
    const wasFirst = isFirst.current
    isFirst.current = false
    if (place !== null) return returnTo(place)
    if (wasFirst) return
    // The list beside it stays where it is.
    if (detail !== null) return beside.current?.focus({ preventScroll: true })
    const search = query.has('find') ? main.current?.querySelector<HTMLElement>(SEARCH_FIELD) : null
    const field = main.current?.querySelector<HTMLElement>('input:focus, textarea:focus')
    ;(search ?? field ?? main.current)?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [page, id, detail?.id])
  return (
    <div class={awaySince.value === null ? 'shell' : 'shell is-away'} data-role={session.value?.account.role}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {t('Skip to the page')}
      </button>
      <Navigation route={route} />
      <main id="main" tabIndex={-1} ref={main} class={`page-${page === '' ? 'home' : page}`}>
        <ConnectionNotice />
        <Panes shown={shown.value} beside={beside} />
      </main>
      <ShortcutKeys />
    </div>
  )
}

interface PanesProps {
  readonly shown: Shown
  readonly beside: preact.RefObject<HTMLElement | null>
}

/** The page; where there is room, with the entry of its list that is open beside it. */
function Panes({ shown: { route, detail }, beside }: PanesProps) {
  return (
    <div class={detail === null ? '' : 'panes'}>
      <div class="pane">
        <WayBack route={route} />
        <CurrentPage route={route} />
      </div>
      {detail !== null && (
        <section class="pane beside" aria-label={t('What is open')} tabIndex={-1} ref={beside}>
          <CurrentPage route={detail} />
        </section>
      )}
    </div>
  )
}

function ConnectionNotice() {
  const since = awaySince.value
  if (since !== null) return <Away since={since} />
  if (pollsBecause.value === null) return null
  return (
    <div class="away" role="status">
      <p>
        {pollsBecause.value === 'refused'
          ? t(
              'Updates every 10 s: the gateway does not know that {host} is its address. ' +
                'Set public_url in its configuration to {url}',
              { host: location.host, url: urlOf('') },
            )
          : t('Updates every 10 s: something between this page and the gateway blocks WebSockets.')}
      </p>
    </div>
  )
}

function Away({ since }: { since: number }) {
  const values = { clock: clockWords(since), count: LONGEST_MS / 1_000 }
  return (
    <div class="away" role="status">
      <p>
        <strong>{t('The gateway does not answer.')}</strong>
        <br />
        {t('What you see is from {clock}. Trying again about every {count} s.', values)}
      </p>
      <button type="button" onClick={tryNow}>
        {t('Try now')}
      </button>
    </div>
  )
}
