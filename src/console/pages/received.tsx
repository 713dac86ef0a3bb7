import { t } from '#console/language.ts'
import { inOneLine } from '#console/message-list.ts'
import { Empty, Fault, Loading, PageHead, When } from '#console/parts/basics.tsx'
import { EntryLink } from '#console/parts/entry-link.tsx'
import { PhoneNumber } from '#console/parts/phone-number.tsx'
import { SaveTable } from '#console/parts/save-table.tsx'
import { SearchField } from '#console/parts/search-field.tsx'
import { SearchedFor, useSearchedPeople } from '#console/parts/searched-people.tsx'
import { ShowMore } from '#console/parts/show-more.tsx'
import { linkTo } from '#console/route.ts'
import { isNew } from '#console/seen-texts.ts'
import { usePages } from '#console/use-pages.ts'
import { UNKNOWN_SENDER, usePersonNames } from '#console/use-person-names.ts'
import type { ReceivedResource } from '#contracts/inbox.ts'

/** Senders of received texts, the newest first. */
export function ReceivedPage({ query }: { query: URLSearchParams }) {
  const q = query.get('q') ?? ''
  const searched = useSearchedPeople(q, query.has('words'))
  const asked = searched.q ? { q: searched.q } : {}
  const path = searched.q === null ? null : `received?${new URLSearchParams({ ...asked, limit: '200' })}`
  const linkOf = (change: Readonly<Record<string, string>>) => linkTo('received', { q, ...change })
  const pages = usePages<ReceivedResource>(path, ['received'], ({ id }) => id)
  const { data, isLoading, error, reload } = pages.first
  const latest = new Map<string, ReceivedResource>()
  for (const one of pages.rows) {
    const from = one.from ?? UNKNOWN_SENDER
    if (!latest.has(from)) latest.set(from, one)
  }
  const nameOf = usePersonNames(latest.size > 0)
  return (
    <>
      <PageHead title={t('Received texts')}>
        <a href="#/opt-outs">{t('No more texts')}</a>
      </PageHead>
      {(q !== '' || isLoading || latest.size > 0) && (
        <SearchField q={q} onSearch={q => location.replace(linkOf({ q }))} />
      )}
      <SearchedFor people={searched.people} linkOf={linkOf} isReceived />
      <Fault error={error} retry={reload} />
      {(path === null || isLoading) && <Loading />}
      {data !== undefined && latest.size === 0 && !pages.hasMore && <Nothing isSearch={q !== ''} />}
      {latest.size > 0 && (
        <ul class="list talks">
          {[...latest].map(([from, one]) => (
            <li key={from}>
              <EntryLink href={linkTo(`received/${encodeURIComponent(from)}`)}>
                <Who name={nameOf(from)} from={from} isNew={isNew(from, one.receivedAt)} />
                <span class="dim end">
                  <When at={one.receivedAt} />
                </span>
                <span class="one-line" dir="auto">
                  {inOneLine(one.message)}
                </span>
              </EntryLink>
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        <ShowMore pages={pages} />
        {latest.size > 0 && (
          <SaveTable path={`received.csv?${new URLSearchParams(asked)}`} file="received.csv" />
        )}
      </div>
    </>
  )
}

function Who({ name, from, isNew }: { name: string | null; from: string; isNew: boolean }) {
  const who = name ?? <PhoneNumber number={from} />
  return (
    <span class="who">
      {name === null && !isNew ? who : <strong dir="auto">{who}</strong>}
      {isNew && <span class="badge">{t('New')}</span>}
    </span>
  )
}

function Nothing({ isSearch }: { isSearch: boolean }) {
  if (!isSearch)
    return (
      <Empty title={t('No received texts yet')} drawing="letter">
        <p>{t('Texts that your phones receive are listed here, if their app passes them on.')}</p>
      </Empty>
    )
  return (
    <Empty title={t('No received text contains this')}>
      <a class="button" href="#/received">
        {t('Show all received texts')}
      </a>
    </Empty>
  )
}
