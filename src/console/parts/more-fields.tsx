import { useEffect, useState } from 'preact/hooks'
import type { ApiError } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Choice, Field, Tick } from '#console/parts/basics.tsx'
import { PhoneChoice } from '#console/parts/phone-choice.tsx'
import type { Draft } from '#console/webhook-draft.ts'

/** Fields in the fold that show the API's issues with them. */
export const FOLDED_FIELDS = ['messageTemplate', 'maxPerHour', 'silentAfterMinutes', 'allowedIps']

interface MoreFieldsProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
  readonly error: ApiError | null
}

/** The fields of a webhook that few people need. Open if it has its own words or the API refused a field. */
export function MoreFields({ draft, set, error }: MoreFieldsProps) {
  const [isOpen, setOpen] = useState(draft.messageTemplate !== '')
  // Each refusal is a new error, so this opens the fold again if it was closed after the last refusal.
  useEffect(() => {
    if (FOLDED_FIELDS.some(name => error?.issueOf(name) !== undefined)) setOpen(true)
  }, [error])
  return (
    <details
      open={isOpen}
      onToggle={event => setOpen(event.currentTarget.open)}
      // The browser cannot show what is wrong with a field in a closed fold.
      onInvalidCapture={event => {
        event.currentTarget.open = true
      }}
    >
      <summary>{t('More: own words and limits')}</summary>
      <WordFields draft={draft} set={set} error={error} />
      <RouteFields draft={draft} set={set} error={error} />
    </details>
  )
}

/** What becomes a text, and how it reads. */
function WordFields({ draft, set, error }: MoreFieldsProps) {
  return (
    <>
      <Field
        label={t('Own words')}
        rows={2}
        value={draft.messageTemplate}
        onValue={messageTemplate => set({ messageTemplate })}
        hint={t('Empty: Roost makes a short text. {{monitor.name}} stands for a value of the alert.')}
        issue={error?.issueOf('messageTemplate')}
      />
      <Field
        label={t('Alerts per hour, at most')}
        type="number"
        min={1}
        max={1000}
        value={draft.maxPerHour}
        onValue={maxPerHour => set({ maxPerHour })}
        issue={error?.issueOf('maxPerHour')}
      />
      <Tick
        label={t('When many alerts come at once, put them together in a few texts')}
        checked={draft.gather}
        onValue={gather => set({ gather })}
      />
      {!draft.gather && (
        <Tick
          label={t('Say when the limit is reached, and later sum up the alerts beyond it')}
          checked={draft.summarizeOverflow}
          onValue={summarizeOverflow => set({ summarizeOverflow })}
        />
      )}
      <Field
        label={t('Send a text after so many minutes without a sign of life')}
        type="number"
        min={1}
        max={44640}
        value={draft.silentAfterMinutes}
        onValue={silentAfterMinutes => set({ silentAfterMinutes })}
        hint={t('Empty: never. Every request to the address is a sign of life, also one that sends no text.')}
        issue={error?.issueOf('silentAfterMinutes')}
      />
      <Choice
        label={t('Which alerts')}
        value={draft.minSeverity}
        onValue={value => set({ minSeverity: value as Draft['minSeverity'] })}
        options={[
          ['', t('All')],
          ['warning', t('Warnings and critical ones')],
          ['critical', t('Critical ones only')],
        ]}
      />
      <Tick
        label={t('Also send a text when the problem is over')}
        checked={draft.sendRecovered}
        onValue={sendRecovered => set({ sendRecovered })}
      />
    </>
  )
}

/** Who may post, which phone sends, and what is kept. */
function RouteFields({ draft, set, error }: MoreFieldsProps) {
  return (
    <>
      <Field
        label={t('Only from these addresses')}
        rows={2}
        value={draft.allowedIps}
        onValue={allowedIps => set({ allowedIps })}
        hint={t('Like 192.168.1.20 or 192.168.1.0/24, one per line; empty: from anywhere')}
        issue={error?.issueOf('allowedIps')}
      />
      <PhoneChoice value={draft.deviceId} onValue={deviceId => set({ deviceId })} />
      <Tick
        label={t('Keep the last alerts for a week, so that you can see them here')}
        checked={draft.keepLastBody}
        onValue={keepLastBody => set({ keepLastBody })}
      />
    </>
  )
}
