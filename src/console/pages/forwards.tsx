import { call } from '#console/api.ts'
import { receiverOf } from '#console/delivery-words.ts'
import { t } from '#console/language.ts'
import { Dotted, Empty, Fault, Loading, Mark, PageHead } from '#console/parts/basics.tsx'
import { DeliveryLines } from '#console/parts/delivery-lines.tsx'
import { EntryLink } from '#console/parts/entry-link.tsx'
import { FORWARD_KINDS, ForwardForm } from '#console/parts/forward-form.tsx'
import { Removal } from '#console/parts/removal.tsx'
import { untilThere } from '#console/parts/until-there.tsx'
import { useAction, useResource } from '#console/use-resource.ts'
import type { ForwardResource } from '#contracts/forward.ts'
import type { DeliveryResource } from '#contracts/notification.ts'

/** Deliveries that the page of a forward shows. */
const SHOWN_MAX = 5

/** Where received texts are passed on to. */
export function ForwardsPage() {
  const { data, error, isLoading, reload } = useResource<readonly ForwardResource[]>('forwards', ['delivery'])
  return (
    <>
      <PageHead title={t('Forwards')}>
        <a class="button primary" href="#/forwards/new">
          {t('Make a forward')}
        </a>
      </PageHead>
      <p class="dim">
        {t('Received texts go on to a chat, a mailbox or a person, with one-time codes hidden.')}
      </p>
      <Fault error={error} retry={reload} />
      {isLoading && <Loading />}
      {data?.length === 0 && (
        <Empty title={t('No text is passed on')} drawing="letter">
          <p>
            {t('A forward sends what your phones receive to ntfy, Telegram, Matrix, a mailbox and others.')}
          </p>
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <ul class="list">
          {data.map(forward => (
            <li key={forward.id}>
              <EntryLink href={`#/forwards/${forward.id}`}>
                <strong dir="auto">{forward.name}</strong>
                <State forward={forward} />
                <span class="dim about">
                  <Dotted parts={factsOf(forward)} />
                </span>
              </EntryLink>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Its kind, where it leads, and what it chooses. Of an address only the host: the rest may be secret. */
function factsOf({ kind, url, target, from, contains, codes }: ForwardResource): readonly string[] {
  const place = receiverOf({ url }) ?? (kind === 'sms' ? null : target)
  return [
    FORWARD_KINDS[kind].word,
    place,
    from === null ? null : t('only from {from}', { from }),
    contains === null ? null : t('only with “{words}”', { words: contains }),
    codes ? t('codes, too') : null,
  ].filter(one => one !== null)
}

function State({ forward: { enabled, failingSince } }: { forward: ForwardResource }) {
  if (!enabled) return <Mark tone="dim" mark="none" word={t('off')} />
  return failingSince === null ? (
    <Mark tone="good" mark="on" word={t('on')} />
  ) : (
    <Mark tone="bad" mark="alert" word={t('failing')} />
  )
}

/** A forward. `id` null: a new one. */
export function ForwardPage({ id }: { id: string | null }) {
  const path = id === null ? null : `forwards/${encodeURIComponent(id)}`
  const forward = useResource<ForwardResource>(path, ['delivery'])
  const missing = untilThere(t('Forward'), [forward])
  if (missing !== null) return missing
  const { data } = forward
  return (
    <>
      <PageHead title={data?.name ?? t('New forward')} />
      <Trouble forward={data} />
      <div class="twin">
        {data !== undefined && (
          <div class="help">
            <TryForward forward={data} />
          </div>
        )}
        <ForwardForm forward={data ?? null} />
      </div>
      {data !== undefined && (
        <Removal
          what={t('forward')}
          resource={forward}
          next="#/forwards"
          question={t('Texts are no longer passed on here, and what waits is cancelled.')}
        />
      )}
    </>
  )
}

/** Why nothing is passed on. */
function Trouble({ forward }: { forward: ForwardResource | undefined }) {
  const why =
    forward?.disabledReason === 'GONE'
      ? t('The receiver answered 410 (Gone), so nothing is passed on. Switch it on again below.')
      : forward?.disabledReason === 'FAILING'
        ? t('The receiver failed for five days, so nothing is passed on. Switch it on again below.')
        : forward?.failingSince != null
          ? t('The last attempt failed. Each text is tried again for a day.')
          : null
  return why === null ? null : <p class="notice bad">{why}</p>
}

/** Passes a sample text on, and says what became of the last texts. */
function TryForward({ forward: { id, enabled } }: { forward: ForwardResource }) {
  const action = useAction()
  const deliveries = useResource<readonly DeliveryResource[]>('notifications/deliveries?limit=200', [
    'delivery',
  ])
  const own = (deliveries.data ?? []).filter(({ forwardId }) => forwardId === id).slice(0, SHOWN_MAX)
  const press = () =>
    action.run(async () => {
      await call('POST', `forwards/${id}/test`)
      deliveries.reload()
    })
  return (
    <section class="card slim">
      <h2>{t('Try it')}</h2>
      <p>
        <button type="button" disabled={action.busy || !enabled} onClick={() => void press()}>
          {t('Pass a sample text on')}
        </button>{' '}
        {!enabled && <span class="dim">{t('It is switched off.')}</span>}
      </p>
      <Fault error={action.error} />
      {own.length > 0 && <DeliveryLines deliveries={own} />}
    </section>
  )
}
