import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { holdBackNew, SPANS_OF_TIME, spanOfTime } from '#console/message-list.ts'
import { Choice, Empty, Fault, Field, Loading, PageHead, useNow } from '#console/parts/basics.tsx'
import { MessagesByDay } from '#console/parts/message-lines.tsx'
import { SaveTable } from '#console/parts/save-table.tsx'
import { SearchField } from '#console/parts/search-field.tsx'
import { SearchedFor, useSearchedPeople } from '#console/parts/searched-people.tsx'
import { ShowMore } from '#console/parts/show-more.tsx'
import { T } from '#console/parts/t.tsx'
import { linkTo } from '#console/route.ts'
import { exactWords } from '#console/time-words.ts'
import { useWebhookNames } from '#console/use-names.ts'
import { usePages } from '#console/use-pages.ts'
import { useResource } from '#console/use-resource.ts'
import { REASONS, reasonWords } from '#console/words-of-states.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { MessageResource } from '#contracts/message.ts'

/** A reader who has scrolled further down sees no new messages, so that the list does not move. */
const AT_TOP_PX = 200

const FILTERS = [
  'q',
  'words',
  'status',
  'kind',
  'deviceId',
  'webhookId',
  'test',
  'reason',
  'failedSince',
  'when',
]

/** The filters that a narrow screen shows only on request. */
const FOLDED = ['status', 'kind', 'deviceId', 'test', 'reason', 'when']

/** Outgoing texts, the newest first. */
export function MessagesPage({ query }: { query: URLSearchParams }) {
  const filters = Object.fromEntries(FILTERS.map(name => [name, query.get(name) ?? '']))
  const { when = '', words = '', q = '', ...others } = filters
  const searched = useSearchedPeople(q, words !== '')
  const asked = { q: searched.q ?? '', ...others, ...spanOfTime(when, useNow()) }
  const used = Object.entries(asked).filter(([, value]) => value !== '')
  const path = searched.q === null ? null : `sms?${new URLSearchParams([...used, ['limit', '50']])}`
  const pages = usePages<MessageResource>(path, ['message'], ({ messageId }) => messageId)
  const { first, rows } = pages
  const linkOf = (change: Readonly<Record<string, string>>) => linkTo('messages', { ...filters, ...change })
  const go = (change: Record<string, string>) => {
    location.hash = linkOf(change)
  }
  const { newCount, shown } = holdBackNew(rows, useTopOf(rows))
  return (
    <>
      <PageHead title={t('Messages')}>
        <a class="button primary" href="#/messages/new">
          {t('Write a text')}
        </a>
      </PageHead>
      <SearchField q={q} onSearch={q => location.replace(linkOf({ q, words: '' }))}>
        <Filters filters={filters} go={go} />
      </SearchField>
      <SearchedFor people={searched.people} linkOf={linkOf} />
      <OneWebhook id={filters['webhookId'] || null} showAll={() => go({ webhookId: '' })} />
      {filters['failedSince'] !== '' && (
        <p class="row">
          <span>
            <T>
              Only texts that failed since{' '}
              <strong>{{ exact: exactWords(filters['failedSince'] ?? '') }}</strong>
            </T>
          </span>
          <button type="button" onClick={() => go({ failedSince: '', reason: '' })}>
            {t('Show all texts')}
          </button>
        </p>
      )}
      <Fault error={first.error} retry={first.reload} />
      {(path === null || first.isLoading) && <Loading />}
      {first.data !== undefined && rows.length === 0 && used.length === 0 && (
        <Empty title={t('No texts yet')} drawing="text">
          <p>{t('Every text that goes out is listed here, with its status.')}</p>
        </Empty>
      )}
      {first.data !== undefined && rows.length === 0 && used.length > 0 && !pages.hasMore && (
        <Empty title={t('No texts match these filters')}>
          <a class="button" href="#/messages">
            {t('Clear the filters')}
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
      <MessagesByDay messages={shown} />
      <div class="row">
        <ShowMore pages={pages} />
        {rows.length > 0 && <SaveTable path={`sms.csv?${new URLSearchParams(used)}`} file="texts.csv" />}
      </div>
    </>
  )
}

/** Says that only alerts of one webhook are listed. */
function OneWebhook({ id, showAll }: { id: string | null; showAll: () => void }) {
  const name = useWebhookNames([id])(id)
  if (id === null) return null
  return (
    <p class="row">
      <span>
        <T>
          Only alerts of <strong>{{ name }}</strong>
        </T>
      </span>
      <button type="button" onClick={showAll}>
        {t('Show all texts')}
      </button>
    </p>
  )
}

/** The message that was on top when the reader scrolled down; null at the top. */
function useTopOf(rows: readonly MessageResource[]): string | null {
  const [topId, setTopId] = useState<string | null>(null)
  const first = useRef<string | null>(null)
  first.current = rows[0]?.messageId ?? null
  useEffect(() => {
    const onScroll = () => setTopId(known => (scrollY < AT_TOP_PX ? null : (known ?? first.current)))
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  return topId
}

interface FiltersProps {
  readonly filters: Readonly<Record<string, string>>
  readonly go: (change: Record<string, string>) => void
}

function Filters({ filters, go }: FiltersProps) {
  const devices = useResource<readonly DeviceListItem[]>('devices', [])
  const [isOpen, setOpen] = useState(false)
  const used = FOLDED.filter(name => (filters[name] ?? '') !== '').length
  return (
    <>
      <button
        type="button"
        class="unfold"
        aria-expanded={isOpen}
        aria-controls="filters"
        onClick={() => setOpen(!isOpen)}
      >
        {used === 0 ? t('Filters') : t('Filters ({count})', { count: used })}
      </button>
      <div class={`filters ${isOpen ? 'open' : ''}`} id="filters">
        <Choice
          label={t('Status')}
          value={filters['status'] ?? ''}
          onValue={status => go({ status })}
          options={[
            ['', t('Any status')],
            ['queued', t('Queued')],
            ['sending', t('Sending')],
            ['sent', t('Sent')],
            ['delivered', t('Delivered')],
            ['failed', t('Failed')],
          ]}
        />
        <Choice
          label={t('Reason')}
          value={filters['reason'] ?? ''}
          onValue={reason => go({ reason, failedSince: '' })}
          options={[['', t('Any reason')], ...reasonsWith(filters['reason'] ?? '')]}
        />
        <When value={filters['when'] ?? ''} onValue={when => go({ when })} />
        <Choice
          label={t('Kind')}
          value={filters['test'] === 'true' ? 'test' : (filters['kind'] ?? '')}
          onValue={kind => go(kind === 'test' ? { kind: '', test: 'true' } : { kind, test: '' })}
          options={[
            ['', t('Any kind')],
            ['sms', t('Text')],
            ['2fa', t('Code')],
            ['webhook', t('Alert')],
            ['test', t('Sandbox (not sent)')],
          ]}
        />
        <Choice
          label={t('Phone')}
          value={filters['deviceId'] ?? ''}
          onValue={deviceId => go({ deviceId })}
          options={[
            ['', t('Any phone')],
            ...(devices.data ?? []).map(({ deviceId, name }) => [deviceId, name] as const),
          ]}
        />
      </div>
    </>
  )
}

/** The reasons to choose from. A link may name a code that only one phone reports. */
function reasonsWith(code: string) {
  const isKnown = code === '' || REASONS.some(([one]) => one === code)
  return isKnown ? REASONS : [...REASONS, [code, reasonWords(code)] as const]
}

/** When the texts were accepted: one of a few spans, or a day. */
function When({ value, onValue }: { value: string; onValue: (when: string) => void }) {
  const [isDay, setDay] = useState(/^\d/.test(value))
  const choose = (when: string) => {
    setDay(when === 'day')
    if (when !== 'day') onValue(when)
  }
  return (
    <>
      <Choice
        label={t('When')}
        value={isDay ? 'day' : value}
        onValue={choose}
        options={[...SPANS_OF_TIME, ['day', t('A day…')]]}
      />
      {isDay && (
        <Field
          label={t('Day')}
          type="date"
          value={/^\d/.test(value) ? value : ''}
          onValue={day => day !== '' && onValue(day)}
        />
      )}
    </>
  )
}
