/**
 * The value below which this share (0 to 1) of the values lies. It is always one of them: 0 gives the lowest,
 * 1 the highest, and of an even number 0.5 gives the upper one in the middle. Without values: NaN.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
