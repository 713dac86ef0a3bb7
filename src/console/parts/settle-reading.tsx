import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Choice, Fault, Mark, When } from '#console/parts/basics.tsx'
import { Bubble, SegmentCount } from '#console/parts/bubble.tsx'
import { T } from '#console/parts/t.tsx'
import { usePreview } from '#console/parts/use-preview.ts'
import { type Action, useAction, useResource } from '#console/use-resource.ts'
import type { AlertField, ReadingResource } from '#contracts/alert-reading.ts'
import type { ListedTriggerResource, SeenTriggerDetail } from '#contracts/seen-trigger.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

const PICKERS = [
  ['thing', t('What it is about')],
  ['state', t('What happened to it')],
  ['reason', t('Why')],
] as const

/** The chosen path of each role. Empty: Roost chooses. */
type Choices = Record<(typeof PICKERS)[number][0], string>

interface SettleProps {
  readonly webhook: WebhookResource
  readonly trigger: ListedTriggerResource
}

/** Three pickers that say what the fields of an alert tell, with the text that they make. */
export function SettleReading({ webhook, trigger }: SettleProps) {
  const { id, messageTemplate } = webhook
  const { seq, shape, fields, unsettled = false } = trigger
  const detail = useResource<SeenTriggerDetail>(`webhooks/${id}/triggers/${seq}`, [])
  const readings = useResource<readonly ReadingResource[]>(`webhooks/${id}/readings`, ['webhook'])
  const [chosen, setChosen] = useState<Choices | null>(null)
  const [saved, setSaved] = useState('')
  const action = useAction()
  const { body = null, contentType, headers } = detail.data ?? {}
  const settled = readings.data?.find(one => one.shape === shape)
  const choices = chosen ?? (settled === undefined ? guessedIn(fields) : choicesOf(settled))
  const isSameState = choices.state === (settled?.state ?? '')
  const reading = { ...rolesOf(choices), over: isSameState ? (settled?.over ?? []) : [] }
  const { text, fault } = usePreview(
    body === null ? null : { messageTemplate, body, contentType, headers, webhookId: id, reading },
  )
  if (shape === null || fields.length === 0) return <p class="dim">{t('What was posted is not kept.')}</p>
  const path = `webhooks/${id}/readings/${shape}`
  const save = () =>
    action.run(async () => {
      // Without paths the alerts of this shape are settled as they are read now.
      await call('PUT', path, chosen === null && settled === undefined ? {} : reading)
      setSaved(t('Saved. The next alerts of this kind read like this.'))
      readings.reload()
    })
  const forget = () =>
    action.run(async () => {
      await call('DELETE', path)
      setChosen(null)
      setSaved(t('Forgotten. Roost reads these alerts by itself again.'))
      readings.reload()
    })
  return (
    <>
      <ReadBy isGuess={trigger.guess} isSettled={settled !== undefined} />
      <div class="grid">
        <div>
          {PICKERS.map(([role, label]) => (
            <Choice
              key={role}
              label={label}
              value={choices[role]}
              onValue={value => {
                setSaved('')
                setChosen({ ...choices, [role]: value })
              }}
              options={[
                ['', t('As Roost reads it')],
                ...bestFirst(fields, trigger.choices?.[role]).map(optionOf),
              ]}
            />
          ))}
        </div>
        <div>
          <p class="hint">{t('This is how it will read:')}</p>
          <Bubble text={text?.message ?? '…'} side="in" />
          {text !== null && <SegmentCount text={text.message} />}
          {messageTemplate !== null && <p class="hint">{t('The webhook has its own words. They count.')}</p>}
          {fault !== '' && <p class="issue">{fault}</p>}
        </div>
      </div>
      <Fault error={action.error} />
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={action.busy || readings.data === undefined}
          onClick={save}
        >
          {unsettled && chosen === null ? t('It reads well') : t('Save for alerts of this kind')}
        </button>
        {settled !== undefined && (
          <button type="button" disabled={action.busy} onClick={forget}>
            {t('Forget what was saved')}
          </button>
        )}
        <span role="status">{saved}</span>
      </div>
      {body !== null && (
        <details>
          <summary>{t('What was posted')}</summary>
          <pre>{body}</pre>
        </details>
      )}
    </>
  )
}

function ReadBy({ isGuess, isSettled }: { isGuess: boolean; isSettled: boolean }) {
  if (!isSettled && !isGuess) return null
  return (
    <p>
      {isSettled ? (
        <Mark tone="good" mark="sent" word={t('Settled by you')} />
      ) : (
        t('Roost does not know this sender’s format, so it chose the words itself.')
      )}
    </p>
  )
}

function choicesOf({ thing, state, reason }: ReadingResource): Choices {
  return { thing: thing ?? '', state: state ?? '', reason: reason ?? '' }
}

/** The fields that Roost took for each role. */
function guessedIn(fields: readonly AlertField[]): Choices {
  const pathOf = (role: string) => fields.find(field => field.role === role)?.path ?? ''
  return { thing: pathOf('thing'), state: pathOf('state'), reason: pathOf('reason') }
}

/** The chosen roles, as the API takes them. */
function rolesOf(choices: Choices): Partial<Choices> {
  return Object.fromEntries(Object.entries(choices).filter(([, path]) => path !== ''))
}

/** The fields with those first that Roost holds for probable. */
function bestFirst(fields: readonly AlertField[], best: readonly string[] = []): readonly AlertField[] {
  const first = best.flatMap(path => fields.filter(field => field.path === path))
  return [...first, ...fields.filter(field => !first.includes(field))]
}

const SHOWN_LENGTH_MAX = 60

function optionOf({ path, value }: AlertField): readonly [value: string, word: string] {
  const start = value.length > SHOWN_LENGTH_MAX ? `${value.slice(0, SHOWN_LENGTH_MAX)}…` : value
  return [path, `${path}: ${start}`]
}

/** What is settled about the alerts of a webhook. */
export function ReadingList({ webhook: { id } }: { webhook: WebhookResource }) {
  const { data = [], reload } = useResource<readonly ReadingResource[]>(`webhooks/${id}/readings`, [
    'webhook',
  ])
  const action = useAction()
  if (data.length === 0) return null
  const forget = (shape: string) =>
    action.run(async () => {
      await call('DELETE', `webhooks/${id}/readings/${shape}`)
      reload()
    })
  return (
    <section class="card" aria-labelledby="readings">
      <h2 id="readings">{t('What you taught Roost')}</h2>
      <ul class="timeline">
        {data.map(reading => (
          <ReadingLine key={reading.shape} reading={reading} action={action} onForget={forget} />
        ))}
      </ul>
      <Fault error={action.error} />
    </section>
  )
}

interface ReadingLineProps {
  readonly reading: ReadingResource
  readonly action: Action
  readonly onForget: (shape: string) => void
}

function ReadingLine({ reading, action, onForget }: ReadingLineProps) {
  const { shape, settledAt } = reading
  const words = PICKERS.flatMap(([role, label]) =>
    reading[role] === null ? [] : [`${label}: ${reading[role]}`],
  )
  return (
    <li>
      <strong>{words.join(' · ')}</strong>
      <br />
      <span class="dim">
        <T>
          since <When at={settledAt} />
        </T>
      </span>{' '}
      <button type="button" disabled={action.busy} onClick={() => onForget(shape)}>
        {t('Forget')}
      </button>
    </li>
  )
}
