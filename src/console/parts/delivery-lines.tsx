import { t } from '#console/language.ts'
import { Dotted, Mark, When } from '#console/parts/basics.tsx'
import { DELIVERY_MARKS } from '#console/parts/delivery-marks.ts'
import { EntryLink } from '#console/parts/entry-link.tsx'
import { T } from '#console/parts/t.tsx'
import { useForwardNames } from '#console/use-names.ts'
import { answerWords, eventWords } from '#console/words.ts'
import type { DeliveryResource } from '#contracts/notification.ts'

/** Deliveries of notifications, each with its result and its last answer. */
export function DeliveryLines({ deliveries }: { deliveries: readonly DeliveryResource[] }) {
  const forwardOf = useForwardNames(deliveries.map(({ forwardId }) => forwardId))
  return (
    <ul class="list">
      {deliveries.map(one => {
        const [tone, mark, word] = DELIVERY_MARKS[one.status]
        return (
          <li key={one.id}>
            <EntryLink href={`#/notifications/${one.id}`}>
              <strong>{eventWords(one.event)}</strong>
              <Mark tone={tone} mark={mark} word={word} />
              <span class="dim">
                <Dotted
                  parts={[
                    ...(one.forwardId === null
                      ? []
                      : [t('forward {name}', { name: forwardOf(one.forwardId) ?? '…' })]),
                    t('1 attempt|{count} attempts', { count: one.attempts }),
                    answerWords(one),
                    ...(one.nextAttemptAt === null ? [] : [<Next key="next" at={one.nextAttemptAt} />]),
                  ]}
                />
              </span>
              <span class="dim end">
                <When at={one.createdAt} />
              </span>
            </EntryLink>
          </li>
        )
      })}
    </ul>
  )
}

function Next({ at }: { at: string }) {
  return (
    <T>
      next <When at={at} />
    </T>
  )
}
