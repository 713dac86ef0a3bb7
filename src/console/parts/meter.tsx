import { t } from '#console/language.ts'

/** How much of a limit is used. `max` -1: there is none. */
export function Meter({ label, value, max }: { label: string; value: number; max: number }) {
  return (
    <div class="meter">
      <span>
        {label}: {max === -1 ? t('{value} (no limit)', { value }) : t('{value} of {max}', { value, max })}
      </span>
      {max > 0 && (
        <meter min={0} max={max} high={max * 0.8} value={Math.min(value, max)} aria-label={label}>
          {t('{value} of {max}', { value, max })}
        </meter>
      )}
    </div>
  )
}
