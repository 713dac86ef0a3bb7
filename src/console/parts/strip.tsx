import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { cellsOf, stripPaths, stripWords } from '#console/strip-cells.ts'
import { useResource } from '#console/use-resource.ts'
import type { PhoneHalfHour } from '#contracts/device-history.ts'

/** The last 48 half-hours of a phone, like heartbeats. */
export function Strip({ deviceId }: { deviceId: string }) {
  const { data } = useResource<readonly PhoneHalfHour[]>(`devices/${deviceId}/history?days=1`, [])
  return <StripOf rows={data} now={Date.now()} />
}

/** The same for a long list: it asks for the past of a phone once its line is on the screen. */
export function LateStrip({ deviceId }: { deviceId: string }) {
  const place = useRef<HTMLSpanElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(entries => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    if (place.current !== null) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <span class="late-strip" ref={place}>
      {isSeen && <Strip deviceId={deviceId} />}
    </span>
  )
}

/** The same from half-hours that the page has. Undefined: they have not come yet. */
export function StripOf({ rows, now }: { rows: readonly PhoneHalfHour[] | undefined; now: number }) {
  return (
    <svg
      class="strip"
      viewBox="0 0 48 1"
      preserveAspectRatio="none"
      role="img"
      aria-label={rows === undefined ? t('Last 24 hours') : stripWords(rows, now)}
    >
      {stripPaths(cellsOf(rows ?? [], now)).map(([kind, path]) => (
        <path key={kind} class={`cell-${kind}`} d={path} />
      ))}
    </svg>
  )
}
