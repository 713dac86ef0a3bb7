/** Ten steps to the same people. A rehearsal of them lasts 100 s, so it is open when a test acts on it. */
export function slowSteps(tell: readonly string[]) {
  return Array.from({ length: 10 }, (_, afterMinutes) => ({ afterMinutes, tell }))
}
