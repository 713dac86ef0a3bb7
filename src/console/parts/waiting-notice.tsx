import { t } from '#console/language.ts'
import type { Waiting } from '#console/why-waits.ts'

/** Says why a text that is written now would wait, and what to do about it. */
export function WaitingNotice({ waiting }: { waiting: Waiting | null }) {
  if (waiting === null) return null
  const { why, fix, href, action } = waiting
  return (
    <div class="notice wait" role="status">
      <p>
        <strong>{t('The text waits for a phone: {why}.', { why })}</strong> {fix}
      </p>
      <a href={href}>{action}</a>
    </div>
  )
}
