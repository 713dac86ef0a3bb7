/** The agent's clock; tests replace it. */
export interface Clock {
  /** Monotonic milliseconds. They stop while a Linux machine is suspended. */
  monotonicMs(): number
  /** Milliseconds since 1970; may jump. */
  wallMs(): number
  /** Calls `run` once after the delay. The returned function cancels the call. */
  after(delayMs: number, run: () => void): () => void
}

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

export function wallTime(clock: Clock): string {
  return new Date(clock.wallMs()).toISOString()
}

/** Resolves after the delay, or at once when the signal aborts. Never rejects. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise(resolve => {
    const end = () => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(delayMs, end)
    signal.addEventListener('abort', end, { once: true })
  })
}

/** Calls `run` every `delayMs`, the first time after one delay. The returned function stops the calls. */
export function repeat(clock: Clock, delayMs: number, run: () => void): () => void {
  let cancel = clock.after(delayMs, again)
  let ended = false
  function again(): void {
    run()
    if (!ended) cancel = clock.after(delayMs, again)
  }
  return () => {
    ended = true
    cancel()
  }
}
