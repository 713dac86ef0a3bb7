import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Fault, useNow } from '#console/parts/basics.tsx'
import { noneHasLeft } from '#console/picture.ts'
import { may } from '#console/session-of-reader.ts'
import { clockWords, spanWords } from '#console/time-words.ts'
import { alertWords, waitingAlerts } from '#console/trouble.ts'
import { useAction } from '#console/use-resource.ts'
import type { IncidentResource } from '#contracts/incident.ts'

type Text = Parameters<typeof noneHasLeft>[1][number]

/** Alerts that Home shows; the page *On call* has all of them. */
const SHOWN_MAX = 3

/** The open alerts that nobody has taken, at the top of Home. */
export function OpenAlerts({ texts }: { texts: readonly Text[] }) {
  const waiting = waitingAlerts.value
  const more = waiting.length - SHOWN_MAX
  if (waiting.length === 0) return null
  return (
    <section class="open-alerts" aria-label={alertWords(waiting.length)}>
      {waiting.slice(0, SHOWN_MAX).map((alert, index) => (
        <OpenAlert key={alert.id} alert={alert} texts={texts} isFirst={index === 0} />
      ))}
      {more > 0 && (
        <a href="#/on-call">{t('1 other alert waits.|{count} other alerts wait.', { count: more })}</a>
      )}
    </section>
  )
}

interface OpenAlertProps {
  readonly alert: IncidentResource
  readonly texts: readonly Text[]
  readonly isFirst: boolean
}

function OpenAlert({ alert, texts, isFirst }: OpenAlertProps) {
  const { id, text, state, openedAt } = alert
  const action = useAction()
  const span = spanWords(useNow() - Date.parse(openedAt))
  const take = () =>
    void action.run(async () => {
      await call('POST', `incidents/${id}/take`, {})
      waitingAlerts.value = waitingAlerts.value.filter(one => one.id !== id)
    })
  return (
    <article class="waits">
      <a href="#/on-call">
        <strong dir="auto">{text}</strong>
        <span>
          {state === 'unanswered'
            ? t('Nobody answered. It has waited since {time}.', { time: clockWords(openedAt) })
            : t('Nobody has taken it yet ({span}).', { span })}{' '}
          {noneHasLeft(alert, texts) && t('No text about it has left yet.')}
        </span>
      </a>
      {may('operator') && (
        <button type="button" class={isFirst ? 'primary' : ''} disabled={action.busy} onClick={take}>
          {t('I take it')}
          <span class="hidden">: {text}</span>
        </button>
      )}
      <Fault error={action.error} />
    </article>
  )
}
