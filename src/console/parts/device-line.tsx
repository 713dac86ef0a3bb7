import { isPretend, PRETEND_WORDS } from '#console/is-pretend.ts'
import { t } from '#console/language.ts'
import { Dotted, Mark, When } from '#console/parts/basics.tsx'
import { EntryLink } from '#console/parts/entry-link.tsx'
import { LateStrip } from '#console/parts/strip.tsx'
import { T } from '#console/parts/t.tsx'
import { phoneFacts } from '#console/phone-facts.ts'
import { dayStartWords } from '#console/time-words.ts'
import { canSend, capReached } from '#console/why-waits.ts'
import { DEVICE_WORDS } from '#console/words-of-states.ts'
import type { DeviceListItem } from '#contracts/device.ts'

export function DeviceBadge({ device }: { device: Parameters<typeof canSend>[0] }) {
  const { paused, status } = device
  if (paused) return <Mark tone="wait" mark="paused" word={t('Paused')} />
  if (status === 'offline') return <Mark tone="bad" mark="off" word={DEVICE_WORDS.offline} />
  if (canSend(device)) return <Mark tone="good" mark="on" word={DEVICE_WORDS[status]} />
  return capReached(device) === null ? (
    <Mark tone="bad" mark="barred" word={t('Cannot send')} />
  ) : (
    <Mark tone="wait" mark="barred" word={t('At its cap')} />
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
        <LateStrip phone={device} />
        <span class="dim">
          <Dotted parts={[...pretend, ...phoneFacts(device), ...capWords(device), ...waiting]} />
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

/** How much of its cap a phone has used. */
function capWords({ segmentsToday, smsPerDayMax, smsThisMonth, smsPerMonthMax }: DeviceListItem): string[] {
  if (smsPerDayMax !== null)
    return [t('{used} of {max} SMS of today', { used: segmentsToday, max: smsPerDayMax })]
  if (smsPerMonthMax === null) return []
  return [t('{used} of {max} SMS of this month', { used: smsThisMonth, max: smsPerMonthMax })]
}
