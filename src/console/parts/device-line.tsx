import { isPretend, PRETEND_WORDS } from '#console/is-pretend.ts'
import { t } from '#console/language.ts'
import { Dotted, Mark, When } from '#console/parts/basics.tsx'
import { EntryLink } from '#console/parts/entry-link.tsx'
import { T } from '#console/parts/t.tsx'
import { phoneFacts } from '#console/phone-facts.ts'
import { dayStartWords } from '#console/time-words.ts'
import { canSend } from '#console/why-waits.ts'
import { DEVICE_WORDS } from '#console/words.ts'
import type { DeviceListItem } from '#contracts/device.ts'

type Phone = Pick<DeviceListItem, 'status' | 'paused' | 'trouble'>

export function DeviceBadge({ device }: { device: Phone }) {
  if (device.paused) return <Mark tone="wait" mark="❚❚" word={t('Paused')} />
  if (device.status !== 'offline' && !canSend(device))
    return <Mark tone="bad" mark="○" word={t('Cannot send')} />
  const tone = device.status === 'offline' ? 'bad' : 'good'
  return (
    <Mark tone={tone} mark={device.status === 'offline' ? '○' : '●'} word={DEVICE_WORDS[device.status]} />
  )
}

export function DeviceLine({ device }: { device: DeviceListItem }) {
  const waiting = device.queueLength > 0 ? [t('{count} waiting', { count: device.queueLength })] : []
  const pretend = isPretend(device) ? [PRETEND_WORDS.slice(0, -1)] : []
  return (
    <li>
      <EntryLink href={`#/devices/${device.deviceId}`}>
        <span>
          <strong>{device.name}</strong> {isPretend(device) && <span class="tag">{t('pretend')}</span>}
        </span>
        <DeviceBadge device={device} />
        <span class="dim">
          <Dotted parts={[...pretend, ...phoneFacts(device), ...waiting]} />
        </span>
        <span class="dim end">
          {device.status === 'offline' ? (
            <T>
              last seen <When at={device.lastSeen} />
            </T>
          ) : (
            t('{count} sent since {time}', { count: device.smsToday, time: dayStartWords(Date.now()) })
          )}
        </span>
      </EntryLink>
    </li>
  )
}
