/** The values that occur more than once. A value that occurs three times is in the result twice. */
export function findRepeated(values: readonly string[]): string[] {
  const seen = new Set<string>()
  const repeated: string[] = []
  for (const value of values) {
    if (seen.has(value)) repeated.push(value)
    seen.add(value)
  }
  return repeated
}
