import { useEffect, useRef, useState } from 'preact/hooks'
import { language, t } from '#console/language.ts'
import { holdBackNew, textKey } from '#console/message-list.ts'
import { Empty, Fault, Loading, PageHead } from '#console/parts/basics.tsx'
import { TextsByDay } from '#console/parts/message-lines.tsx'
import { SaveTable } from '#console/parts/save-table.tsx'
import { SearchField } from '#console/parts/search-field.tsx'
import { ShowMore } from '#console/parts/show-more.tsx'
import { T } from '#console/parts/t.tsx'
import { Tabs } from '#console/parts/tabs.tsx'
import { linkTo } from '#console/route.ts'
import { cutWords } from '#console/text-cuts.ts'
import { exactWords, momentWords, readersZone } from '#console/time-words.ts'
import { usePages } from '#console/use-pages.ts'
import { useResource } from '#console/use-resource.ts'
import { reasonWords } from '#console/words-of-states.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { TextResource, TextsResource } from '#contracts/texts.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

/** A reader who has scrolled further down sees no new texts, so that the list does not move. */
const AT_TOP_PX = 200
/** What caused or carried a text. The reader chooses one of these. */
const SOURCES = ['webhookId', 'deviceId', 'kind', 'test']
const FILTERS = ['cut', 'q', 'words', 'reason', 'failedSince', ...SOURCES]

type Filters = Readonly<Record<string, string>>

/** Sent and received texts, the newest first. */
export function TextsPage({ query }: { query: URLSearchParams }) {
  const filters: Filters = Object.fromEntries(FILTERS.map(name => [name, query.get(name) ?? '']))
  const { cut = '', q = '', reason = '', failedSince = '' } = filters
  const used = Object.entries(filters).filter(([, value]) => value !== '')
  // A list without a search has one address, whoever reads it.
  const reader = q === '' ? [] : Object.entries({ language: language.tag, timeZone: readersZone() })
  const asked = new URLSearchParams([...used, ...reader])
  const path = `texts?${used.length === 0 ? '' : `${asked}&`}limit=50`
  const pages = usePages<TextResource, TextsResource>(path, ['message', 'received'], textKey)
  const { first, rows } = pages
  const linkOf = (change: Filters) => linkTo('texts', { ...filters, ...change })
  const go = (change: Filters) => {
    location.hash = linkOf(change)
  }
  const { newCount, shown } = holdBackNew(rows, useTopOf(rows))
  const day = first.data?.day ?? null
  const isEmpty = first.data !== undefined && rows.length === 0
  return (
    <>
      <PageHead title={t('Texts')}>
        <a class="button primary" href="#/texts/new">
          {t('Write a text')}
        </a>
      </PageHead>
      <SearchField q={q} onSearch={q => location.replace(linkOf({ q, words: '' }))} />
      {!(isEmpty && used.length === 0) && (
        <div class="cuts">
          <Tabs
            label={t('Which texts')}
            options={cutWords(first.data?.counts ?? null)}
            value={cut}
            onValue={cut => go({ cut, reason: '', failedSince: '' })}
          />
          <Source filters={filters} go={go} />
        </div>
      )}
      {day !== null && (
        <p class="row">
          <span>
            <strong dir="auto">{day.words}</strong>: {momentWords(day.since)} – {momentWords(day.until)}
          </span>
          <a href={linkOf({ words: 'true' })}>{t('Search the words instead')}</a>
        </p>
      )}
      {(reason !== '' || failedSince !== '') && (
        <p class="row">
          <span>
            {reason !== '' && <strong>{reasonWords(reason)}</strong>}{' '}
            {failedSince !== '' && <T>since {{ exact: exactWords(failedSince) }}</T>}
          </span>
          <a href={linkOf({ reason: '', failedSince: '' })}>{t('Show all texts')}</a>
        </p>
      )}
      <Fault error={first.error} retry={first.reload} />
      {first.isLoading && <Loading />}
      {isEmpty && used.length === 0 && (
        <Empty title={t('No texts yet')} drawing="text">
          <p>{t('Every text that goes out or comes in is listed here.')}</p>
        </Empty>
      )}
      {isEmpty && used.length > 0 && !pages.hasMore && (
        <Empty title={t('No text is like this')}>
          <a class="button" href="#/texts">
            {t('Show all texts')}
          </a>
        </Empty>
      )}
      <p role="status" class="new">
        {newCount > 0 && (
          <button type="button" class="primary" onClick={() => scrollTo({ top: 0 })}>
            <T>{{ newCount }} new</T>
          </button>
        )}
      </p>
      <TextsByDay texts={shown} />
      <div class="row">
        <ShowMore pages={pages} />
        {rows.length > 0 && <SaveTable path={`texts.csv?${asked}`} file="texts.csv" />}
        {cut === 'received' && <a href="#/opt-outs">{t('No more texts')}</a>}
      </div>
    </>
  )
}

/** The text that was on top when the reader scrolled down; null at the top. */
function useTopOf(rows: readonly TextResource[]): string | null {
  const [topId, setTopId] = useState<string | null>(null)
  const first = useRef<string | null>(null)
  first.current = rows[0] === undefined ? null : textKey(rows[0])
  useEffect(() => {
    const onScroll = () => setTopId(known => (scrollY < AT_TOP_PX ? null : (known ?? first.current)))
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  return topId
}

/** From what or by which phone the texts came. */
function Source({ filters, go }: { filters: Filters; go: (change: Filters) => void }) {
  const phones = useResource<readonly DeviceListItem[]>('devices', [])
  const webhooks = useResource<readonly WebhookResource[]>('webhooks', [])
  const [name = '', value = ''] = SOURCES.map(one => [one, filters[one] ?? '']).find(([, is]) => is) ?? []
  const options = [
    ['', t('From …')],
    ...(webhooks.data ?? []).map(one => [`webhookId=${one.id}`, t('From {name}', { name: one.name })]),
    ['kind=sms', t('From you and scripts')],
    ['kind=2fa', t('Codes')],
    ...(phones.data ?? []).map(one => [`deviceId=${one.deviceId}`, t('By {name}', { name: one.name })]),
    ['test=true', t('Sandbox (not sent)')],
  ]
  const chosen = name === '' ? '' : `${name}=${value}`
  const isThere = options.some(([one]) => one === chosen)
  return (
    <select
      aria-label={t('Where from')}
      value={chosen}
      onChange={({ currentTarget }) => {
        const [of = '', is = ''] = currentTarget.value.split('=')
        const none = Object.fromEntries(SOURCES.map(one => [one, '']))
        go({ ...none, ...(of !== '' && { [of]: is }) })
      }}
    >
      {[...options, ...(isThere ? [] : [[chosen, t('something that was removed')]])].map(([one, word]) => (
        <option key={one} value={one} selected={one === chosen}>
          {word}
        </option>
      ))}
    </select>
  )
}
