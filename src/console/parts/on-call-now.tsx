import { t } from '#console/language.ts'
import { dutyWords } from '#console/time-words.ts'
import { waitingAlerts } from '#console/trouble.ts'
import { useResource } from '#console/use-resource.ts'
import type { PersonResource, RotaResource } from '#contracts/on-call.ts'

/** Who is on call. Nothing for an account without rotas. */
export function OnCallNow() {
  const rotas = useResource<readonly RotaResource[]>('rotas', ['incident'])
  const isUsed = (rotas.data?.length ?? 0) > 0
  const people = useResource<readonly PersonResource[]>(isUsed ? 'people' : null, [])
  if (!isUsed) return null
  const nameOf = (id: string | null) => people.data?.find(person => person.id === id)?.name ?? '…'
  return (
    <section aria-labelledby="on-call-now">
      <h2 id="on-call-now">{t('On call')}</h2>
      <ul class="plain">
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
      {waitingAlerts.value.length === 0 && <p class="good">{t('Nothing waits for anybody.')}</p>}
    </section>
  )
}
