/** The menu, and the way back. */

import { useEffect } from 'preact/hooks'
import { t } from '#console/language.ts'
import { Logo } from '#console/parts/logo.tsx'
import { Sign } from '#console/parts/sign.tsx'
import { wrongThings } from '#console/problem-order.ts'
import { neededFor } from '#console/roles.ts'
import type { PageAddress } from '#console/route.ts'
import { logOut, may } from '#console/session-of-reader.ts'
import { shown } from '#console/shown.ts'
import { alertWords, problemCount, problemWords, waitingAlerts } from '#console/trouble.ts'
import { useResource } from '#console/use-resource.ts'
import type { StatusResource } from '#contracts/health.ts'
import type { IncidentResource } from '#contracts/incident.ts'

/** An entry: its page, its word, the path of its icon. */
export type Entry = readonly [target: string, word: string, icon: string]

/** The pages of a day, then what is set up once. Each group with its heading. */
export const GROUPS: readonly (readonly [heading: string | null, entries: readonly Entry[]])[] = [
  [
    null,
    [
      ['', t('Home'), 'M3 11l9-8 9 8M5 9.5V21h5v-6h4v6h5V9.5'],
      ['texts', t('Texts'), 'M4 4h16v12H9l-5 4z'],
      ['on-call', t('On call'), 'M12 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c0-5 3.5-7 8-7s8 2 8 7'],
    ],
  ],
  [
    t('Set up'),
    [
      ['devices', t('Phones'), 'M7 2h10v20H7zM11 18.5h2'],
      ['webhooks', t('Webhooks'), 'M12 3v9m0 0l-4-4m4 4l4-4M4 14v6h16v-6'],
      ['forwards', t('Forwards'), 'M4 12h14m-5-5l5 5-5 5M4 5v14'],
      ['notifications', t('Notifications'), 'M6 9a6 6 0 0 1 12 0v5l2 3H4l2-3zM10 20.5h4'],
    ],
  ],
]
export const SETTINGS: Entry = ['settings', t('Settings'), 'M4 7h10m4 0h2M4 17h2m4 0h10M16 5v4M8 15v4']
const MORE: Entry = ['more', t('More'), 'M4 6h16M4 12h16M4 18h16']
export const HANDBOOK = 'M4 4h7l1 1 1-1h7v15h-7l-1 1-1-1H4zM12 5v15'
const LOG_OUT = 'M10 4H4v16h6M15 8l4 4-4 4M19 12H9'

/** What the bar of a narrow screen has room for, beside *More*. */
export const IN_BAR: readonly string[] = ['', 'texts', 'on-call', 'devices']

/** The pages below another entry of the menu. */
const PARENTS: Readonly<Record<string, string>> = {
  people: 'on-call',
  groups: 'on-call',
  rotas: 'on-call',
  policies: 'on-call',
  'device-groups': 'devices',
  'opt-outs': 'texts',
  users: 'settings',
  audit: 'settings',
}

/** The entries for pages that the role may open. */
export function own(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(([target]) => may(neededFor(target, null)))
}

function parentOf(page: string): string {
  return PARENTS[page] ?? page
}

export function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

export function Navigation({ route: { page } }: { route: PageAddress }) {
  const here = parentOf(page)
  return (
    <nav class="nav" aria-label={t('Pages')}>
      <span class="brand">
        <Logo />
        <span class="word">Roost</span>
      </span>
      {GROUPS.map(([heading, entries]) => (
        <>
          {heading !== null && <p class="group">{heading}</p>}
          {own(entries).map(entry => (
            <MenuLink key={entry[0]} entry={entry} isHere={entry[0] === here} />
          ))}
        </>
      ))}
      <MenuLink entry={SETTINGS} isHere={here === 'settings'} look="wide last" />
      <MenuLink entry={MORE} isHere={!IN_BAR.includes(here)} look="narrow" />
      <a class="wide" href="handbook" target="_blank" rel="noopener">
        <Icon path={HANDBOOK} />
        <span class="word">{t('Handbook')}</span>
      </a>
      <button type="button" class="wide" onClick={() => void logOut()}>
        <Icon path={LOG_OUT} />
        <span class="word">{t('Log out')}</span>
      </button>
    </nav>
  )
}

interface MenuLinkProps {
  readonly entry: Entry
  readonly isHere: boolean
  readonly look?: string
}

function MenuLink({ entry: [target, word, icon], isHere, look }: MenuLinkProps) {
  return (
    <a
      class={look ?? (IN_BAR.includes(target) ? '' : 'wide')}
      href={`#/${target}`}
      aria-current={isHere ? 'page' : undefined}
    >
      <Icon path={icon} />
      {target === '' ? (
        <HomeWord />
      ) : target === 'on-call' ? (
        <OnCallWord />
      ) : (
        <span class="word">{word}</span>
      )}
    </a>
  )
}

/** The word of Home, with the number of problems that it lists. */
function HomeWord() {
  const { data } = useResource<StatusResource>('status', ['problem', 'device'])
  const rows = wrongThings(data?.problems ?? [], waitingAlerts.value)
  const count = rows.length
  const isCritical = rows.some(([{ severity }]) => severity === 'critical')
  useEffect(() => {
    problemCount.value = count
  }, [count])
  return <Counted word={t('Home')} count={count} what={problemWords(count)} isCalm={!isCritical} />
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

interface CountedProps {
  readonly word: string
  readonly count: number
  /** What is counted, for screen readers. */
  readonly what: string
  /** None of it stops texts or alerts. */
  readonly isCalm?: boolean
}

function Counted({ word, count, what, isCalm = false }: CountedProps) {
  return (
    <>
      <span class="word">{word}</span>
      {count > 0 && (
        <span class={isCalm ? 'badge calm' : 'badge'}>
          <span aria-hidden="true">{count}</span>
          <span class="hidden"> {what}</span>
        </span>
      )}
    </>
  )
}

/** The way back from a page below a list. Where the list led here, it returns to the same row. */
export function WayBack({ route: { page, id } }: { route: PageAddress }) {
  const parent = parentOf(page)
  const entries = [...GROUPS.flatMap(([, inside]) => inside), SETTINGS]
  const word = entries.find(([target]) => target === parent)?.[1]
  if ((id === null && page === parent) || word === undefined || page === '') return null
  const href = `#/${parent}`
  const goBack = (event: Event) => {
    const { cameFrom } = shown.peek()
    if (cameFrom?.split('?')[0] !== href) return
    event.preventDefault()
    history.back()
  }
  return (
    <a class="back" href={href} onClick={goBack}>
      <Sign of="back" /> {word}
    </a>
  )
}
