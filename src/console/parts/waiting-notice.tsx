import { t } from '#console/language.ts'
import type { Waiting } from '#console/why-waits.ts'

/** Says why a text waits, and what to do about it. `until`: a sentence that says how long it may wait. */
export function WaitingNotice({ waiting, until }: { waiting: Waiting | null; until?: preact.JSX.Element }) {
  if (waiting === null) return null
  const { why, fix, href, action } = waiting
  return (
    <div class="notice wait" role="status">
      <p>
        <strong>{t('The text waits: {why}.', { why })}</strong> {fix} {until}
      </p>
      <a href={href}>{action}</a>
    </div>
  )
}
