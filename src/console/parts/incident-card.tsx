import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import {
  canRing,
  fateWords,
  happeningWords,
  type Names,
  nameOf,
  personAt,
  targetWords,
} from '#console/on-call-words.ts'
import { Fault, Mark, type Tone, useNow } from '#console/parts/basics.tsx'
import type { SignName } from '#console/parts/sign.tsx'
import { T } from '#console/parts/t.tsx'
import { may } from '#console/session-of-reader.ts'
import { clockWords, dayWords, spanWords } from '#console/time-words.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { IncidentResource } from '#contracts/incident.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { PersonResource } from '#contracts/on-call.ts'

/** The latest events that a card shows before it is unfolded. */
const SHOWN = 5
/** A step that is later than this waits for a phone, ms. The page hears of most steps within two seconds. */
const LATE_MS = 10_000

interface IncidentCardProps {
  readonly incident: IncidentResource
  readonly names: Names
  /** Whether a phone hands in received texts, so that people can answer. */
  readonly hearsAnswers: boolean
  readonly phones: readonly DeviceListItem[]
  readonly changed: () => void
}

/** An alert that waits for somebody, what has happened, what comes next, and what can be done. */
export function IncidentCard({ incident, names, hearsAnswers, phones, changed }: IncidentCardProps) {
  const { id, number, text, state, takenBy, takenUntil, openedAt, alerts, timeline } = incident
  const { people } = names
  const action = useAction()
  const act = (verb: 'take' | 'next' | 'close') => () =>
    void action.run(async () => {
      await call('POST', `incidents/${id}/${verb}`, verb === 'take' ? {} : undefined)
      changed()
    })
  return (
    <article class={`incident ${state}`} aria-label={text}>
      <p class="row apart">
        <State incident={incident} people={people} />
        <span class="dim">
          {dayWords(Date.parse(openedAt), Date.now())}, {clockWords(openedAt)}
          {alerts > 1 && `, ${t('{count} alerts', { count: alerts })}`}
        </span>
      </p>
      <p class="says" dir="auto">
        {text}
      </p>
      {may('operator') && (
        <div class="row answers">
          {takenBy !== 'owner' && (
            <button
              type="button"
              class={takenBy === null ? 'primary' : ''}
              disabled={action.busy}
              onClick={act('take')}
            >
              {t('I take it')}
            </button>
          )}
          {hasNext(incident) && (
            <button type="button" disabled={action.busy} onClick={act('next')}>
              {t('Next person now')}
            </button>
          )}
          <button type="button" disabled={action.busy} onClick={act('close')}>
            {t('It is over')}
          </button>
          {number !== null && hearsAnswers && (
            <span class="dim">
              <T>
                Who got the text can answer <strong>{{ number }}</strong>
              </T>
            </span>
          )}
        </div>
      )}
      <Fault error={action.error} />
      {timeline.length > SHOWN && (
        <details>
          <summary>
            <T>Earlier ({{ count: timeline.length - SHOWN }})</T>
          </summary>
          <Happenings entries={timeline.slice(0, -SHOWN)} people={people} />
        </details>
      )}
      <Happenings entries={timeline.slice(-SHOWN)} people={people} isLive={state !== 'taken'} />
      {takenBy !== null && takenUntil !== null && (
        <p class="dim">
          <T>Opens again at {{ clock: clockWords(takenUntil) }} unless it is over.</T>
        </p>
      )}
      <Ahead next={incident.next} names={names} rings={canRing(phones)} />
    </article>
  )
}

/** Whether somebody is left who can be told. What somebody has is passed on. */
function hasNext({ state, next }: IncidentResource): boolean {
  return state === 'taken' || (next !== null && next.tell.length > 0)
}

/** Who is told next, and in how long. */
function Ahead({
  next,
  names,
  rings,
}: Pick<IncidentResource, 'next'> & Pick<IncidentCardProps, 'names'> & { readonly rings: boolean }) {
  const now = useNow(1_000)
  if (next === null) return null
  const at = Date.parse(next.at)
  const who = next.tell.map(target => personAt(target, names, at) ?? targetWords(target, names)).join(', ')
  const leftMs = at - now
  const span = spanWords(leftMs)
  return (
    <p class="happenings">
      <time dateTime={next.at}>{clockWords(next.at)}</time>{' '}
      <span class="dim">
        {who === ''
          ? t('nobody is left to be told')
          : leftMs < -LATE_MS
            ? t('next: {who}, as soon as a phone can send', { who })
            : next.ring && !rings
              ? t('next: {who}, in {span}, text only: no phone that can call is online', { who, span })
              : next.ring
                ? t('next: {who}, and phones ring, in {span}', { who, span })
                : t('next: {who}, in {span}', { who, span })}
      </span>
    </p>
  )
}

function State({ incident, people }: { incident: IncidentResource; people: readonly PersonResource[] }) {
  const { state, takenBy, takenAt } = incident
  const now = useNow()
  const [tone, mark, word]: readonly [Tone, SignName, string] =
    state === 'taken'
      ? ['good', 'sent', t('{name} has it', { name: nameOf(takenBy, people) })]
      : state === 'unanswered'
        ? ['bad', 'failed', t('Nobody answered')]
        : ['bad', 'on', t('Waits for somebody')]
  const sinceMs = takenAt === null ? 0 : Math.max(0, now - Date.parse(takenAt))
  return (
    <Mark
      tone={tone}
      mark={mark}
      word={takenAt === null ? word : t('{word}, since {span}', { word, span: spanWords(sinceMs) })}
    />
  )
}

interface HappeningsProps {
  readonly entries: IncidentResource['timeline']
  readonly people: readonly PersonResource[]
  /** Whether to say what has become of the texts. */
  readonly isLive?: boolean
}

export function Happenings({ entries, people, isLive = false }: HappeningsProps) {
  return (
    <ol class="happenings">
      {entries.map((entry, index) => (
        <li key={index}>
          <time dateTime={entry.at}>{clockWords(entry.at)}</time>{' '}
          <span>
            {happeningWords(entry, people)}
            {isLive && entry.event === 'told' && entry.messageId !== null && <Fate id={entry.messageId} />}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** What has become of a text, with the news. One call serves all texts that are among the last ones. */
function Fate({ id }: { id: string }) {
  const last = useResource<readonly MessageResource[]>('sms?limit=50', ['message'])
  const listed = last.data?.find(({ messageId }) => messageId === id)
  const isOlder = last.data !== undefined && listed === undefined
  const alone = useResource<MessageResource>(isOlder ? `sms/${id}` : null, ['message'])
  const text = listed ?? alone.data
  if (text === undefined) return null
  const { tone, words } = fateWords(text)
  return (
    <>
      {': '}
      <a class={tone} href={`#/texts/${id}`}>
        {words}
      </a>
    </>
  )
}
