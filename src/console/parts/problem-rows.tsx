import { useState } from 'preact/hooks'
import { language, t } from '#console/language.ts'
import { exactTitle, NewTab, useNow } from '#console/parts/basics.tsx'
import { may } from '#console/session.ts'
import { shortAgoWords } from '#console/time-words.ts'
import { problemLink } from '#console/words.ts'
import { handbookOfProblem } from '#contracts/handbook.ts'
import type { HealthProblem } from '#contracts/health.ts'
import { say } from '#contracts/words.ts'

/** Problems that are shown before the rest is folded. */
const SHOWN_MAX = 8

interface ProblemRowsProps {
  readonly problems: readonly HealthProblem[]
  /** The page that they are on, which they need not link to. */
  readonly here?: string
  /** Something else that is wrong stands above. */
  readonly hasOthers?: boolean
}

/** The problems, the worst first, one line each. Opened, a line says what to do. */
export function ProblemRows({ problems, here, hasOthers = false }: ProblemRowsProps) {
  const [shownMax, setShownMax] = useState(SHOWN_MAX)
  const count = problems.length
  if (count === 0) return null
  const words =
    count > shownMax
      ? t('The {shown} worst of {count} things that are wrong', { shown: shownMax, count })
      : hasOthers
        ? t('One other thing is wrong|{count} other things are wrong', { count })
        : t('One thing is wrong|{count} things are wrong', { count })
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">{words}</h2>
      <ul class="list problems">
        {problems.slice(0, shownMax).map(problem => (
          <ProblemRow key={`${problem.code} ${problem.subject}`} problem={problem} here={here} />
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

function ProblemRow({ problem, here }: { problem: HealthProblem; here: string | undefined }) {
  const { code, severity, since, words } = problem
  const found = problemLink(problem)
  const link = found?.href === here ? null : found
  const isCritical = severity === 'critical'
  const now = useNow()
  return (
    <li class={isCritical ? 'bad' : 'wait'}>
      <svg viewBox="0 0 24 24" role="img" aria-label={isCritical ? t('Critical') : t('Warning')}>
        {isCritical ? <circle cx="12" cy="12" r="10" /> : <path d="M12 2.5 23 21.5H1z" />}
        <path class="sign" d="M12 8v6m0 3v.01" />
      </svg>
      <details open={isCritical}>
        <summary>{say(language, words.message)}</summary>
        <p>
          {may('operator')
            ? say(language, words.fix)
            : t('For an operator or owner: {fix}', { fix: say(language, words.fix) })}{' '}
          <NewTab href={handbookOfProblem(code)}>{t('In the handbook')}</NewTab>
        </p>
      </details>
      <time class="dim since" dateTime={since} {...exactTitle(since)}>
        {shortAgoWords(Date.parse(since), now)}
      </time>
      {link !== null && (
        <a class="button" href={link.href}>
          {link.words}
          <span class="hidden">: {say(language, words.message)}</span>
        </a>
      )}
    </li>
  )
}
