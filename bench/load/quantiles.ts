/**
 * The value below which this share (0 to 1) of the values lies. Always one of the values: 0 gives the lowest,
 * 1 the highest, and 0.5 of an even number of values gives the upper of the two in the middle. NaN if there
 * are no values.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
