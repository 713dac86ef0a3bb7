import { useEffect, useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { Empty, Fault, Loading, PageHead } from '#console/parts/basics.tsx'
import { DeviceGroups } from '#console/parts/device-groups.tsx'
import { DeviceLine } from '#console/parts/device-line.tsx'
import { StripKeys } from '#console/parts/strip.tsx'
import { T } from '#console/parts/t.tsx'
import { shown } from '#console/shown.ts'
import { useResource } from '#console/use-resource.ts'
import type { DeviceListItem } from '#contracts/device.ts'

/** More lines than a screen has. */
const FIRST = 20

/**
 * How many lines of a long list to draw: at once those that the screen shows, the others in steps after them.
 * A reader who comes back to a line gets all at once.
 */
function useDrawn(count: number): number {
  const [drawn, setDrawn] = useState(shown.peek().place === null ? FIRST : Number.POSITIVE_INFINITY)
  useEffect(() => {
    if (drawn >= count) return
    const timer = setTimeout(() => setDrawn(drawn * 2))
    return () => clearTimeout(timer)
  }, [drawn, count])
  return drawn
}

export function DevicesPage() {
  const { data, isLoading, error, reload } = useResource<readonly DeviceListItem[]>('devices', [
    'device',
    'message',
  ])
  const drawn = useDrawn(data?.length ?? 0)
  return (
    <>
      <PageHead title={t('Phones')}>
        {data?.length !== 0 && (
          <a class="button primary" href="#/devices/pair">
            {t('Add a phone')}
          </a>
        )}
      </PageHead>
      <Fault error={error} retry={reload} />
      {isLoading && <Loading />}
      {data?.length === 0 && (
        <Empty title={t('No phone is paired')} drawing="phone">
          <p>
            <T>Roost sends texts through Android phones with a SIM card. One is enough to begin with.</T>
          </p>
          <p>
            <a class="button primary" href="#/devices/pair">
              {t('Add a phone')}
            </a>
          </p>
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <>
          <StripKeys isTitled />
          <ul class="list phones">
            {data.slice(0, drawn).map(device => (
              <DeviceLine key={device.deviceId} device={device} />
            ))}
          </ul>
        </>
      )}
      {data !== undefined && <DeviceGroups phones={data} />}
    </>
  )
}
