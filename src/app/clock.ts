import type { Now } from '#domain/time.ts'

/** The system's wall clock and its monotonic clock, read at the same moment. */
export function systemNow(): Now {
  return { wallMs: Date.now(), monoMs: performance.now() }
}
