import { language, t } from '#console/language.ts'
import { NewTab, When } from '#console/parts/basics.tsx'
import { may } from '#console/session.ts'
import { problemLink } from '#console/words.ts'
import { handbookOfProblem } from '#contracts/handbook.ts'
import type { HealthProblem } from '#contracts/health.ts'
import { say } from '#contracts/words.ts'

/** The problems, the worst first, one line each. Opened, a line says what to do. */
export function ProblemRows({ problems }: { problems: readonly HealthProblem[] }) {
  if (problems.length === 0) return null
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">{t('One thing is wrong|{count} things are wrong', { count: problems.length })}</h2>
      <ul class="list problems">
        {problems.map(problem => (
          <ProblemRow key={`${problem.code} ${problem.subject}`} problem={problem} />
        ))}
      </ul>
    </section>
  )
}

function ProblemRow({ problem }: { problem: HealthProblem }) {
  const { code, severity, since, words } = problem
  const link = problemLink(problem)
  const isCritical = severity === 'critical'
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
      <span class="dim">
        <When at={since} />
      </span>
      {link === null ? <span /> : <a href={link.href}>{link.words}</a>}
    </li>
  )
}
