import { useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { Choice, Fault, Field, Tick } from '#console/parts/basics.tsx'
import { FOLDED_FIELDS, MoreFields } from '#console/parts/more-fields.tsx'
import { Preview } from '#console/parts/preview.tsx'
import { Recipients } from '#console/parts/recipients.tsx'
import { may } from '#console/session-of-reader.ts'
import { type Action, useResource } from '#console/use-resource.ts'
import { useTyped } from '#console/use-typed.ts'
import { alsoInPolicy, type Draft, numbersIn, withNames } from '#console/webhook-draft.ts'
import type { GroupResource } from '#contracts/group.ts'
import type { PersonResource, PolicyResource } from '#contracts/on-call.ts'

/** All fields that show the API's issues with them. */
const FIELDS = ['name', 'recipients', 'people', ...FOLDED_FIELDS]

interface WebhookFormProps {
  readonly start: Draft
  /** Null: the webhook does not exist yet. */
  readonly webhookId: string | null
  readonly word: string
  readonly action: Action
  readonly onSave: (draft: Draft) => Promise<boolean>
}

export function WebhookForm({ start, webhookId, word, action, onSave }: WebhookFormProps) {
  const [draft, setDraft, forget] = useTyped(`webhook ${webhookId}`, start)
  const [isSaved, setSaved] = useState(false)
  const set = (change: Partial<Draft>) => {
    setSaved(false)
    setDraft({ ...draft, ...change })
  }
  const { data: policies } = useResource<readonly PolicyResource[]>('policies', [])
  const people = useResource<readonly PersonResource[]>('people', []).data ?? []
  const groups = useResource<readonly GroupResource[]>('groups', []).data ?? []
  const named = [...groups.map(one => ({ ...one, name: t('All of {name}', { name: one.name }) })), ...people]
  const { error } = action
  return (
    <div class={may('operator') ? 'editor' : ''}>
      {may('operator') && (
        <Preview
          webhookId={webhookId}
          template={draft.messageTemplate}
          onPath={path => set({ messageTemplate: `${draft.messageTemplate}{{${path}}}` })}
        />
      )}
      <form
        class="card"
        onSubmit={event => {
          event.preventDefault()
          void onSave(withNames(draft, named)).then(saved => {
            setSaved(saved)
            if (saved) forget()
          })
        }}
      >
        <Field
          label={t('Name')}
          required
          value={draft.name}
          onValue={name => set({ name })}
          placeholder={t('For example Uptime Kuma')}
          issue={error?.issueOf('name')}
        />
        <Recipients draft={draft} set={set} all={named} error={error} />
        {policies !== undefined && policies.length > 0 && (
          <Choice
            label={t('Who must answer')}
            value={draft.policyId}
            onValue={policyId => set({ policyId })}
            options={[
              ['', t('Nobody: the texts are only read')],
              ...policies.map(one => [one.id, t('By the policy {name}', { name: one.name })] as const),
            ]}
          />
        )}
        <Twice
          draft={draft}
          set={set}
          twice={alsoInPolicy(
            draft,
            policies?.find(({ id }) => id === draft.policyId),
            people,
          )}
        />
        <MoreFields draft={draft} set={set} error={error} />
        {webhookId !== null && (
          <Tick
            label={t('On: alerts become texts')}
            checked={draft.enabled}
            onValue={enabled => set({ enabled })}
          />
        )}
        <Fault error={error} fields={FIELDS} />
        <div class="row">
          <button type="submit" class="primary" disabled={action.busy}>
            {word}
          </button>
          <span role="status">{isSaved && t('Saved')}</span>
        </div>
      </form>
    </div>
  )
}

interface TwiceProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
  /** Recipients that the policy tells, too. */
  readonly twice: ReturnType<typeof alsoInPolicy>
}

/** Offers to take out the recipients that the policy tells anyway. */
function Twice({ draft, set, twice }: TwiceProps) {
  if (twice.length === 0) return null
  const ids = twice.map(({ id }) => id)
  const numbers = twice.map(({ phoneNumber }) => phoneNumber)
  return (
    <div class="row apart">
      <p class="hint">
        {t('{names}: the policy tells them already. Each number gets an alert only once.', {
          names: twice.map(({ name }) => name).join(', '),
        })}
      </p>
      <button
        type="button"
        onClick={() =>
          set({
            people: draft.people.filter(id => !ids.includes(id)),
            recipients: numbersIn(draft.recipients)
              .filter(one => !numbers.includes(one))
              .join('\n'),
          })
        }
      >
        {t('Take them out here')}
      </button>
    </div>
  )
}
