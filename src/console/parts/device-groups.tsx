import { t } from '#console/language.ts'
import { Dotted, Mark } from '#console/parts/basics.tsx'
import { useResource } from '#console/use-resource.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { DeviceGroupResource } from '#contracts/device-group.ts'

/** The groups of phones. Nothing where a group would be of no use. */
export function DeviceGroups({ phones }: { phones: readonly DeviceListItem[] }) {
  const { data: groups = [] } = useResource<readonly DeviceGroupResource[]>('device-groups', ['device'])
  if (groups.length === 0 && phones.length < 2) return null
  const nameOf = (id: string) => phones.find(one => one.deviceId === id)?.name ?? t('a phone')
  return (
    <section>
      <div class="row apart group-head">
        <h2>{t('Groups of phones')}</h2>
        <a href="#/device-groups/new">{t('Make a group')}</a>
      </div>
      {groups.length === 0 && <p class="hint">{t('No group: any phone can send any text.')}</p>}
      {groups.length > 0 && (
        <ul class="list">
          {groups.map(({ id, name, devices, downSince }) => (
            <li key={id}>
              <a href={`#/device-groups/${id}`}>
                <strong>{name}</strong>
                {downSince !== null && <Mark tone="bad" mark="off" word={t('Cannot send')} />}
                <span class="dim">
                  <Dotted parts={devices.map(nameOf)} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
