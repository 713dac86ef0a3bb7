import { useState } from 'preact/hooks'
import type { ApiError } from '#console/api.ts'
import { Choice, Fault, Field, Tick } from '#console/parts/basics.tsx'
import { Preview } from '#console/parts/preview.tsx'
import { RecentNumbers } from '#console/parts/recent-numbers.tsx'
import { type Action, useResource } from '#console/use-resource.ts'
import { type Draft, numbersIn } from '#console/webhook-draft.ts'
import type { DeviceListItem } from '#contracts/device.ts'

/** The fields that show what is wrong with them. */
const FIELDS = ['name', 'recipients', 'messageTemplate', 'maxPerHour', 'allowedIps']

interface WebhookFormProps {
  readonly start: Draft
  /** Null: the webhook does not exist yet. */
  readonly webhookId: string | null
  readonly word: string
  readonly action: Action
  readonly onSave: (draft: Draft) => Promise<boolean>
}

export function WebhookForm({ start, webhookId, word, action, onSave }: WebhookFormProps) {
  const [draft, setDraft] = useState(start)
  const [isSaved, setSaved] = useState(false)
  const set = (change: Partial<Draft>) => {
    setSaved(false)
    setDraft({ ...draft, ...change })
  }
  const { error } = action
  return (
    <div class="editor">
      <Preview
        webhookId={webhookId}
        template={draft.messageTemplate}
        onPath={path => set({ messageTemplate: `${draft.messageTemplate}{{${path}}}` })}
      />
      <form
        class="card"
        onSubmit={event => {
          event.preventDefault()
          void onSave(draft).then(setSaved)
        }}
      >
        <Field
          label="Name"
          required
          value={draft.name}
          onValue={name => set({ name })}
          placeholder="Uptime Kuma"
          issue={error?.issueOf('name')}
        />
        <Field
          label="Who gets the texts"
          rows={2}
          required
          value={draft.recipients}
          onValue={recipients => set({ recipients })}
          placeholder="+14155550123"
          hint="Numbers with + and the country code, one a line"
          issue={error?.issueOf('recipients')}
        />
        <RecentNumbers
          without={numbersIn(draft.recipients)}
          onChoose={number => set({ recipients: [...numbersIn(draft.recipients), number].join('\n') })}
        />
        <Field
          label="Own words"
          rows={2}
          value={draft.messageTemplate}
          onValue={messageTemplate => set({ messageTemplate })}
          hint="Empty: Roost makes a short text. {{monitor.name}} stands for a value of the alert."
          issue={error?.issueOf('messageTemplate')}
        />
        <Field
          label="Texts an hour, at most"
          type="number"
          min={1}
          max={1000}
          value={draft.maxPerHour}
          onValue={maxPerHour => set({ maxPerHour })}
          issue={error?.issueOf('maxPerHour')}
        />
        <Choice
          label="Which alerts"
          value={draft.minSeverity}
          onValue={value => set({ minSeverity: value as Draft['minSeverity'] })}
          options={[
            ['', 'All'],
            ['warning', 'Warnings and critical ones'],
            ['critical', 'Critical ones only'],
          ]}
        />
        <Tick
          label="Also send a text when the problem is over"
          checked={draft.sendRecovered}
          onValue={sendRecovered => set({ sendRecovered })}
        />
        <MoreFields draft={draft} set={set} error={error} />
        <Tick label="On: alerts become texts" checked={draft.enabled} onValue={enabled => set({ enabled })} />
        <Fault error={error} fields={FIELDS} />
        <div class="row">
          <button type="submit" class="primary" disabled={action.busy}>
            {word}
          </button>
          <span role="status">{isSaved && 'Saved'}</span>
        </div>
      </form>
    </div>
  )
}

interface MoreFieldsProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
  readonly error: ApiError | null
}

function MoreFields({ draft, set, error }: MoreFieldsProps) {
  const devices = useResource<readonly DeviceListItem[]>('devices', [])
  return (
    <details open={draft.allowedIps !== '' || error?.issueOf('allowedIps') !== undefined}>
      <summary>More</summary>
      <Field
        label="Only from these addresses"
        rows={2}
        value={draft.allowedIps}
        onValue={allowedIps => set({ allowedIps })}
        hint="Like 192.168.1.20 or 192.168.1.0/24, one a line; empty: from anywhere"
        issue={error?.issueOf('allowedIps')}
      />
      <Choice
        label="Phone"
        value={draft.deviceId}
        onValue={deviceId => set({ deviceId })}
        options={[
          ['', 'Whichever can send it first'],
          ...(devices.data ?? []).map(one => [one.deviceId, one.name] as const),
        ]}
      />
      <Tick
        label="When the hour's texts are used up, send one that sums up the rest"
        checked={draft.summarizeOverflow}
        onValue={summarizeOverflow => set({ summarizeOverflow })}
      />
      <Tick
        label="Keep the last alert for a week, so that you can see it here"
        checked={draft.keepLastBody}
        onValue={keepLastBody => set({ keepLastBody })}
      />
    </details>
  )
}
