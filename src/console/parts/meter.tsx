/** How much of a limit is used. */
export function Meter({ label, value, max }: { label: string; value: number; max: number }) {
  return (
    <div class="meter">
      <span>
        {label}: {value} {max === -1 ? '(no limit)' : `of ${max}`}
      </span>
      {max > 0 && (
        <meter min={0} max={max} high={max * 0.8} value={Math.min(value, max)} aria-label={label}>
          {value} of {max}
        </meter>
      )}
    </div>
  )
}
