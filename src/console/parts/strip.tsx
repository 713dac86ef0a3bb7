import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { useNow } from '#console/parts/basics.tsx'
import {
  CELLS,
  cellsOf,
  HALF_HOUR_MS,
  type PhoneNow,
  RECORDED_MS,
  STRIP_KEYS,
  stripPaths,
  stripWords,
} from '#console/strip-cells.ts'
import { useResource } from '#console/use-resource.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { PhoneHalfHour } from '#contracts/device-history.ts'

type Phone = Pick<DeviceListItem, 'deviceId'> & PhoneNow

/** The last 48 half-hours of a phone, like heartbeats. */
export function Strip({ phone }: { phone: Phone }) {
  const rows = useHistory(phone.deviceId, 1)
  return <StripOf rows={rows} phone={phone} now={Date.now()} />
}

/** The half-hours of some days, and the next one when it is over. Undefined: they have not come yet. */
export function useHistory(deviceId: string, days: number): readonly PhoneHalfHour[] | undefined {
  const { data, reload } = useResource<readonly PhoneHalfHour[]>(
    `devices/${deviceId}/history?days=${days}`,
    [],
  )
  const halfHour = Math.floor((useNow(RECORDED_MS / 2) - RECORDED_MS / 2) / HALF_HOUR_MS)
  const known = useRef(halfHour)
  useEffect(() => {
    if (known.current !== halfHour) reload()
    known.current = halfHour
  }, [halfHour])
  return data
}

/** What to do once an element is on the screen. One observer serves all, because hundreds take long. */
const unseen = new Map<Element, () => void>()
let observer: IntersectionObserver | undefined

function onceSeen(place: Element, callback: () => void): () => void {
  observer ??= new IntersectionObserver((entries, watching) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      watching.unobserve(target)
      unseen.get(target)?.()
      unseen.delete(target)
    }
  })
  unseen.set(place, callback)
  observer.observe(place)
  return () => {
    observer?.unobserve(place)
    unseen.delete(place)
  }
}

/** The same for a long list: it asks for the past of a phone once its line is on the screen. */
export function LateStrip({ phone }: { phone: Phone }) {
  const place = useRef<HTMLSpanElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => (place.current === null ? undefined : onceSeen(place.current, () => setSeen(true))), [])
  return (
    <span class="late-strip" ref={place}>
      {isSeen && <Strip phone={phone} />}
    </span>
  )
}

interface StripOfProps {
  /** Undefined: they have not come yet. */
  readonly rows: readonly PhoneHalfHour[] | undefined
  readonly phone: PhoneNow
  readonly now: number
}

/** The same from half-hours that the page has. */
export function StripOf({ rows, phone, now }: StripOfProps) {
  const words = rows === undefined ? t('Last 24 hours') : stripWords(rows, phone, now)
  return (
    <span title={words}>
      <svg class="strip" viewBox={`0 0 ${CELLS} 1`} preserveAspectRatio="none" role="img" aria-label={words}>
        {rows !== undefined &&
          stripPaths(cellsOf(rows, phone, now)).map(([kind, path]) => (
            <path key={kind} class={`cell-${kind}`} d={path} />
          ))}
      </svg>
    </span>
  )
}

/** What the shapes of a strip mean. @param isTitled the page does not say yet which time it shows */
export function StripKeys({ isTitled = false }: { isTitled?: boolean }) {
  return (
    <p class="strip-keys" aria-hidden="true">
      {isTitled && `${t('Last 24 hours')}:`}
      {STRIP_KEYS.map(([kind, word]) => (
        <span key={kind} class="whole">
          <svg class="strip" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
            {stripPaths([kind]).map(([one, path]) => (
              <path key={one} class={`cell-${one}`} d={path} />
            ))}
          </svg>{' '}
          {word}
        </span>
      ))}
    </p>
  )
}
