import { t } from '#console/language.ts'
import { clockWords, dutyWords } from '#console/time-words.ts'
import { waitingAlerts } from '#console/trouble.ts'
import { useResource } from '#console/use-resource.ts'
import type { PersonResource, RotaResource } from '#contracts/on-call.ts'

/** Alerts that Home names; the page *On call* has all of them. */
const SHOWN_MAX = 5

/** Who is on call, and which alerts wait for somebody. Nothing for an account without either. */
export function OnCallNow() {
  const rotas = useResource<readonly RotaResource[]>('rotas', ['incident'])
  const waiting = waitingAlerts.value
  const isUsed = (rotas.data?.length ?? 0) + waiting.length > 0
  const people = useResource<readonly PersonResource[]>(isUsed ? 'people' : null, [])
  if (!isUsed) return null
  const nameOf = (id: string | null) => people.data?.find(person => person.id === id)?.name ?? '…'
  return (
    <section aria-labelledby="on-call-now">
      <h2 id="on-call-now">{t('On call')}</h2>
      <ul class="duty">
        {rotas.data?.map(({ id, name, onCall, until }) => (
          <li key={id}>
            <span class="dim" dir="auto">
              {name}
            </span>{' '}
            <strong dir="auto">{nameOf(onCall)}</strong>{' '}
            <span class="dim">{t('until {time}', { time: dutyWords(until) })}</span>
          </li>
        ))}
      </ul>
      {waiting.slice(0, SHOWN_MAX).map(({ id, text, openedAt }) => (
        <a key={id} class="waits" href="#/on-call">
          <strong dir="auto">{text}</strong>
          <span>{t('waits for somebody since {time}', { time: clockWords(openedAt) })}</span>
        </a>
      ))}
      {waiting.length === 0 && <p class="good">{t('Nothing waits for anybody.')}</p>}
    </section>
  )
}
