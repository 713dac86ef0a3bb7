/** The menu, the way back, and the page with what has no room in the bar of a narrow screen. */

import { useEffect } from 'preact/hooks'
import { t } from '#console/language.ts'
import { PageHead } from '#console/parts/basics.tsx'
import { Logo } from '#console/parts/logo.tsx'
import { neededFor } from '#console/roles.ts'
import type { PageAddress } from '#console/route.ts'
import { logOut, may } from '#console/session.ts'
import { shown } from '#console/shown.ts'
import { alertWords, problemCount, problemWords, waitingAlerts } from '#console/trouble.ts'
import { useResource } from '#console/use-resource.ts'
import type { StatusResource } from '#contracts/health.ts'
import type { IncidentResource } from '#contracts/incident.ts'

/** `wide`: in the menu of a wide screen and on the page *More*. `narrow`: only in the bar. */
const LINKS = [
  ['', t('Home'), 'M3 11l9-8 9 8M5 9.5V21h5v-6h4v6h5V9.5', ''],
  ['messages', t('Messages'), 'M4 4h16v12H9l-5 4z', ''],
  ['on-call', t('On call'), 'M12 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c0-5 3.5-7 8-7s8 2 8 7', ''],
  ['devices', t('Phones'), 'M7 2h10v20H7zM11 18.5h2', ''],
  ['webhooks', t('Webhooks'), 'M12 3v9m0 0l-4-4m4 4l4-4M4 14v6h16v-6', 'wide'],
  ['received', t('Received texts'), 'M4 5h16v14H4zM4 6l8 7 8-7', 'wide'],
  ['forwards', t('Forwards'), 'M4 12h14m-5-5l5 5-5 5M4 5v14', 'wide'],
  ['notifications', t('Notifications'), 'M6 9a6 6 0 0 1 12 0v5l2 3H4l2-3zM10 20.5h4', 'wide'],
  [
    'users',
    t('Users'),
    'M9 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM2 21c0-4 3-6 7-6s7 2 7 6M17 5a3 3 0 1 1 0 6M18 15c3 0 4 2 4 5',
    'wide',
  ],
  ['audit', t('Who did what'), 'M5 3h14v18H5zM9 8h6M9 12h6M9 16h4', 'wide'],
  ['settings', t('Settings'), 'M4 7h10m4 0h2M4 17h2m4 0h10M16 5v4M8 15v4', 'wide'],
  ['more', t('More'), 'M5 12h.01M12 12h.01M19 12h.01', 'narrow'],
] as const
const HANDBOOK = 'M4 4h7l1 1 1-1h7v15h-7l-1 1-1-1H4zM12 5v15'

/** The pages below another entry of the menu. */
const PARENTS: Readonly<Record<string, string>> = {
  people: 'on-call',
  groups: 'on-call',
  rotas: 'on-call',
  policies: 'on-call',
  'device-groups': 'devices',
}

/** The links to pages that the role may open. */
function ownLinks() {
  return LINKS.filter(([target]) => may(neededFor(target, null)))
}

function parentOf(page: string): string {
  return PARENTS[page] ?? page
}

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

export function Navigation({ route: { page } }: { route: PageAddress }) {
  const here = parentOf(page)
  const isBelowMore = LINKS.some(([target, , , width]) => width === 'wide' && target === here)
  return (
    <nav class="nav" aria-label={t('Pages')}>
      <span class="brand">
        <Logo />
        Roost
      </span>
      {ownLinks().map(([target, word, path, width]) => {
        const isHere = target === here || (target === 'more' && isBelowMore)
        return (
          <a key={target} class={width} href={`#/${target}`} aria-current={isHere ? 'page' : undefined}>
            <Icon path={path} />
            {target === '' ? <HomeWord /> : target === 'on-call' ? <OnCallWord /> : word}
          </a>
        )
      })}
      <a class="wide" href="handbook" target="_blank" rel="noopener">
        <Icon path={HANDBOOK} />
        {t('Handbook')}
      </a>
      <button type="button" class="wide" onClick={() => void logOut()}>
        {t('Log out')}
      </button>
    </nav>
  )
}

/** The word of Home, with the number of problems. */
function HomeWord() {
  const { data } = useResource<StatusResource>('status', ['problem', 'device'])
  const count = data?.problems.length ?? 0
  useEffect(() => {
    problemCount.value = count
  }, [count])
  return <Counted word={t('Home')} count={count} what={problemWords(count)} />
}

/** The word of On call, with the number of alerts that nobody has. */
function OnCallWord() {
  const open = useResource<readonly IncidentResource[]>('incidents?state=open&limit=50', ['incident'])
  const given = 'incidents?state=unanswered&limit=50'
  const unanswered = useResource<readonly IncidentResource[]>(given, ['incident'])
  useEffect(() => {
    waitingAlerts.value = [...(open.data ?? []), ...(unanswered.data ?? [])]
  }, [open.data, unanswered.data])
  const count = waitingAlerts.value.length
  return <Counted word={t('On call')} count={count} what={alertWords(count)} />
}

/** `what`: what is counted, for screen readers. */
function Counted({ word, count, what }: { word: string; count: number; what: string }) {
  return (
    <span>
      {word}
      {count > 0 && (
        <span class="badge">
          <span aria-hidden="true">{count}</span>
          <span class="hidden"> {what}</span>
        </span>
      )}
    </span>
  )
}

/** The way back from a page below a list. Where the list led here, it returns to the same row. */
export function WayBack({ route: { page, id } }: { route: PageAddress }) {
  const parent = parentOf(page)
  const word = LINKS.find(([target]) => target === parent)?.[1]
  if (id === null || word === undefined || page === '') return null
  const href = `#/${parent}`
  const goBack = (event: Event) => {
    const { cameFrom } = shown.peek()
    if (cameFrom?.split('?')[0] !== href) return
    event.preventDefault()
    history.back()
  }
  return (
    <a class="back" href={href} onClick={goBack}>
      <span aria-hidden="true">‹</span> {word}
    </a>
  )
}

export function MorePage() {
  return (
    <>
      <PageHead title={t('More')} />
      <ul class="list">
        {ownLinks()
          .filter(([, , , width]) => width === 'wide')
          .map(([target, word, path]) => (
            <li key={target}>
              <a class="with-icon" href={`#/${target}`}>
                <Icon path={path} />
                <strong>{word}</strong>
              </a>
            </li>
          ))}
        <li>
          <a class="with-icon" href="handbook" target="_blank" rel="noopener">
            <Icon path={HANDBOOK} />
            <strong>{t('Handbook')}</strong>
          </a>
        </li>
      </ul>
      <button type="button" onClick={() => void logOut()}>
        {t('Log out')}
      </button>
    </>
  )
}
