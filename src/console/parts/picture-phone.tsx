import { isPretend } from '#console/is-pretend.ts'
import { t, translated } from '#console/language.ts'
import { Sign } from '#console/parts/sign.tsx'
import { Strip } from '#console/parts/strip.tsx'
import { momentWords } from '#console/time-words.ts'
import { canSend, capReached } from '#console/why-waits.ts'
import { signalBars } from '#console/words-of-states.ts'
import type { DeviceListItem } from '#contracts/device.ts'

/** How a phone looks that does not send: `bad` if no other one does. */
interface Silent {
  readonly silent: 'bad' | 'wait'
}

/** A phone in the picture: its battery, its signal, its last day, and what is wrong with it. */
export function PhoneNode({ phone, silent }: { phone: DeviceListItem } & Silent) {
  const { deviceId, name, status, paused, trouble } = phone
  const isOff = status === 'offline'
  const tone = paused ? 'wait' : canSend(phone) ? '' : silent
  return (
    <li>
      <a class={`node ${tone}`} data-node={deviceId} href={`#/devices/${deviceId}`}>
        <span class="name">
          <strong dir="auto">{name}</strong>
          {!isOff && <Gauges phone={phone} />}
        </span>
        <Strip phone={phone} />
        <span class="state">
          {isOff && t('offline since {time}', { time: momentWords(phone.lastSeen) })}
          {!isOff && (paused ? t('paused') : translated(trouble ?? '') || doingWords(phone))}
        </span>
      </a>
    </li>
  )
}

/** Phones that the folded node names. */
const NAMED_MAX = 4

/** Phones that are offline, folded into one node. */
export function OfflineNode({
  phones,
  silent,
}: { phones: readonly Pick<DeviceListItem, 'name'>[] } & Silent) {
  const named = phones.slice(0, NAMED_MAX).map(({ name }) => name)
  return (
    <li>
      <a class={`node ${silent}`} data-node="offline" href="#/devices">
        <strong>{t('1 phone is offline|{count} phones are offline', { count: phones.length })}</strong>
        <span class="one-line" dir="auto">
          {named.join(', ')}
          {named.length < phones.length && '…'}
        </span>
      </a>
    </li>
  )
}

/** What a phone without trouble does. */
function doingWords(phone: DeviceListItem): string {
  const { queueLength: count, segmentsPerMinute: pace } = phone
  if (isPretend(phone)) return t('pretend: it only prints texts')
  if (capReached(phone) !== null) return t('at its cap')
  if (count === 0) return t('up to {pace} SMS a minute', { pace })
  return t('1 waiting, up to {pace} SMS a minute|{count} waiting, up to {pace} SMS a minute', { count, pace })
}

/** Battery and signal as small drawings, with the values for screen readers. */
function Gauges({ phone }: { phone: DeviceListItem }) {
  const { battery, signal } = phone
  const bars = signal === null ? 0 : signalBars(signal)
  const isLow = battery !== null && battery <= 20 && phone.charging !== true
  return (
    <span class="gauges">
      {battery !== null && (
        <span class={isLow ? 'bad' : ''}>
          <span class="hidden">{t('battery')} </span>
          {t('{percent} %', { percent: Math.round(battery) })}
          {phone.charging === true && (
            <>
              {' '}
              <Sign of="charging" />
              <span class="hidden"> {t('charging')}</span>
            </>
          )}
        </span>
      )}
      {signal !== null && (
        <svg class="bars" viewBox="0 0 16 12" role="img" aria-label={t('signal {bars} of 4', { bars })}>
          {[1, 2, 3, 4].map(bar => (
            <rect
              key={bar}
              class={bar > bars ? 'empty' : ''}
              x={bar * 4 - 4}
              y={12 - bar * 3}
              width={3}
              height={bar * 3}
              rx={0.5}
            />
          ))}
        </svg>
      )}
    </span>
  )
}
