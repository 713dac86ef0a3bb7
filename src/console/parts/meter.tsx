/** How much of a limit is used. */
import { t } from '#console/language.ts'
export function Meter({ label, value, max }: { label: string; value: number; max: number }) {
  return (
    <div class="meter">
      <span>
        {max === -1
          ? t('{label}: {value} (no limit)', { label, value })
          : t('{label}: {value} of {max}', { label, value, max })}
      </span>
      {max > 0 && (
        <meter min={0} max={max} high={max * 0.8} value={Math.min(value, max)} aria-label={label}>
          {t('{value} of {max}', { value, max })}
        </meter>
      )}
    </div>
  )
}
