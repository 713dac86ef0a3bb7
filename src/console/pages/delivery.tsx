import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Fault, Mark, PageHead, When } from '#console/parts/basics.tsx'
import { DELIVERY_MARKS } from '#console/parts/delivery-marks.ts'
import { T } from '#console/parts/t.tsx'
import { untilThere } from '#console/parts/until-there.tsx'
import { useForwardNames } from '#console/use-names.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import { eventWords } from '#console/words.ts'
import type { DeliveryResource } from '#contracts/notification.ts'

interface DeliveryDetail extends Omit<DeliveryResource, 'attempts'> {
  readonly body?: string
  readonly attempts:
    | number
    | readonly {
        readonly at: string
        readonly status: number | null
        readonly durationMs: number
        readonly error: string | null
        readonly answer?: string | null
      }[]
}

/** One event: its body, and the result of each attempt. */
export function DeliveryPage({ id }: { id: string }) {
  const path = `notifications/deliveries/${encodeURIComponent(id)}`
  const resource = useResource<DeliveryDetail>(path, ['delivery'])
  const replay = useAction()
  const delivery = resource.data
  const forwardId = delivery?.forwardId ?? null
  const forward = useForwardNames([forwardId])(forwardId)
  if (delivery === undefined) return untilThere(t('Delivery'), [resource])
  const [tone, mark, word] = DELIVERY_MARKS[delivery.status]
  const attempts = typeof delivery.attempts === 'number' ? delivery.attemptLog : delivery.attempts
  return (
    <>
      <PageHead title={eventWords(delivery.event)}>
        <Mark tone={tone} mark={mark} word={word} />
      </PageHead>
      {forward !== null && (
        <p>
          <T>
            Passed on by the forward <a href={`#/forwards/${forwardId}`}>{{ forward }}</a>
          </T>
        </p>
      )}
      <section class="card">
        <h2>{t('Attempts')}</h2>
        {attempts.length === 0 && <p class="dim">{t('None yet.')}</p>}
        <ol class="timeline">
          {attempts.map(attempt => (
            <li key={attempt.at}>
              <strong>
                {attempt.status === null
                  ? t('No answer: {error}', { error: attempt.error })
                  : t('Answered {status}', { status: attempt.status })}
              </strong>
              <br />
              <span class="dim">
                <T>
                  <When at={attempt.at} /> · took {{ durationMs: attempt.durationMs }} ms
                </T>
              </span>
              {'answer' in attempt && attempt.answer != null && attempt.answer !== '' && (
                <pre>{attempt.answer}</pre>
              )}
            </li>
          ))}
        </ol>
      </section>
      {delivery.body !== undefined && (
        <section class="card">
          <h2>{t('What was posted')}</h2>
          <pre>{delivery.body}</pre>
        </section>
      )}
      <Fault error={replay.error} />
      <div class="row">
        <button
          type="button"
          disabled={replay.busy}
          onClick={() =>
            void replay.run(async () => {
              await call('POST', `${path}/replay`)
              resource.reload()
            })
          }
        >
          {t('Post it again')}
        </button>
        {delivery.messageId !== null && (
          <a
            class="button"
            href={delivery.messageId.startsWith('rcv_') ? '#/received' : `#/messages/${delivery.messageId}`}
          >
            {t('Show the message')}
          </a>
        )}
      </div>
    </>
  )
}
