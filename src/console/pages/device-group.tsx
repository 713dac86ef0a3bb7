import { useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { Choice, Field, PageHead } from '#console/parts/basics.tsx'
import { Form } from '#console/parts/form.tsx'
import { Members } from '#console/parts/members.tsx'
import { Removal } from '#console/parts/removal.tsx'
import { untilThere } from '#console/parts/until-there.tsx'
import { save } from '#console/save.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { DeviceGroupResource } from '#contracts/device-group.ts'

/** Phones that share the work. `id` null: a new group. */
export function DeviceGroupPage({ id }: { id: string | null }) {
  const path = `device-groups/${encodeURIComponent(id ?? '')}`
  const group = useResource<DeviceGroupResource>(id === null ? null : path, ['device'])
  const phones = useResource<readonly DeviceListItem[]>('devices', [])
  const missing = untilThere(t('Group of phones'), [group, phones])
  if (missing !== null) return missing
  return (
    <>
      <PageHead title={group.data?.name ?? t('New group of phones')} />
      {group.data?.downSince != null && (
        <p class="notice wait">
          <span>{t('None of its phones can send.')}</span>
        </p>
      )}
      <GroupForm group={group.data ?? null} phones={phones.data ?? []} />
      {group.data !== undefined && (
        <Removal
          what={t('group')}
          resource={group}
          next="#/devices"
          question={t('This group will be gone. Its phones stay.')}
        />
      )}
    </>
  )
}

interface GroupFormProps {
  readonly group: DeviceGroupResource | null
  readonly phones: readonly DeviceListItem[]
}

function GroupForm({ group, phones }: GroupFormProps) {
  const [name, setName] = useState(group?.name ?? '')
  const [devices, setDevices] = useState<readonly string[]>(group?.devices ?? [])
  const [fallback, setFallback] = useState<string>(group?.fallback ?? 'any')
  const [minutes, setMinutes] = useState(String(group?.fallbackAfterMinutes ?? 5))
  const action = useAction()
  const { error } = action
  const send = () =>
    action.run(async () => {
      const body = { name, devices, fallback, fallbackAfterMinutes: Number(minutes) }
      await save('device-groups', group, body)
      location.hash = '#/devices'
    })
  return (
    <Form
      action={action}
      send={send}
      fields={['name', 'devices', 'fallbackAfterMinutes']}
      word={group === null ? t('Make group') : t('Save changes')}
    >
      <Field
        label={t('Name')}
        required
        isFirst={group === null}
        value={name}
        onValue={setName}
        placeholder={t('For example Office')}
        issue={error?.issueOf('name')}
      />
      <Members
        legend={t('Its phones share the work')}
        ids={devices}
        onIds={setDevices}
        all={phones.map(one => ({ id: one.deviceId, name: one.name }))}
        gone={t('A phone that was removed')}
        add={[t('Add'), t('Choose a phone')]}
        issue={error?.issueOf('devices')}
      />
      <Choice
        label={t('When none of them can send')}
        value={fallback}
        onValue={setFallback}
        options={[
          ['any', t('Any other phone sends')],
          ['none', t('The texts wait')],
        ]}
      />
      {fallback === 'any' && (
        <Field
          label={t('After so many minutes')}
          type="number"
          min={0}
          max={1440}
          required
          value={minutes}
          onValue={setMinutes}
          issue={error?.issueOf('fallbackAfterMinutes')}
        />
      )}
    </Form>
  )
}
