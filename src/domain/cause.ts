/** What was thrown, as a text for a log or a message. Anything can be thrown, not only errors. */

/** For people: the message alone. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** For the log: with the stack, and with all members of an `AggregateError`. */
export function causeOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return [...new Set(thrown.errors.map(causeOf))].join('; ')
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}
