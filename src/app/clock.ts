import type { Now } from '#domain/time.ts'

/** Both clocks of the system, read together. */
export function systemNow(): Now {
  return { wallMs: Date.now(), monoMs: performance.now() }
}
