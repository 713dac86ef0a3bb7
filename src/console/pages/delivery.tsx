import { call } from '#console/api.ts'
import { answerWords, happenedWords, readBody, toldWords } from '#console/delivery-words.ts'
import { t } from '#console/language.ts'
import { Fault, Mark, PageHead, When } from '#console/parts/basics.tsx'
import { CopyButton } from '#console/parts/copyable.tsx'
import { DELIVERY_MARKS } from '#console/parts/delivery-marks.ts'
import { untilThere } from '#console/parts/until-there.tsx'
import { exactClockWords, exactWords, spanWords } from '#console/time-words.ts'
import { useForwardNames } from '#console/use-names.ts'
import { usePersonNames } from '#console/use-person-names.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import type { DeliveryDetail } from '#contracts/notification.ts'

/** A longer body is folded. */
const BODY_LINES_MAX = 24

/** One notification: what happened, where it went and how that ended, each attempt, and its body. */
export function DeliveryPage({ id }: { id: string }) {
  const path = `notifications/deliveries/${encodeURIComponent(id)}`
  const resource = useResource<Delivery>(path, ['delivery'])
  const replay = useAction()
  const delivery = resource.data
  const about = delivery?.about ?? null
  const personOf = usePersonNames(about?.startsWith('+') === true)
  if (delivery === undefined) return untilThere(t('Delivery'), [resource])
  const { text, reason } = readBody(delivery.body ?? '')
  const happened = happenedWords(delivery, personOf(about) ?? about)
  const title = reason === null ? happened : t('{happened}: {reason}', { happened, reason })
  const told = toldWords(delivery)
  const again = () =>
    replay.run(async () => {
      await call('POST', `${path}/replay`)
      resource.reload()
    })
  const isReceived = delivery.messageId?.startsWith('rcv_') === true
  return (
    <>
      <PageHead title={title}>
        <div class="row">
          {delivery.messageId !== null && (
            <a class="button" href={isReceived ? '#/texts?cut=received' : `#/texts/${delivery.messageId}`}>
              {t('Show the message')}
            </a>
          )}
          <button type="button" class="primary" disabled={replay.busy} onClick={() => void again()}>
            {t('Post it again')}
          </button>
        </div>
      </PageHead>
      <Fault error={replay.error} />
      {told !== null && (
        <p class="plan" dir="auto">
          {told}
        </p>
      )}
      <Outcome delivery={delivery} />
      <Attempts delivery={delivery} />
      <LastAnswer answer={attemptsOf(delivery).at(-1)?.answer ?? ''} />
      {delivery.body !== undefined && <Body body={delivery.body} text={text} />}
    </>
  )
}

/** In the first moment after a list was drawn, the page may know of a delivery only what the list knew. */
type Delivery = Omit<DeliveryDetail, 'attempts' | 'body'> &
  Partial<Pick<DeliveryDetail, 'body'>> & { readonly attempts: number | DeliveryDetail['attempts'] }

function attemptsOf({ attempts, attemptLog }: Delivery): readonly Attempt[] {
  return typeof attempts === 'number' ? attemptLog : attempts
}
type Attempt = DeliveryDetail['attemptLog'][number] & { readonly answer?: string | null }

/** Where it went, and how that stands. */
function Outcome({ delivery }: { delivery: Delivery }) {
  const { status, url, forwardId, createdAt, nextAttemptAt } = delivery
  const forward = useForwardNames([forwardId])(forwardId)
  const [tone, mark, word] = DELIVERY_MARKS[status]
  const count = attemptsOf(delivery).length
  return (
    <section class="card" aria-label={t('What happened')}>
      <dl class="facts">
        <dt>{t('Status')}</dt>
        <dd>
          <Mark tone={tone} mark={mark} word={word} />
        </dd>
        <dt>{forwardId === null ? t('Posted to') : t('Forward')}</dt>
        <dd>
          {forwardId === null ? (
            <span class="mono">{url ?? t('not posted yet')}</span>
          ) : (
            <a href={`#/forwards/${forwardId}`}>{forward ?? '…'}</a>
          )}
        </dd>
        <dt>{t('Last answer')}</dt>
        <dd>{answerWords(delivery)}</dd>
        <dt>{t('Attempts')}</dt>
        <dd>{status === 'failed' ? t('{count}, given up', { count }) : count}</dd>
        {nextAttemptAt !== null && (
          <>
            <dt>{t('Next attempt')}</dt>
            <dd>
              <When at={nextAttemptAt} />
            </dd>
          </>
        )}
        <dt>{t('Happened')}</dt>
        <dd>
          <When at={createdAt} />
        </dd>
      </dl>
    </section>
  )
}

/** The attempts as a line. */
function Attempts({ delivery }: { delivery: Delivery }) {
  const attempts = attemptsOf(delivery)
  const last = attempts.at(-1)
  if (last === undefined) return null
  return (
    <section class="life" aria-labelledby="attempts">
      <h2 id="attempts">{t('Attempts')}</h2>
      <div class="scroll">
        <ol class="text-line">
          {attempts.map((attempt, index) => (
            <Stop key={attempt.at} attempt={attempt} before={attempts[index - 1]} isLast={attempt === last} />
          ))}
        </ol>
      </div>
    </section>
  )
}

/** What the receiver said to the last attempt. */
function LastAnswer({ answer }: { answer: string }) {
  if (answer === '') return null
  return (
    <section class="card" aria-labelledby="answer">
      <h2 id="answer">{t('What it answered last')}</h2>
      <pre>{answer}</pre>
    </section>
  )
}

interface StopProps {
  readonly attempt: Attempt
  readonly before: Attempt | undefined
  readonly isLast: boolean
}

function Stop({ attempt: { at, status, error, durationMs }, before, isLast }: StopProps) {
  const isTaken = status !== null && status < 300
  const isSameDay = before !== undefined && new Date(before.at).toDateString() === new Date(at).toDateString()
  return (
    <li class={isTaken ? 'good' : 'bad'} {...(!isLast && { 'data-way': 'line' })}>
      <strong>
        {status === null ? t('No answer: {error}', { error }) : t('Answered {status}', { status })}
      </strong>
      <time dateTime={at} title={exactWords(at)} class="dim">
        {isSameDay ? exactClockWords(at) : exactWords(at)}
      </time>
      <span class="dim">
        {t('took {span}', { span: durationMs < 1_000 ? `${durationMs} ms` : spanWords(durationMs) })}
      </span>
    </li>
  )
}

/** What was posted, in lines. It is copied byte for byte, because its signature covers each. */
function Body({ body, text }: { body: string; text: string }) {
  return (
    <details class="copyable" open={text.split('\n').length <= BODY_LINES_MAX}>
      <summary>{t('What was posted')}</summary>
      <pre>{text}</pre>
      <CopyButton text={body} label={t('what was posted')} />
    </details>
  )
}
