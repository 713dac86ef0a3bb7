import { t } from '#console/language.ts'
import { nameOf } from '#console/on-call-words.ts'
import { dutyWords, shortDayWords } from '#console/time-words.ts'
import { useResource } from '#console/use-resource.ts'
import type { PersonResource, RotaResource, TurnResource } from '#contracts/on-call.ts'

const TURNS_SHOWN = 6
/** As many tints as `layout.css` has. */
const TINTS = 4

/** Who is on call in a rota now, in large letters, and who is next. */
export function RotaBoard({ rota, people }: { rota: RotaResource; people: readonly PersonResource[] }) {
  const turns = useResource<readonly TurnResource[]>(`rotas/${rota.id}/turns`, ['incident'])
  return (
    <li class="rota">
      <div class="row apart">
        <span class="dim" dir="auto">
          {rota.name}
        </span>
        <a href={`#/rotas/${rota.id}`}>
          {t('Swap')}
          <span class="hidden"> {rota.name}</span>
        </a>
      </div>
      <strong class="large" dir="auto">
        {nameOf(rota.onCall, people)}
      </strong>
      <span class="dim">{t('until {time}', { time: dutyWords(rota.until) })}</span>
      <ol class="weeks">
        {turns.data?.slice(0, TURNS_SHOWN).map(({ from, personId, isOverride }, index) => (
          <li key={from} class={`tint-${rota.people.indexOf(personId) % TINTS} ${index === 0 ? 'now' : ''}`}>
            <strong dir="auto">{nameOf(personId, people)}</strong>
            <span>{index === 0 ? t('now') : t('from {day}', { day: shortDayWords(from) })}</span>
            {isOverride && <span>{t('swapped')}</span>}
          </li>
        ))}
      </ol>
    </li>
  )
}
