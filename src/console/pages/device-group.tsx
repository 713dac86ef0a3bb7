import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Choice, Fault, Field, Loading, PageHead } from '#console/parts/basics.tsx'
import { Danger } from '#console/parts/danger.tsx'
import { Members } from '#console/parts/members.tsx'
import { useAction, useResource } from '#console/use-resource.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { DeviceGroupResource } from '#contracts/device-group.ts'

/** Phones that share the work. `id` null: a new group. */
export function DeviceGroupPage({ id }: { id: string | null }) {
  const path = `device-groups/${encodeURIComponent(id ?? '')}`
  const group = useResource<DeviceGroupResource>(id === null ? null : path, ['device'])
  const phones = useResource<readonly DeviceListItem[]>('devices', [])
  const action = useAction()
  if (phones.data === undefined || (id !== null && group.data === undefined)) {
    const failed = phones.error === null ? group : phones
    return (
      <>
        <PageHead title={t('Group of phones')} />
        {failed.error === null ? <Loading /> : <Fault error={failed.error} retry={failed.reload} />}
      </>
    )
  }
  const remove = () =>
    action.run(async () => {
      await group.remove()
      location.hash = '#/devices'
    })
  return (
    <>
      <PageHead title={group.data?.name ?? t('New group of phones')} />
      {group.data?.downSince != null && (
        <p class="notice wait">
          <span>{t('None of its phones can send.')}</span>
        </p>
      )}
      <GroupForm group={group.data ?? null} phones={phones.data} />
      {group.data !== undefined && (
        <Danger
          word={t('Remove group')}
          question={t('This group will be gone. Its phones stay.')}
          onConfirm={() => void remove()}
        />
      )}
      <Fault error={action.error} />
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
  const save = () =>
    action.run(async () => {
      const body = { name, devices, fallback, fallbackAfterMinutes: Number(minutes) }
      const [method, path] =
        group === null ? ['POST', 'device-groups'] : ['PATCH', `device-groups/${group.id}`]
      await call(method, path, body)
      location.hash = '#/devices'
    })
  return (
    <form
      class="card slim"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
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
      <Fault error={error} fields={['name', 'devices', 'fallbackAfterMinutes']} />
      <button type="submit" class="primary" disabled={action.busy || devices.length === 0}>
        {group === null ? t('Make group') : t('Save changes')}
      </button>
    </form>
  )
}
