/** Turns a thrown value into a text for a log or a message. The value need not be an `Error`. */

/** The message alone, for people. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The message with the stack, for the log. Of an `AggregateError`: those of its members, each once. */
export function causeOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return [...new Set(thrown.errors.map(causeOf))].join('; ')
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}
