import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { afterWords, type Names, planWords } from '#console/on-call-words.ts'
import { Field, PageHead, Tick } from '#console/parts/basics.tsx'
import { Form } from '#console/parts/form.tsx'
import { PhoneChoice } from '#console/parts/phone-choice.tsx'
import { Removal } from '#console/parts/removal.tsx'
import { StepFields } from '#console/parts/step-fields.tsx'
import { untilThere } from '#console/parts/until-there.tsx'
import { Walk } from '#console/parts/walk.tsx'
import {
  draftOfPolicy,
  type PolicyDraft,
  requestOfPolicy,
  type StepDraft,
  stepsOfDraft,
  withNewStep,
} from '#console/policy-draft.ts'
import { save } from '#console/save.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import { useTyped } from '#console/use-typed.ts'
import type { GroupResource } from '#contracts/group.ts'
import type { PersonResource, PolicyResource, RotaResource } from '#contracts/on-call.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

const FIELDS = ['name', 'steps', 'rounds', 'takenForMinutes']
const STEPS_MAX = 10

/** Who is told of an alert, in which order. `id` null: a new policy. */
export function PolicyPage({ id }: { id: string | null }) {
  const path = `policies/${encodeURIComponent(id ?? '')}`
  const policy = useResource<PolicyResource>(id === null ? null : path, [])
  const people = useResource<readonly PersonResource[]>('people', [])
  const rotas = useResource<readonly RotaResource[]>('rotas', [])
  const groups = useResource<readonly GroupResource[]>('groups', [])
  const webhooks = useResource<readonly WebhookResource[]>('webhooks', ['webhook'])
  const missing = untilThere(t('Policy'), [policy, people, rotas, groups, webhooks])
  if (missing !== null) return missing
  return (
    <>
      <PageHead title={policy.data?.name ?? t('New policy')} />
      <PolicyForm
        policy={policy.data ?? null}
        people={people.data ?? []}
        peopleChanged={people.reload}
        rotas={rotas.data ?? []}
        groups={groups.data ?? []}
        webhooks={webhooks.data ?? []}
      />
      {policy.data !== undefined && <Removal what={t('policy')} resource={policy} />}
    </>
  )
}

interface PolicyFormProps extends Names {
  readonly policy: PolicyResource | null
  readonly peopleChanged: () => void
  readonly webhooks: readonly WebhookResource[]
}

function PolicyForm({ policy, peopleChanged, webhooks, ...names }: PolicyFormProps) {
  const [draft, setDraft, forget] = useTyped(`policy ${policy?.id}`, draftOfPolicy(policy))
  const users = webhooks.filter(one => policy !== null && one.policyId === policy.id).map(({ id }) => id)
  const [chosen, setChosen] = useState<readonly string[]>(users)
  const action = useAction()
  const { error } = action
  const set = (change: Partial<PolicyDraft>) => setDraft({ ...draft, ...change })
  const issueOf = ({ tell }: StepDraft, index: number) => {
    const issue = error?.issueOf(`steps.${index}`)
    if (tell.length === 0 && issue !== undefined)
      return t('Choose who gets a text. Press “Add this person” if it is somebody new.')
    const isOfAll = index === 0 && error?.issues.some(({ path }) => path === 'steps') === true
    return isOfAll ? error?.issueOf('steps') : issue
  }
  const send = () =>
    action.run(async () => {
      const saved = await save<PolicyResource>('policies', policy, requestOfPolicy(draft))
      forget()
      // The policy exists now. If a webhook is refused, the form goes on with it.
      if (policy === null) history.replaceState(null, '', `#/policies/${saved.id}`)
      for (const { id } of webhooks) {
        const policyId = chosen.includes(id) ? saved.id : null
        if (chosen.includes(id) !== users.includes(id)) await call('PATCH', `webhooks/${id}`, { policyId })
      }
      location.hash = '#/on-call'
    })
  const steps = stepsOfDraft(draft)
  const longer = withNewStep(draft)
  const told = steps.filter(({ tell }) => tell.length > 0)
  return (
    <div class="twin">
      <aside class="help" aria-label={t('How it goes')}>
        {told.length > 0 && <h2 class="wide-only">{t('How it goes')}</h2>}
        <p class={told.length > 0 ? 'plan' : 'hidden'} role="status">
          {planWords({ steps, rounds: Number(draft.rounds) }, names)}
        </p>
        {told.length > 0 && (
          <div class="wide-only">
            <Walk steps={told} names={names} />
          </div>
        )}
      </aside>
      <Form
        action={action}
        send={send}
        fields={FIELDS}
        word={policy === null ? t('Make policy') : t('Save changes')}
      >
        <Field
          label={t('Name')}
          required
          value={draft.name}
          onValue={name => set({ name })}
          issue={error?.issueOf('name')}
        />
        {draft.steps.map((step, index) => (
          <StepFields
            key={index}
            index={index}
            step={step}
            isKnown={(policy?.steps.length ?? 0) > index}
            before={draft.steps[index - 1]}
            names={names}
            issue={issueOf(step, index)}
            onAdded={peopleChanged}
            onStep={change =>
              set({ steps: draft.steps.map((one, at) => (at === index ? { ...one, ...change } : one)) })
            }
            onRemove={index === 0 ? null : () => set({ steps: draft.steps.filter((_, at) => at !== index) })}
          />
        ))}
        {draft.steps.length < STEPS_MAX && (
          <p>
            <button type="button" class="ghost" onClick={() => set({ steps: longer })}>
              {t('Add step {value}: {when}, if nobody takes it', {
                value: longer.length,
                when: afterWords(Number(longer.at(-1)?.afterMinutes)),
              })}
            </button>
          </p>
        )}
        {webhooks.length > 0 && (
          <fieldset class="ticks">
            <legend>{t('For the alerts of these webhooks')}</legend>
            {webhooks.map(({ id, name }) => (
              <Tick
                key={id}
                label={name}
                checked={chosen.includes(id)}
                onValue={isChosen => setChosen(isChosen ? [...chosen, id] : chosen.filter(one => one !== id))}
              />
            ))}
          </fieldset>
        )}
        <MoreSettings draft={draft} set={set} error={error} />
      </Form>
    </div>
  )
}

interface MoreProps {
  readonly draft: PolicyDraft
  readonly set: (change: Partial<PolicyDraft>) => void
  readonly error: ReturnType<typeof useAction>['error']
}

function MoreSettings({ draft, set, error }: MoreProps) {
  const isRefused = error?.issueOf('rounds') !== undefined || error?.issueOf('takenForMinutes') !== undefined
  return (
    <details open={isRefused}>
      <summary>{t('More: rounds, phones, and how long somebody has an alert')}</summary>
      <Field
        label={t('Rounds')}
        type="number"
        min={1}
        max={5}
        value={draft.rounds}
        onValue={rounds => set({ rounds })}
        hint={t('How often all steps are walked before the alert counts as unanswered')}
        issue={error?.issueOf('rounds')}
      />
      <Field
        label={t('Minutes until a taken alert opens again')}
        type="number"
        min={15}
        max={10080}
        value={draft.takenForMinutes}
        onValue={takenForMinutes => set({ takenForMinutes })}
        hint={t('Unless it is over before')}
        issue={error?.issueOf('takenForMinutes')}
      />
      <PhoneChoice value={draft.deviceId} onValue={deviceId => set({ deviceId })} />
    </details>
  )
}
