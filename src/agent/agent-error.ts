/**
 * Something that the owner has to put right: its message is one sentence, and the agent ends with exit code
 * 1.
 */
export class AgentError extends Error {
  override readonly name = 'AgentError'
}

/** The message of anything thrown. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The system's name of a failed call (`ENOENT`), or null. */
export function systemCode(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('code' in thrown)) return null
  return typeof thrown.code === 'string' ? thrown.code : null
}
