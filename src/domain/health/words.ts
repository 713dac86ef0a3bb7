/** `1 text waits`, `3 texts wait`. */
export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

/** A time span in whole minutes, hours or days: `90 minutes`, `3 days`. */
export function spanInWords(ms: number): string {
  const spans = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ] as const
  for (const [unit, name] of spans)
    if (ms >= 2 * unit || unit === 60_000) {
      const whole = Math.max(1, Math.round(ms / unit))
      return count(whole, name, `${name}s`)
    }
  return ''
}
