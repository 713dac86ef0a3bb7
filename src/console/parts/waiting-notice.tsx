import { t } from '#console/language.ts'
import type { Waiting } from '#console/why-waits.ts'

interface WaitingNoticeProps {
  readonly waiting: Waiting | null
  /** In one line, where there is little room. The page that it links to says what to do. */
  readonly isShort?: boolean
}

/** Says why a text that is written now would wait, and what to do about it. */
export function WaitingNotice({ waiting, isShort = false }: WaitingNoticeProps) {
  if (waiting === null) return null
  const { why, fix, href, action } = waiting
  if (isShort)
    return (
      <p class="wait" role="status">
        {t('The text waits for a phone: {why}.', { why })} <a href={href}>{action}</a>
      </p>
    )
  return (
    <div class="notice wait" role="status">
      <p>
        <strong>{t('The text waits for a phone: {why}.', { why })}</strong> {fix}
      </p>
      <a href={href}>{action}</a>
    </div>
  )
}
