import {
  type DayOfRuns,
  happenedWords,
  type Run,
  receiverOf,
  shortAnswer,
  toldWords,
} from '#console/delivery-words.ts'
import { t } from '#console/language.ts'
import { exactTitle, Mark, useNow } from '#console/parts/basics.tsx'
import { DELIVERY_MARKS } from '#console/parts/delivery-marks.ts'
import { EntryLink } from '#console/parts/entry-link.tsx'
import { agoWords, clockWords, shortAgoWords } from '#console/time-words.ts'
import { type NameThing, useForwardNames } from '#console/use-names.ts'
import { usePersonNames } from '#console/use-person-names.ts'
import { eventWords } from '#console/words-of-states.ts'
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

interface DeliveryLinesProps {
  readonly deliveries: readonly DeliveryResource[]
  /** The heading above says that none of them was posted. */
  readonly areFailed?: boolean
}

/** Deliveries of notifications: what happened, to whom, and what the receiver said. */
export function DeliveryLines({ deliveries, areFailed = false }: DeliveryLinesProps) {
  const names = useDeliveryNames(deliveries)
  return (
    <ul class="list posted">
      {deliveries.map(one => (
        <li key={one.id}>
          <Line delivery={one} names={names} hasMark={!areFailed} />
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
        <strong class="happened">
          {t('{event}: {count} times', { event: eventWords(newest.event), count: run.length })}
        </strong>
        <span class="one-line">{receiverWords(newest, names)}</span>
        <DeliveryMark delivery={newest} />
        <span class="at">{t('{from} to {until}', span)}</span>
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
  readonly hasMark?: boolean
}

function Line({ delivery, names, isOfDay = false, hasMark = true }: LineProps) {
  const { id, about, attempts, createdAt, nextAttemptAt } = delivery
  const now = useNow()
  return (
    <EntryLink href={`#/notifications/${id}`}>
      <strong class="happened" dir="auto">
        {happenedWords(delivery, names.personOf(about) ?? about)}
      </strong>
      <span class="one-line">
        {[
          toldWords(delivery),
          nextAttemptAt === null
            ? null
            : t('next {when}', { when: agoWords(Date.parse(nextAttemptAt), now) }),
          shortAnswer(delivery),
          attempts > 1 ? t('1 attempt|{count} attempts', { count: attempts }) : null,
          receiverWords(delivery, names),
        ]
          .filter(one => one !== null)
          .join(' · ')}
      </span>
      {hasMark && <DeliveryMark delivery={delivery} />}
      <time class="at" dateTime={createdAt} {...exactTitle(createdAt)}>
        {isOfDay ? clockWords(createdAt) : shortAgoWords(Date.parse(createdAt), now)}
      </time>
    </EntryLink>
  )
}

function receiverWords(delivery: DeliveryResource, { forwardOf }: Names): string | null {
  const { forwardId } = delivery
  return forwardId === null
    ? receiverOf(delivery)
    : t('to the forward {name}', { name: forwardOf(forwardId) ?? '…' })
}
