import { useState } from 'preact/hooks'
import { language, t } from '#console/language.ts'
import { exactTitle, NewTab, useNow } from '#console/parts/basics.tsx'
import { type ProblemRow, wrongThings } from '#console/problem-order.ts'
import { neededFor } from '#console/roles.ts'
import { linkTo } from '#console/route.ts'
import { may } from '#console/session-of-reader.ts'
import { shortAgoWords } from '#console/time-words.ts'
import { problemLink } from '#console/words-of-states.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import { handbookOfProblem } from '#contracts/handbook.ts'
import type { HealthProblem } from '#contracts/health.ts'
import { say } from '#contracts/words.ts'

/** Problems that are shown before the rest is folded. */
const SHOWN_MAX = 8
/** Phones that a row names. */
const NAMED_MAX = 4

interface ProblemRowsProps {
  readonly problems: readonly HealthProblem[]
  /** The phones that are offline, as the picture shows them. */
  readonly offline?: readonly Offline[]
  /** The alerts that stand above. */
  readonly waiting?: readonly { readonly id: string }[]
  /** The page that they are on, which they need not link to. */
  readonly here?: string
}

type Offline = Pick<DeviceListItem, 'name' | 'battery'>

/** The problems, the worst first, one line each. Opened, a line says what to do. */
export function ProblemRows({ problems, offline = [], waiting = [], here }: ProblemRowsProps) {
  const [shownMax, setShownMax] = useState(SHOWN_MAX)
  const rows = wrongThings(problems, waiting)
  const count = rows.length
  if (count === 0) return null
  const words =
    count > shownMax
      ? t('The {shown} worst of {count} things that are wrong', { shown: shownMax, count })
      : waiting.length > 0
        ? t('One other thing is wrong|{count} other things are wrong', { count })
        : t('One thing is wrong|{count} things are wrong', { count })
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">{words}</h2>
      <ul class="list problems">
        {rows.slice(0, shownMax).map(row => (
          <Row key={`${row[0].code} ${row[0].subject}`} row={row} offline={offline} here={here} />
        ))}
      </ul>
      {count > shownMax && (
        <button type="button" onClick={() => setShownMax(Number.POSITIVE_INFINITY)}>
          {t('Show all {count}', { count })}
        </button>
      )}
    </section>
  )
}

interface RowProps {
  readonly row: ProblemRow<HealthProblem>
  readonly offline: readonly Offline[]
  readonly here: string | undefined
}

function Row({ row, offline, here }: RowProps) {
  const [{ code, severity }] = row
  const { message, fix, since, link: found } = rowWords(row, offline)
  const [page = '', id = null] = found.href.slice(2).split(/[/?]/)
  const link = found.href === here || !may(neededFor(page, id)) ? null : found
  const isCritical = severity === 'critical'
  const now = useNow()
  return (
    <li class={isCritical ? 'bad' : 'wait'}>
      <svg viewBox="0 0 24 24" role="img" aria-label={isCritical ? t('Critical') : t('Warning')}>
        {isCritical ? <circle cx="12" cy="12" r="10" /> : <path d="M12 2.5 23 21.5H1z" />}
        <path class="sign" d="M12 8v6m0 3v.01" />
      </svg>
      <details open={isCritical}>
        <summary>{message}</summary>
        <p class="dim">
          {may('operator') ? fix : t('For an operator or owner: {fix}', { fix })}{' '}
          <NewTab href={handbookOfProblem(code)}>{t('In the handbook')}</NewTab>
        </p>
      </details>
      <time class="dim since" dateTime={since} {...exactTitle(since)}>
        {shortAgoWords(Date.parse(since), now)}
      </time>
      {link !== null && (
        <a class="button" href={link.href}>
          {link.words}
          <span class="hidden">: {message}</span>
        </a>
      )}
    </li>
  )
}

/** Phones that are offline share a row. It counts and names those that the picture shows as offline. */
function rowWords([first, ...others]: ProblemRow<HealthProblem>, offline: readonly Offline[]) {
  const { code, since, words } = first
  const count = offline.length
  if (code !== 'DEVICE_OFFLINE' || others.length === 0 || count < 2)
    return {
      message: say(language, words.message),
      fix: say(language, words.fix),
      since,
      link: problemLink(first),
    }
  const named = offline.slice(0, NAMED_MAX).map(({ name, battery }, nth) => {
    if (battery === null) return name
    const values = { name, percent: Math.round(battery) }
    return nth === 0 ? t('{name} (battery {percent} %)', values) : t('{name} ({percent} %)', values)
  })
  const names = `${named.join(', ')}${named.length < count ? '…' : ''}`.replaceAll(' %', '\u00a0%')
  return {
    message: t('1 phone is offline: {names}|{count} phones are offline: {names}', { count, names }),
    fix: t('Check their power, their Wi-Fi and the app; pause those that are meant to be off.'),
    since: others.reduce((oldest, one) => (one.since < oldest ? one.since : oldest), since),
    link: { href: linkTo('devices'), words: t('Show the phones') },
  }
}
