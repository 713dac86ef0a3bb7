import { useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { Field } from '#console/parts/basics.tsx'
import type { DeviceDetail } from '#contracts/device.ts'

interface DeviceFormProps {
  readonly device: DeviceDetail
  readonly busy: boolean
  readonly save: (json: object) => Promise<boolean>
}

/** The name of a phone, its pace, and the caps of its SIM. */
export function DeviceForm({ device, busy, save }: DeviceFormProps) {
  const [name, setName] = useState(device.name)
  const [pace, setPace] = useState(String(device.segmentsPerMinute))
  const [day, setDay] = useState(String(device.smsPerDayMax ?? ''))
  const [month, setMonth] = useState(String(device.smsPerMonthMax ?? ''))
  const [startsOn, setStartsOn] = useState(String(device.monthStartsOn))
  const [isSaved, setSaved] = useState(false)
  const capOf = (text: string) => (text === '' ? null : Number(text))
  const caps = { smsPerDayMax: capOf(day), smsPerMonthMax: capOf(month), monthStartsOn: Number(startsOn) }
  return (
    <form
      class="card"
      onSubmit={event => {
        event.preventDefault()
        void save({ name, segmentsPerMinute: Number(pace), ...caps }).then(setSaved)
      }}
    >
      <Field label={t('Name')} value={name} onValue={setName} required />
      <Field
        label={t('SMS per minute, at most')}
        type="number"
        min={1}
        value={pace}
        onValue={setPace}
        hint={t(
          'A long text is several SMS (segments). Above about 30 a minute Android asks for permission.',
        )}
      />
      <Field
        label={t('SMS a day, at most')}
        type="number"
        min={1}
        max={1000000}
        value={day}
        onValue={setDay}
        hint={t('For example what the contract of its SIM includes. Empty: no limit.')}
      />
      <Field
        label={t('SMS a month, at most')}
        type="number"
        min={1}
        max={1000000}
        value={month}
        onValue={setMonth}
        hint={t('Then other phones send. Empty: no limit.')}
      />
      {month !== '' && (
        <Field
          label={t('The month begins on day')}
          type="number"
          min={1}
          max={28}
          required
          value={startsOn}
          onValue={setStartsOn}
        />
      )}
      <div class="row">
        <button type="submit" disabled={busy}>
          {t('Save changes')}
        </button>
        <span role="status">{isSaved && !busy && t('Saved')}</span>
      </div>
    </form>
  )
}
