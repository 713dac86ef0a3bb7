import { answerWords, type DayOfRuns, type Run, receiverOf } from '#console/delivery-words.ts'
import { t } from '#console/language.ts'
import { Dotted, exactTitle, Mark, When } from '#console/parts/basics.tsx'
import { DELIVERY_MARKS } from '#console/parts/delivery-marks.ts'
import { EntryLink } from '#console/parts/entry-link.tsx'
import { T } from '#console/parts/t.tsx'
import { clockWords } from '#console/time-words.ts'
import { type NameThing, useForwardNames } from '#console/use-names.ts'
import { usePersonNames } from '#console/use-person-names.ts'
import { eventWords } from '#console/words.ts'
import type { DeliveryResource } from '#contracts/notification.ts'

interface Names {
  readonly forwardOf: NameThing
  readonly personOf: (number: string | null) => string | null
}

function useDeliveryNames(deliveries: readonly DeliveryResource[]): Names {
  return {
    forwardOf: useForwardNames(deliveries.map(({ forwardId }) => forwardId)),
    personOf: usePersonNames(deliveries.some(({ about }) => about?.startsWith('+') === true)),
  }
}

/** Deliveries of notifications: what happened, to whom, and what the receiver said. */
export function DeliveryLines({ deliveries }: { deliveries: readonly DeliveryResource[] }) {
  const names = useDeliveryNames(deliveries)
  return (
    <ul class="list posted">
      {deliveries.map(one => (
        <li key={one.id}>
          <Line delivery={one} names={names} />
        </li>
      ))}
    </ul>
  )
}

/** The same by days. What went well several times in a row is one line, which opens. */
export function DeliveryRuns({ days }: { days: readonly DayOfRuns[] }) {
  const names = useDeliveryNames(days.flatMap(({ runs }) => runs.flat()))
  return (
    <>
      {days.map(({ day, runs }) => (
        <section key={day} aria-label={day}>
          <h3 class="day">{day}</h3>
          <ul class="list posted">
            {runs.map(run => (
              <li key={run[0].id}>
                {run.length > 1 ? (
                  <FoldedRun run={run} names={names} />
                ) : (
                  <Line delivery={run[0]} names={names} isOfDay />
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function FoldedRun({ run, names }: { run: Run; names: Names }) {
  const [newest] = run
  const oldest = run.at(-1) ?? newest
  const span = { from: clockWords(oldest.createdAt), until: clockWords(newest.createdAt) }
  return (
    <details class="run">
      <summary>
        <span>
          <strong>
            {t('{event}: {count} times', { event: eventWords(newest.event), count: run.length })}
          </strong>{' '}
          <span class="dim">{receiverWords(newest, names)}</span>
        </span>
        <DeliveryMark delivery={newest} />
        <span class="dim run-span">{t('{from} to {until}', span)}</span>
      </summary>
      <ul class="list posted">
        {run.map(one => (
          <li key={one.id}>
            <Line delivery={one} names={names} isOfDay />
          </li>
        ))}
      </ul>
    </details>
  )
}

function DeliveryMark({ delivery }: { delivery: DeliveryResource }) {
  const [tone, mark, word] = DELIVERY_MARKS[delivery.status]
  return <Mark tone={tone} mark={mark} word={word} />
}

interface LineProps {
  readonly delivery: DeliveryResource
  readonly names: Names
  /** The heading above says the day. */
  readonly isOfDay?: boolean
}

function Line({ delivery, names, isOfDay = false }: LineProps) {
  const { id, event, about, status, attempts, createdAt, nextAttemptAt } = delivery
  const isSmooth = status === 'delivered' && attempts === 1
  return (
    <EntryLink href={`#/notifications/${id}`}>
      <span>
        <strong>{eventWords(event)}</strong>{' '}
        {about !== null && <span dir="auto">{names.personOf(about) ?? about}</span>}
      </span>
      <DeliveryMark delivery={delivery} />
      <span class="dim">
        <Dotted
          parts={[
            ...[receiverWords(delivery, names)].filter(one => one !== null),
            ...(isSmooth ? [] : [answerWords(delivery)]),
            ...(attempts > 1 ? [t('1 attempt|{count} attempts', { count: attempts })] : []),
            ...(nextAttemptAt === null ? [] : [<Next key="next" at={nextAttemptAt} />]),
          ]}
        />
      </span>
      <span class="dim end">
        {isOfDay ? (
          <time dateTime={createdAt} {...exactTitle(createdAt)}>
            {clockWords(createdAt)}
          </time>
        ) : (
          <When at={createdAt} />
        )}
      </span>
    </EntryLink>
  )
}

function receiverWords(delivery: DeliveryResource, { forwardOf }: Names): string | null {
  const { forwardId } = delivery
  if (forwardId !== null) return t('to the forward {name}', { name: forwardOf(forwardId) ?? '…' })
  const receiver = receiverOf(delivery)
  return receiver === null ? null : t('to {number}', { number: receiver })
}

function Next({ at }: { at: string }) {
  return (
    <T>
      next <When at={at} />
    </T>
  )
}
