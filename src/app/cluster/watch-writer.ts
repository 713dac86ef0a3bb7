/**
 * Asks the writer all the time. On a disk whose writes never return it answers nothing, while all other
 * threads go on and would renew the lease for ever.
 */

/** Pause between two questions. */
const ASKED_EVERY_MS = 1_000
/**
 * A writer that is silent for so long hangs. If it answers before the lease ends, the lease goes on. Together
 * with the lease and the start of another member, this stays below the promised 15 s.
 */
const SILENT_MS_MAX = 3_000

export interface WriterWatchPorts {
  /** Asks the writer; settles when it answers. */
  readonly ask: () => Promise<unknown>
  readonly monoMs: () => number
  readonly pause: (ms: number) => Promise<void>
}

export interface WriterWatch {
  /** Whether the writer has not answered for long. */
  readonly hangs: () => boolean
  readonly stop: () => void
}

export function watchWriter({ ask, monoMs, pause }: WriterWatchPorts): WriterWatch {
  let isWanted = true
  let askedMs: number | null = null
  const watch = async () => {
    while (isWanted) {
      askedMs = monoMs()
      // A refusal is an answer.
      await ask().catch(() => undefined)
      askedMs = null
      await pause(ASKED_EVERY_MS)
    }
  }
  void watch()
  return {
    hangs: () => isWanted && askedMs !== null && monoMs() - askedMs > SILENT_MS_MAX,
    stop() {
      isWanted = false
    },
  }
}
