/**
 * Whether this process leads its cluster, in memory that all its threads share. The lease ends at a time of
 * the machine's monotonic clock, so a process that was stopped and goes on finds it over. Each thread asks at
 * the moment when something leaves it. Once a thread has found the lease over, it stays over, because that
 * thread has dropped what it held. The memory also has the cell in which the writer waits until its entry is
 * in the log.
 */

/** The writer waits for longer than any lease lasts: the main thread answers before, or the process ends. */
const APPEND_MS_MAX = 30_000
/** The lease is over for ever. */
const OVER = 0n
const NOT_YET = 1n
const WAITING = 0
const APPENDED = 1
const LOST = 2

export function createLeadershipBuffer(): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(16)
  new BigInt64Array(buffer, 0, 1)[0] = NOT_YET
  return buffer
}

export interface Leadership {
  /** Whether the lease runs. */
  holds(): boolean
  /** Lets the lease run until this time of the monotonic clock, nanoseconds, unless it is over. */
  holdUntil(untilNs: bigint): void
  /** Ends the lease for ever. */
  giveUp(): void
  /** Hands an entry over by `post`, and blocks this thread until the log has it. False: it never will. */
  awaitAppend(post: () => void): boolean
  /** Ends the wait of `awaitAppend`. */
  answerAppend(isAppended: boolean): void
}

export function openLeadership(
  buffer: SharedArrayBuffer,
  monoNs: () => bigint = process.hrtime.bigint,
): Leadership {
  const until = new BigInt64Array(buffer, 0, 1)
  const answer = new Int32Array(buffer, 8, 1)
  return {
    holds() {
      for (;;) {
        const seen = Atomics.load(until, 0)
        if (monoNs() < seen) return true
        // Fails if the lease was renewed in between.
        if (Atomics.compareExchange(until, 0, seen, OVER) === seen) return false
      }
    },
    holdUntil(untilNs) {
      for (;;) {
        const seen = Atomics.load(until, 0)
        if (seen === OVER || Atomics.compareExchange(until, 0, seen, untilNs) === seen) return
      }
    },
    giveUp() {
      Atomics.store(until, 0, OVER)
    },
    awaitAppend(post) {
      Atomics.store(answer, 0, WAITING)
      post()
      Atomics.wait(answer, 0, WAITING, APPEND_MS_MAX)
      return Atomics.load(answer, 0) === APPENDED
    },
    answerAppend(isAppended) {
      Atomics.store(answer, 0, isAppended ? APPENDED : LOST)
      Atomics.notify(answer, 0)
    },
  }
}
