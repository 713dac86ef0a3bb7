import { t } from '#console/language.ts'
import { nameOf } from '#console/on-call-words.ts'
import { Fault } from '#console/parts/basics.tsx'
import { Happenings } from '#console/parts/incident-card.tsx'
import { ShowMore } from '#console/parts/show-more.tsx'
import { clockWords, dayWords } from '#console/time-words.ts'
import { usePages } from '#console/use-pages.ts'
import type { IncidentResource } from '#contracts/incident.ts'
import type { PersonResource } from '#contracts/on-call.ts'

/** The alerts that are over, the newest first. Unfolded, each says what happened. */
export function EarlierIncidents({ people }: { people: readonly PersonResource[] }) {
  const pages = usePages<IncidentResource>('incidents?state=closed&limit=10', ['incident'], ({ id }) => id)
  const { first, rows } = pages
  if (rows.length === 0) return <Fault error={first.error} retry={first.reload} />
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier" class="group-head">
        {t('Earlier')}
      </h2>
      <ul class="list">
        {rows.map(({ id, text, closedBy, openedAt, timeline }) => (
          <li key={id}>
            <div class="item">
              <details>
                <summary>
                  <span>
                    <strong dir="auto">{text === '' ? t('The text is no longer kept') : text}</strong>
                    <br />
                    <span class="dim">
                      {dayWords(Date.parse(openedAt), Date.now())}, {clockWords(openedAt)} ·{' '}
                      {closedBy === 'sender'
                        ? t('It is over')
                        : closedBy === null
                          ? t('Closed by itself')
                          : t('{who} closed it', { who: nameOf(closedBy, people) })}
                    </span>
                  </span>
                </summary>
                <Happenings entries={timeline} people={people} />
              </details>
            </div>
          </li>
        ))}
      </ul>
      <ShowMore pages={pages} />
    </section>
  )
}
