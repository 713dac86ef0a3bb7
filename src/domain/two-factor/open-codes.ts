import type { Deadlines } from '#domain/deadlines.ts'
import { monotonicDeadline, type Now } from '#domain/time.ts'
import type { CodeRecord } from '#domain/two-factor/two-factor-store.ts'

/**
 * The time at which each open code expires, on the monotonic clock, so that a wall clock that is set back
 * does not extend a code. Like the fleet, it is rebuilt from the rows.
 */
export class OpenCodes {
  readonly #expiresAtMono = new Map<string, number>()

  add(messageId: string, expiresAtMono: number): void {
    this.#expiresAtMono.set(messageId, expiresAtMono)
  }

  /** Undefined for a code that is not open. */
  expiresAt(messageId: string): number | undefined {
    return this.#expiresAtMono.get(messageId)
  }

  /** Messages of the open codes. */
  get messageIds(): string[] {
    return [...this.#expiresAtMono.keys()]
  }

  delete(messageId: string): void {
    this.#expiresAtMono.delete(messageId)
  }
}

/** The fields of an open code that its deadline needs. */
export type OpenCode = Pick<CodeRecord, 'messageId' | 'createdAt' | 'expiresAt'>

/** Rebuilds the open codes in memory; a known one keeps its deadline. */
export function restoreCodes(
  stored: Iterable<OpenCode>,
  at: { readonly now: Now; readonly deadlines: Deadlines; readonly before: OpenCodes | null },
): OpenCodes {
  const codes = new OpenCodes()
  for (const { messageId, createdAt, expiresAt } of stored) {
    const known = at.before?.expiresAt(messageId)
    const expiresAtMono = known ?? monotonicDeadline(expiresAt, expiresAt - createdAt, at.now)
    codes.add(messageId, expiresAtMono)
    at.deadlines.add(expiresAtMono, 'code', messageId)
  }
  return codes
}
