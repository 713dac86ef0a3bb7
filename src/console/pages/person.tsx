import { useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { Choice, Fault, Field, PageHead, Tick } from '#console/parts/basics.tsx'
import { Form } from '#console/parts/form.tsx'
import { HoursFields, NIGHT } from '#console/parts/hours-fields.tsx'
import { Removal } from '#console/parts/removal.tsx'
import { untilThere } from '#console/parts/until-there.tsx'
import { isSameName } from '#console/same-name.ts'
import { save } from '#console/save.ts'
import { may } from '#console/session-of-reader.ts'
import { shown } from '#console/shown.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import { useSend } from '#console/use-send.ts'
import type { PersonResource } from '#contracts/on-call.ts'

/** A person who hears of alerts. `id` null: a new one. */
export function PersonPage({ id }: { id: string | null }) {
  const path = `people/${encodeURIComponent(id ?? '')}`
  const person = useResource<PersonResource>(id === null ? null : path, [])
  const missing = untilThere(t('Person'), [person])
  if (missing !== null) return missing
  const { data } = person
  return (
    <>
      <PageHead title={data?.name ?? t('New person')} />
      <div class="twin">
        <PersonForm person={data ?? null} />
        {data !== undefined && may('operator') && (
          <div class="help">
            <TryText person={data} />
          </div>
        )}
      </div>
      {data !== undefined && <Removal what={t('person')} resource={person} />}
    </>
  )
}

function PersonForm({ person }: { person: PersonResource | null }) {
  const [name, setName] = useState(person?.name ?? '')
  const [phoneNumber, setNumber] = useState(person?.phoneNumber ?? '')
  const [quiet, setQuiet] = useState(person?.quiet ?? null)
  const people = useResource<readonly PersonResource[]>('people', [])
  const double = people.data?.find(one => one.id !== person?.id && isSameName(one.name, name))
  const action = useAction()
  const { error } = action
  const send = () =>
    action.run(async () => {
      await save('people', person, { name, phoneNumber, quiet })
      const { cameFrom } = shown.peek()
      // A form that needed somebody new keeps what was typed.
      location.hash = /^#\/(rotas|groups|forwards)\//.test(cameFrom ?? '') ? (cameFrom ?? '') : '#/on-call'
    })
  return (
    <Form
      action={action}
      send={send}
      fields={['name', 'phoneNumber', 'quiet']}
      word={person === null ? t('Add person') : t('Save changes')}
    >
      <Field
        label={t('Name')}
        required
        isFirst={person === null}
        value={name}
        onValue={setName}
        {...(double !== undefined && {
          hint: t('Another person has this name: {number}. Texts and lists do not tell them apart.', {
            number: double.phoneNumber,
          }),
        })}
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
        onValue={isQuiet => setQuiet(isQuiet ? { ...NIGHT, below: 'critical' } : null)}
      />
      {quiet !== null && (
        <>
          <div class="filters">
            <HoursFields
              hours={quiet}
              onHours={hours => setQuiet({ ...quiet, ...hours })}
              issue={error?.issueOf('quiet')}
            />
          </div>
          <Choice
            label={t('What still comes')}
            value={quiet.below}
            onValue={below => setQuiet({ ...quiet, below: below === 'warning' ? 'warning' : 'critical' })}
            options={[
              ['critical', t('Critical and unknown ones')],
              ['warning', t('Warnings, too')],
            ]}
          />
        </>
      )}
    </Form>
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
          {sentId !== null && <a href={`#/texts/${sentId}`}>{t('See what became of it')}</a>}
        </span>
      </div>
      <Fault error={action.error} />
    </section>
  )
}
