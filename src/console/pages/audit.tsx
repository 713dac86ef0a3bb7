import { deedLink, deedWords, doerWords } from '#console/audit-words.ts'
import { t } from '#console/language.ts'
import { Empty, Fault, Loading, PageHead, When } from '#console/parts/basics.tsx'
import { ShowMore } from '#console/parts/show-more.tsx'
import { usePages } from '#console/use-pages.ts'
import type { AuditEntry } from '#contracts/user.ts'

/** Who did what, the newest first. */
export function AuditPage() {
  const pages = usePages<AuditEntry>('audit?limit=50', [], ({ id }) => id)
  const { first, rows } = pages
  return (
    <>
      <PageHead title={t('Who did what')} />
      <p class="dim">{t('Kept for 400 days. What keys send is in Messages only.')}</p>
      <Fault error={first.error} retry={first.reload} />
      {first.isLoading && <Loading />}
      {first.data?.length === 0 && <Empty title={t('Nothing was done yet')} drawing="night" />}
      {rows.length > 0 && (
        <ul class="list">
          {rows.map(entry => (
            <Line key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      <ShowMore pages={pages} />
    </>
  )
}

function Line({ entry }: { entry: AuditEntry }) {
  const link = deedLink(entry)
  return (
    <li>
      <div class="item">
        <span>
          <strong>{doerWords(entry)}</strong> {deedWords(entry)}
          {link !== null && (
            <>
              {' '}
              <a class="whole" href={link}>
                {t('Show it')}
              </a>
            </>
          )}
        </span>
        <span class="dim end">
          <When at={entry.when} />
        </span>
      </div>
    </li>
  )
}
