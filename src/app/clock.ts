import type { Now } from '#domain/time.ts'

/** The system's wall clock and its monotonic clock, read at the same moment. */
export function systemNow(): Now {
  return { wallMs: Date.now(), monoMs: performance.now() }
}

/** Calls `run` once after `ms` milliseconds. Returns a function that cancels the call. */
export function afterMs(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
