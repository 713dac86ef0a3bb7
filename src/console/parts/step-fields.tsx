import { useEffect, useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { canRing, type Names, policyWords, targetWords } from '#console/on-call-words.ts'
import { Choice, Fault, Field, Tick } from '#console/parts/basics.tsx'
import { HoursFields, NIGHT } from '#console/parts/hours-fields.tsx'
import { Issue } from '#console/parts/issue.tsx'
import { Chosen } from '#console/parts/members.tsx'
import { type StepDraft, stepsOfDraft } from '#console/policy-draft.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { PersonResource } from '#contracts/on-call.ts'

/** The value of the choice that adds a person in place. */
const SOMEBODY_NEW = 'new'

interface StepFieldsProps {
  readonly index: number
  readonly step: StepDraft
  /** The policy was saved with a step here. */
  readonly isKnown: boolean
  /** The step before it. */
  readonly before: StepDraft | undefined
  readonly names: Names
  /** Why the step is refused. */
  readonly issue: string | undefined
  readonly onStep: (change: Partial<StepDraft>) => void
  /** Called when a person was added. */
  readonly onAdded: () => void
  /** Null: the first step stays. */
  readonly onRemove: (() => void) | null
}

/**
 * One step of a policy: whom it tells, after how many minutes, and whether phones ring. A step that the
 * policy has already is one line, which opens.
 */
export function StepFields(props: StepFieldsProps) {
  const { index, step, names, issue } = props
  const [isOpen, setOpen] = useState(!props.isKnown || step.tell.length === 0)
  useEffect(() => {
    if (issue !== undefined) setOpen(true)
  }, [issue])
  const fields = <Fields {...props} />
  return (
    <fieldset class="step">
      <legend>
        {index === 0 ? t('1. At once') : t('{value}. If nobody has taken it', { value: index + 1 })}
      </legend>
      {props.isKnown ? (
        <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
          <summary>{capital(policyWords({ steps: stepsOfDraft({ steps: [step] }) }, names))}</summary>
          {fields}
        </details>
      ) : (
        fields
      )}
      <Issue text={issue} />
    </fieldset>
  )
}

function Fields({ index, step, before, names, onStep, onAdded, onRemove }: StepFieldsProps) {
  const isNobody = names.people.length + names.rotas.length === 0
  const [isAdding, setAdding] = useState(isNobody)
  const phones = useResource<readonly DeviceListItem[]>('devices', ['device'])
  const add = (target: string) => onStep({ tell: [...step.tell, target] })
  return (
    <>
      <div class="step-row">
        {index > 0 && (
          <Field
            label={t('After so many minutes')}
            type="number"
            min={Number(before?.afterMinutes) + 1}
            max={10080}
            required
            value={step.afterMinutes}
            onValue={afterMinutes => onStep({ afterMinutes })}
          />
        )}
        <div>
          <Told step={step} names={names} onStep={onStep} />
          {!isAdding && (
            <Choice
              label={step.tell.length === 0 ? t('Who gets a text') : t('Who gets it, too')}
              value=""
              onValue={value => (value === SOMEBODY_NEW ? setAdding(true) : add(value))}
              options={optionsOf(step, names)}
            />
          )}
        </div>
      </div>
      {isAdding && (
        <AddPerson
          cancel={isNobody ? null : () => setAdding(false)}
          onAdded={person => {
            onAdded()
            add(person.id)
            setAdding(false)
          }}
        />
      )}
      <div class="row apart">
        <Tick
          label={t('Their phones ring, too')}
          checked={step.ring}
          onValue={ring => onStep({ ring, ringHours: null })}
        />
        {step.ring && !canRing(phones.data) && (
          <a class="wait" href="#/devices">
            {t('No phone that can call is online')}
          </a>
        )}
      </div>
      {step.ring && <RingFields step={step} onStep={onStep} />}
      {onRemove !== null && (
        <button type="button" onClick={onRemove}>
          {t('Remove this step')}
        </button>
      )}
    </>
  )
}

/** When the phones of a step ring. */
function RingFields({ step: { ringHours }, onStep }: Pick<StepFieldsProps, 'step' | 'onStep'>) {
  return (
    <>
      <Choice
        label={t('When they ring')}
        value={ringHours ? 'hours' : ''}
        onValue={value => onStep({ ringHours: value === '' ? null : NIGHT })}
        options={[
          ['', t('Always')],
          ['hours', t('Only from … to …')],
        ]}
      />
      {ringHours && (
        <div class="filters">
          <HoursFields hours={ringHours} onHours={hours => onStep({ ringHours: hours })} />
        </div>
      )}
    </>
  )
}

/** Who is told in a step. */
function Told({ step: { tell }, names, onStep }: Pick<StepFieldsProps, 'step' | 'names' | 'onStep'>) {
  return (
    <Chosen
      entries={tell.map(target => [target, capital(targetWords(target, names))])}
      onTakeOut={gone => onStep({ tell: tell.filter(one => one !== gone) })}
    />
  )
}

function optionsOf({ tell }: StepDraft, names: Names): readonly (readonly [value: string, word: string])[] {
  const { people, rotas, groups } = names
  const targets = [
    ...people.map(({ id }) => id),
    ...groups.map(({ id }) => id),
    ...rotas.flatMap(rota => (rota.people.length > 1 ? [rota.id, `${rota.id}+1`] : [rota.id])),
    ...(people.length > 1 ? ['everyone'] : []),
  ]
  return [
    ['', t('Choose')],
    ...targets
      .filter(target => !tell.includes(target))
      .map(target => [target, capital(targetWords(target, names))] as const),
    [SOMEBODY_NEW, t('Somebody new')],
  ]
}

interface AddPersonProps {
  /** Null: there is nobody else to choose. */
  readonly cancel: (() => void) | null
  readonly onAdded: (person: PersonResource) => void
}

/** Adds a person without leaving the form. It is no form of its own, because forms cannot be nested. */
function AddPerson({ cancel, onAdded }: AddPersonProps) {
  const [name, setName] = useState('')
  const [phoneNumber, setNumber] = useState('')
  const action = useAction()
  const { error } = action
  const save = () =>
    action.run(async () => onAdded(await call<PersonResource>('POST', 'people', { name, phoneNumber })))
  return (
    <fieldset
      class="inset"
      onKeyDown={event => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        // Otherwise Enter would send the form around these fields.
        event.preventDefault()
        void save()
      }}
    >
      <Field label={t('Name')} value={name} onValue={setName} isFirst issue={error?.issueOf('name')} />
      <Field
        label={t('Phone number')}
        type="tel"
        value={phoneNumber}
        onValue={setNumber}
        placeholder={t('For example +14155550123')}
        issue={error?.issueOf('phoneNumber')}
      />
      <Fault error={error} fields={['name', 'phoneNumber']} />
      <div class="row">
        <button type="button" disabled={action.busy} onClick={() => void save()}>
          {t('Add this person')}
        </button>
        {cancel !== null && (
          <button type="button" onClick={cancel}>
            {t('Choose from the list')}
          </button>
        )}
      </div>
    </fieldset>
  )
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
