import { t } from '#console/language.ts'
import { Field } from '#console/parts/basics.tsx'

/** Hours of a day, such as 22:00 to 07:00, local time. */
export interface Hours {
  readonly from: string
  readonly to: string
}

export const NIGHT: Hours = { from: '22:00', to: '07:00' }

interface HoursFieldsProps {
  readonly hours: Hours
  readonly onHours: (hours: Hours) => void
  readonly issue?: string | undefined
}

export function HoursFields({ hours, onHours, issue }: HoursFieldsProps) {
  return (
    <>
      <Field
        label={t('From')}
        type="time"
        required
        value={hours.from}
        onValue={from => onHours({ ...hours, from })}
        issue={issue}
      />
      <Field
        label={t('Until')}
        type="time"
        required
        value={hours.to}
        onValue={to => onHours({ ...hours, to })}
      />
    </>
  )
}
