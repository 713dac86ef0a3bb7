import { deedLink, deedWords, doerWords, nameOfDeed } from '#console/audit-words.ts'
import { t } from '#console/language.ts'
import { Empty, exactTitle, Fault, Loading, useNow } from '#console/parts/basics.tsx'
import { ShowMore } from '#console/parts/show-more.tsx'
import { clockWords, dayWords } from '#console/time-words.ts'
import { usePages } from '#console/use-pages.ts'
import type { AuditEntry } from '#contracts/user.ts'

/** Who did what, by days, the newest first. */
export function Audit() {
  const pages = usePages<AuditEntry>('audit?limit=50', [], ({ id }) => id)
  const { first, rows } = pages
  const now = useNow(60_000)
  const days = Map.groupBy(rows, ({ when }) => dayWords(Date.parse(when), now))
  return (
    <>
      <p class="dim">{t('Kept for 400 days. What keys send is in Messages only.')}</p>
      <Fault error={first.error} retry={first.reload} />
      {first.isLoading && <Loading />}
      {first.data?.length === 0 && <Empty title={t('Nothing was done yet')} drawing="night" />}
      {[...days].map(([day, entries]) => (
        <section key={day} aria-label={day}>
          <h2 class="day">{day}</h2>
          <ul class="list">
            {entries.map(entry => (
              <Line key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      <ShowMore pages={pages} />
    </>
  )
}

function Line({ entry }: { entry: AuditEntry }) {
  const link = deedLink(entry)
  const name = nameOfDeed(entry)
  return (
    <li>
      <div class="item">
        <span>
          <strong>{doerWords(entry)}</strong> {deedWords(entry)}
          {link === null ? (
            name !== null && <span dir="auto">: {name}</span>
          ) : (
            <>
              {name !== null && ':'}{' '}
              <a class="whole" href={link} dir="auto">
                {name ?? t('Show it')}
              </a>
            </>
          )}
        </span>
        <time class="dim end" dateTime={entry.when} {...exactTitle(entry.when)}>
          {clockWords(entry.when)}
        </time>
      </div>
    </li>
  )
}
