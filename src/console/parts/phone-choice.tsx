import { t } from '#console/language.ts'
import { Choice } from '#console/parts/basics.tsx'
import { useResource } from '#console/use-resource.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { DeviceGroupResource } from '#contracts/device-group.ts'

interface PhoneChoiceProps {
  /** A phone or a group of phones; empty: any phone. */
  readonly value: string
  readonly onValue: (value: string) => void
}

/** Which phone or group of phones sends. */
export function PhoneChoice({ value, onValue }: PhoneChoiceProps) {
  const devices = useResource<readonly DeviceListItem[]>('devices', [])
  const groups = useResource<readonly DeviceGroupResource[]>('device-groups', [])
  return (
    <Choice
      label={t('Phone')}
      value={value}
      onValue={onValue}
      options={[
        ['', t('Whichever can send it first')],
        ...(groups.data ?? []).map(one => [one.id, t('A phone of {group}', { group: one.name })] as const),
        ...(devices.data ?? []).map(one => [one.deviceId, one.name] as const),
      ]}
    />
  )
}
