import { call } from '#console/api.ts'
import { happeningWords, nameOf } from '#console/on-call-words.ts'
import { Fault, Mark, type Tone, When } from '#console/parts/basics.tsx'
import { may } from '#console/session.ts'
import { clockWords, spanWords } from '#console/time-words.ts'
import { useAction } from '#console/use-resource.ts'
import type { IncidentResource } from '#contracts/incident.ts'
import type { PersonResource } from '#contracts/on-call.ts'

/** The latest events that a card shows before it is unfolded. */
const SHOWN = 4

interface IncidentCardProps {
  readonly incident: IncidentResource
  readonly people: readonly PersonResource[]
  readonly changed: () => void
}

/** An alert that waits for somebody, what has happened, and what can be done. */
export function IncidentCard({ incident, people, changed }: IncidentCardProps) {
  const { id, number, text, state, takenBy, takenUntil, openedAt, alerts, timeline } = incident
  const action = useAction()
  const act = (verb: 'take' | 'next' | 'close') => () =>
    void action.run(async () => {
      await call('POST', `incidents/${id}/${verb}`, verb === 'take' ? {} : undefined)
      changed()
    })
  const entries = timeline.toReversed()
  return (
    <article class={`card incident ${state}`} aria-label={text}>
      <div class="row apart">
        <span class="row">
          {number !== null && (
            <span class="tag" title="Its number in texts">
              {number}
            </span>
          )}
          <State incident={incident} people={people} />
        </span>
        <span class="dim">
          <When at={openedAt} />
          {alerts > 1 && `, ${alerts} alerts`}
        </span>
      </div>
      <p class="says" dir="auto">
        {text}
      </p>
      {takenBy !== null && takenUntil !== null && (
        <p class="dim">Opens again at {clockWords(takenUntil)} unless it is over.</p>
      )}
      {may('operator') && (
        <div class="row">
          {takenBy !== 'owner' && (
            <button
              type="button"
              class={takenBy === null ? 'primary' : ''}
              disabled={action.busy}
              onClick={act('take')}
            >
              Take
            </button>
          )}
          <button type="button" disabled={action.busy} onClick={act('next')}>
            Next
          </button>
          <button type="button" disabled={action.busy} onClick={act('close')}>
            Close
          </button>
        </div>
      )}
      <Fault error={action.error} />
      <Happenings entries={entries.slice(0, SHOWN)} people={people} />
      {entries.length > SHOWN && (
        <details>
          <summary>Earlier ({entries.length - SHOWN})</summary>
          <Happenings entries={entries.slice(SHOWN)} people={people} />
        </details>
      )}
    </article>
  )
}

function State({ incident, people }: Pick<IncidentCardProps, 'incident' | 'people'>) {
  const { state, takenBy, takenAt } = incident
  const [tone, mark, word]: readonly [Tone, string, string] =
    state === 'taken'
      ? ['good', '✓', `${nameOf(takenBy, people)} ${takenBy === 'owner' ? 'have' : 'has'} it`]
      : state === 'unanswered'
        ? ['bad', '✕', 'Nobody answered']
        : ['bad', '●', 'Waits for somebody']
  const sinceMs = takenAt === null ? 0 : Date.now() - Date.parse(takenAt)
  return (
    <Mark tone={tone} mark={mark} word={takenAt === null ? word : `${word}, since ${spanWords(sinceMs)}`} />
  )
}

interface HappeningsProps {
  readonly entries: IncidentResource['timeline']
  readonly people: readonly PersonResource[]
}

function Happenings({ entries, people }: HappeningsProps) {
  return (
    <ol class="happenings">
      {entries.map((entry, index) => (
        <li key={index}>
          <time dateTime={entry.at}>{clockWords(entry.at)}</time> <span>{happeningWords(entry, people)}</span>
        </li>
      ))}
    </ol>
  )
}
