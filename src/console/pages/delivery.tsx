import { call } from '#console/api.ts'
import { Fault, Loading, Mark, PageHead, When } from '#console/parts/basics.tsx'
import { DELIVERY_MARKS } from '#console/parts/delivery-marks.ts'
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
export function Delivery({ id }: { id: string }) {
  const path = `notifications/deliveries/${encodeURIComponent(id)}`
  const found = useResource<DeliveryDetail>(path, ['delivery'])
  const replay = useAction()
  const one = found.data
  if (one === undefined)
    return (
      <>
        <PageHead title="Delivery" />
        {found.isLoading ? <Loading /> : <Fault error={found.error} retry={found.reload} />}
      </>
    )
  const [tone, mark, word] = DELIVERY_MARKS[one.status]
  const attempts = typeof one.attempts === 'number' ? one.attemptLog : one.attempts
  return (
    <>
      <PageHead title={eventWords(one.event)}>
        <Mark tone={tone} mark={mark} word={word} />
      </PageHead>
      <section class="card">
        <h2>Attempts</h2>
        {attempts.length === 0 && <p class="dim">None yet.</p>}
        <ol class="timeline">
          {attempts.map(attempt => (
            <li key={attempt.at}>
              <strong>
                {attempt.status === null ? `No answer: ${attempt.error}` : `Answered ${attempt.status}`}
              </strong>
              <br />
              <span class="dim">
                <When at={attempt.at} /> · took {attempt.durationMs} ms
              </span>
              {'answer' in attempt && attempt.answer != null && attempt.answer !== '' && (
                <pre>{attempt.answer}</pre>
              )}
            </li>
          ))}
        </ol>
      </section>
      {one.body !== undefined && (
        <section class="card">
          <h2>What was posted</h2>
          <pre>{one.body}</pre>
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
              found.reload()
            })
          }
        >
          Post it again
        </button>
        {one.messageId !== null && (
          <a class="button" href={`#/messages/${one.messageId}`}>
            Show the message
          </a>
        )}
      </div>
    </>
  )
}
