import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Choice, Fault, Field, Loading, PageHead, Tick } from '#console/parts/basics.tsx'
import { Danger } from '#console/parts/danger.tsx'
import { may } from '#console/session.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import { useSend } from '#console/use-send.ts'
import type { PersonResource } from '#contracts/on-call.ts'

const FIELDS = ['name', 'phoneNumber', 'quiet']
const NIGHT = { from: '22:00', to: '07:00', below: 'critical' } as const

/** A person who hears of alerts. `id` null: a new one. */
export function PersonPage({ id }: { id: string | null }) {
  const path = `people/${encodeURIComponent(id ?? '')}`
  const { data, isLoading, error, reload, remove } = useResource<PersonResource>(
    id === null ? null : path,
    [],
  )
  if (id !== null && data === undefined)
    return (
      <>
        <PageHead title={t('Person')} />
        {isLoading ? <Loading /> : <Fault error={error} retry={reload} />}
      </>
    )
  return (
    <>
      <PageHead title={data?.name ?? t('New person')} />
      <PersonForm person={data ?? null} />
      {data !== undefined && (
        <>
          {may('operator') && <TryText person={data} />}
          <Removal what={t('person')} remove={remove} />
        </>
      )}
    </>
  )
}

/** The button that removes a person, a rota or a policy. */
export function Removal({ what, remove }: { what: string; remove: () => Promise<void> }) {
  const action = useAction()
  const confirm = () =>
    action.run(async () => {
      await remove()
      location.hash = '#/on-call'
    })
  return (
    <>
      <Danger
        word={t('Remove {what}', { what })}
        question={t('This {what} will be gone.', { what })}
        onConfirm={() => void confirm()}
      />
      <Fault error={action.error} />
    </>
  )
}

function PersonForm({ person }: { person: PersonResource | null }) {
  const [name, setName] = useState(person?.name ?? '')
  const [phoneNumber, setNumber] = useState(person?.phoneNumber ?? '')
  const [quiet, setQuiet] = useState(person?.quiet ?? null)
  const action = useAction()
  const { error } = action
  const save = () =>
    action.run(async () => {
      const body = { name, phoneNumber, quiet }
      if (person === null) await call('POST', 'people', body)
      else await call('PATCH', `people/${person.id}`, body)
      location.hash = '#/on-call'
    })
  return (
    <form
      class="card slim"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <Field
        label={t('Name')}
        required
        isFirst={person === null}
        value={name}
        onValue={setName}
        issue={error?.issueOf('name')}
      />
      <Field
        label={t('Phone number')}
        type="tel"
        required
        value={phoneNumber}
        onValue={setNumber}
        placeholder={t('For example +14155550123')}
        hint={t('With + and the country code. Answers from this number count.')}
        issue={error?.issueOf('phoneNumber')}
      />
      <Tick
        label={t('Quiet hours: milder alerts wait')}
        checked={quiet !== null}
        onValue={isQuiet => setQuiet(isQuiet ? NIGHT : null)}
      />
      {quiet !== null && (
        <div class="filters">
          <Field
            label={t('From')}
            type="time"
            required
            value={quiet.from}
            onValue={from => setQuiet({ ...quiet, from })}
            issue={error?.issueOf('quiet')}
          />
          <Field
            label={t('Until')}
            type="time"
            required
            value={quiet.to}
            onValue={to => setQuiet({ ...quiet, to })}
          />
          <Choice
            label={t('What still comes')}
            value={quiet.below}
            onValue={below => setQuiet({ ...quiet, below: below === 'warning' ? 'warning' : 'critical' })}
            options={[
              ['critical', t('Critical and unknown ones')],
              ['warning', t('Warnings, too')],
            ]}
          />
        </div>
      )}
      <Fault error={error} fields={FIELDS} />
      <button type="submit" class="primary" disabled={action.busy}>
        {person === null ? t('Add person') : t('Save changes')}
      </button>
    </form>
  )
}

/** Sends a text to the person, so that both know that the number is right. */
function TryText({ person: { name, phoneNumber } }: { person: PersonResource }) {
  const action = useAction()
  const send = useSend()
  const [sentId, setSentId] = useState<string | null>(null)
  const message = t('Hello {name}, this is a test. Roost will send alerts from this number.', { name })
  const press = () =>
    action.run(async () => {
      const { messageId } = await send([phoneNumber], { phoneNumber, message })
      setSentId(messageId)
    })
  return (
    <section class="card slim">
      <h2>{t('Try it')}</h2>
      <p class="hint">{message}</p>
      <div class="row">
        <button type="button" disabled={action.busy} onClick={() => void press()}>
          {t('Send a text to try')}
        </button>
        <span role="status">
          {sentId !== null && <a href={`#/messages/${sentId}`}>{t('See what became of it')}</a>}
        </span>
      </div>
      <Fault error={action.error} />
    </section>
  )
}
