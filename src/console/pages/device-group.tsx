import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
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
        <PageHead title="Group of phones" />
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
      <PageHead title={group.data?.name ?? 'New group of phones'} />
      {group.data?.downSince != null && (
        <p class="notice wait">
          <span>None of its phones can send.</span>
        </p>
      )}
      <GroupForm group={group.data ?? null} phones={phones.data} />
      {group.data !== undefined && (
        <Danger
          word="Remove group"
          question="This group will be gone. Its phones stay."
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
        label="Name"
        required
        isFirst={group === null}
        value={name}
        onValue={setName}
        placeholder="For example Office"
        issue={error?.issueOf('name')}
      />
      <Members
        legend="Its phones share the work"
        ids={devices}
        onIds={setDevices}
        all={phones.map(one => ({ id: one.deviceId, name: one.name }))}
        gone="A phone that was removed"
        add={['Add', 'Choose a phone']}
        issue={error?.issueOf('devices')}
      />
      <Choice
        label="When none of them can send"
        value={fallback}
        onValue={setFallback}
        options={[
          ['any', 'Any other phone sends'],
          ['none', 'The texts wait'],
        ]}
      />
      {fallback === 'any' && (
        <Field
          label="After so many minutes"
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
        {group === null ? 'Make group' : 'Save changes'}
      </button>
    </form>
  )
}
