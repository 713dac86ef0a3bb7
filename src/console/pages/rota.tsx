import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { nameOf } from '#console/on-call-words.ts'
import { Choice, Fault, Field, NewTab, PageHead } from '#console/parts/basics.tsx'
import { Form } from '#console/parts/form.tsx'
import { Members } from '#console/parts/members.tsx'
import { Removal } from '#console/parts/removal.tsx'
import { T } from '#console/parts/t.tsx'
import { untilThere } from '#console/parts/until-there.tsx'
import { save } from '#console/save.ts'
import { dutyWords } from '#console/time-words.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import { useTyped } from '#console/use-typed.ts'
import type { PersonResource, RotaResource, TurnResource } from '#contracts/on-call.ts'

const WEEKDAYS = [
  ['mon', t('Monday')],
  ['tue', t('Tuesday')],
  ['wed', t('Wednesday')],
  ['thu', t('Thursday')],
  ['fri', t('Friday')],
  ['sat', t('Saturday')],
  ['sun', t('Sunday')],
] as const

/** People who take turns. `id` null: a new rota. */
export function RotaPage({ id }: { id: string | null }) {
  const path = `rotas/${encodeURIComponent(id ?? '')}`
  const rota = useResource<RotaResource>(id === null ? null : path, [])
  const people = useResource<readonly PersonResource[]>('people', [])
  const missing = untilThere(t('Rota'), [rota, people])
  if (missing !== null) return missing
  const all = people.data ?? []
  return (
    <>
      <PageHead title={rota.data?.name ?? t('New rota')} />
      <div class="twin">
        {rota.data !== undefined && (
          <div class="help">
            <Turns rota={rota.data} people={all} changed={rota.reload} />
          </div>
        )}
        {all.length === 0 ? (
          <p class="notice wait">
            <span>
              <T>
                A rota needs people. <a href="#/people/new">Add the first one</a>
              </T>
            </span>
          </p>
        ) : (
          <RotaForm rota={rota.data ?? null} people={all} />
        )}
      </div>
      {rota.data !== undefined && <Removal what={t('rota')} resource={rota} />}
    </>
  )
}

interface TurnsProps {
  readonly rota: RotaResource
  readonly people: readonly PersonResource[]
  readonly changed: () => void
}

/** The next turns. A swap is a press and a choice. */
function Turns({ rota, people, changed }: TurnsProps) {
  const turns = useResource<readonly TurnResource[]>(`rotas/${rota.id}/turns`, [])
  const [swapping, setSwapping] = useState<string | null>(null)
  const action = useAction()
  const act = (work: () => Promise<unknown>) =>
    void action.run(async () => {
      await work()
      setSwapping(null)
      turns.reload()
      changed()
    })
  const path = `rotas/${rota.id}/overrides`
  const swap = ({ from, until }: TurnResource, personId: string) =>
    act(() => call('POST', path, { personId, from, until }))
  const undo = (turn: TurnResource) =>
    act(async () => {
      for (const { id } of rota.overrides.filter(one => one.from < turn.until && one.until > turn.from))
        await call('DELETE', `${path}/${id}`)
    })
  return (
    <section class="card slim" aria-label={t('Next turns')}>
      <h2>{t('Next turns')}</h2>
      <Fault error={turns.error ?? action.error} />
      <ol class="turns">
        {turns.data?.map(turn => (
          <li key={turn.from}>
            <span>
              <strong>{nameOf(turn.personId, people)}</strong>
              {turn.isOverride && <span class="tag">{t('swapped')}</span>}
              <span class="dim">
                <T>from {{ duty: dutyWords(turn.from) }}</T>
              </span>
            </span>
            {swapping === turn.from ? (
              <Choice
                label={t('Instead of {nameOf}', { nameOf: nameOf(turn.personId, people) })}
                value=""
                onValue={personId => swap(turn, personId)}
                options={[
                  ['', t('Choose who')],
                  ...people.filter(one => one.id !== turn.personId).map(one => [one.id, one.name] as const),
                ]}
              />
            ) : (
              <button
                type="button"
                disabled={action.busy}
                onClick={() => (turn.isOverride ? undo(turn) : setSwapping(turn.from))}
              >
                {turn.isOverride ? t('Undo swap') : t('Swap')}
              </button>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

interface Draft extends Readonly<Record<'name' | 'days' | 'weekday' | 'clock', string>> {
  readonly people: readonly string[]
}

function draftOf(rota: RotaResource | null): Draft {
  const [weekday = 'mon', clock = '09:00'] = rota?.handover.split(' ') ?? []
  return { name: rota?.name ?? '', people: rota?.people ?? [], days: String(rota?.days ?? 7), weekday, clock }
}

function RotaForm({ rota, people }: { rota: RotaResource | null; people: readonly PersonResource[] }) {
  const [draft, setDraft, forget] = useTyped(`rota ${rota?.id}`, draftOf(rota))
  const { name, people: members, days, weekday, clock } = draft
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const action = useAction()
  const { error } = action
  const send = () =>
    action.run(async () => {
      const body = { name, people: members, days: Number(days), handover: `${weekday} ${clock}` }
      const { id } = await save<RotaResource>('rotas', rota, body)
      forget()
      if (rota === null) location.replace(`#/rotas/${id}`)
      else location.hash = '#/on-call'
    })
  return (
    <Form
      action={action}
      send={send}
      fields={['name', 'people', 'days', 'handover']}
      word={rota === null ? t('Make rota') : t('Save changes')}
    >
      {rota !== null && <h2>{t('Change it')}</h2>}
      <Field
        label={t('Name')}
        required
        isFirst={rota === null}
        value={name}
        onValue={value => set({ name: value })}
        placeholder={t('For example Nights')}
        issue={error?.issueOf('name')}
      />
      <Members
        legend={t('Who takes turns, in this order')}
        ids={members}
        onIds={ids => set({ people: ids })}
        all={people}
        gone={t('Somebody who was removed')}
        add={[t('Add'), t('Choose a person')]}
        issue={error?.issueOf('people')}
      >
        <a href="#/people/new">{t('Add somebody new')}</a>
      </Members>
      <div class="filters">
        <Field
          label={t('Days of a turn')}
          type="number"
          min={1}
          max={28}
          required
          value={days}
          onValue={value => set({ days: value })}
          issue={error?.issueOf('days')}
        />
        <Choice
          label={t('Turns begin on')}
          value={weekday}
          onValue={value => set({ weekday: value })}
          options={WEEKDAYS}
        />
        <Field
          label={t('At')}
          type="time"
          required
          value={clock}
          onValue={value => set({ clock: value })}
          issue={error?.issueOf('handover')}
        />
      </div>
      <p class="hint">
        {rota === null
          ? t('Turns begin at this hour all year.')
          : t('Turns begin at this hour all year, in the time zone {timeZone}.', {
              timeZone: rota.timeZone,
            })}{' '}
        {t('The times above are those of your browser.')}{' '}
        <NewTab href="handbook/alerts-that-somebody-answers">{t('About rotas')}</NewTab>
      </p>
    </Form>
  )
}
