import { CLOCK_MS_MIN } from '#contracts/bounds.ts'
import { DAY_MS, type Now } from '#domain/time.ts'

/** Smaller steps are left alone until they add up to this. */
const STEP_MS_MIN = 1000
/** Time servers correct a clock by less, and clocks of two machines differ by less. */
const DIFFERENCE_MS_MAX = 60_000
/** A jump by more than this is a problem of the list. */
const JUMP_MS_MIN = 900_000
/** A clock that jumped counts as right after this time without another jump. A problem until then. */
const DOUBTED_MS = 3_600_000
/** What only a jump made expire waits for so long. */
const EXPIRY_HELD_MS = 600_000
/** A clock that is further off than this stays in doubt until it is confirmed. */
const OFF_MS_MAX = 7 * DAY_MS

/** When the gateway last ran, wall-clock milliseconds. */
export interface LastRun {
  /** The time by which rows were written. */
  readonly rowsAt: number
  /** The time that had surely come. */
  readonly trustedAt: number
}

/** A correction of rows, because the clock by which they were written changed. All in milliseconds. */
export interface Move {
  /** Rows that wait move by `ms` if their wait began since this time, others by `olderMs`. */
  readonly since: number
  readonly ms: number
  readonly olderMs: number
  /** Silence moves by this: it leaves out the time in which the gateway was off. */
  readonly silenceMs: number
  /** What was written from this time on is dated anew, by `ms`. */
  readonly from: number
}

export interface ClockFacts {
  /** How far the machine's clock is behind the time that has surely come; 0: it is not. */
  readonly behindMs: number
  /** How far it is ahead of that time, if that is too far to be believed; 0: it is not. */
  readonly aheadMs: number
  /** The last large jump. `at`: the time after it. */
  readonly jump: { readonly at: number; readonly ms: number } | null
}

interface State {
  /** Wall clock minus monotonic clock: of the rows, of the machine, and of the time that has surely come. */
  readonly rowsMs: number
  readonly machineMs: number
  readonly trustedMs: number
  /** The monotonic time of the start or the last jump, while the clock is in doubt. */
  readonly doubtAt: number | null
  /** As in `Move`, for the next jump. */
  readonly since: number
  readonly from: number
  /** The first move, for the time between the runs. Null: it was made. */
  readonly startMove: Move | null
  /** How far rows of the last run are ahead, if the clock goes back to before the end of that run. */
  readonly older: { readonly rowsMs: number; readonly ms: number } | null
  readonly jump: { readonly monoMs: number; readonly at: number; readonly ms: number } | null
  /** Since when the machine's clock is behind, on the monotonic clock. */
  readonly behindAt: number | null
}

const SETTLED = {
  doubtAt: null,
  since: Number.NEGATIVE_INFINITY,
  from: Number.POSITIVE_INFINITY,
  older: null,
  jump: null,
  behindAt: null,
} as const

/**
 * The wall clock that the writer goes by. A computer without a battery-backed clock starts with a time of the
 * past until a time server answers, and any clock may be wrong for a while. So this clock knows the time that
 * has surely come: that of the last run, and what has passed since by the monotonic clock. It never goes back
 * behind that time. It follows the machine's clock ahead, but for an hour after a start or a jump the clock
 * is in doubt. What is written then follows the next jump, so that it has the right time in the end.
 *
 * The state changes with the transaction that moves the rows.
 */
export class BelievedClock {
  readonly #read: () => Now
  /** The machine's clock as it was read last, in whole milliseconds. */
  #machine: Now = { wallMs: 0, monoMs: 0 }
  #committed: State
  #state: State

  /** `known`: a time that the database knows; 0: none. */
  constructor(read: () => Now, { known, lastRun }: { known: number; lastRun: LastRun | null }) {
    this.#read = read
    this.#committed = stateAtStart(this.#readMachine(), { known, lastRun })
    this.#state = this.#committed
  }

  now(): Now {
    const machine = this.#readMachine()
    const trustedAt = this.trustedAt(machine)
    return machine.wallMs < trustedAt - DIFFERENCE_MS_MAX ? { ...machine, wallMs: trustedAt } : machine
  }

  /** The time that has surely come, wall-clock milliseconds. */
  trustedAt({ monoMs }: Pick<Now, 'monoMs'>): number {
    return monoMs + this.#state.trustedMs
  }

  /** What the next start needs to know. */
  get lastRun(): LastRun {
    const { monoMs } = this.#machine
    return { rowsAt: monoMs + this.#state.rowsMs, trustedAt: this.trustedAt(this.#machine) }
  }

  /** Whether it would help to know that the machine's clock is right. */
  get isInDoubt(): boolean {
    const { doubtAt, behindAt, jump } = this.#state
    return doubtAt !== null || behindAt !== null || jump !== null
  }

  /** Begins a transaction. Returns how its rows must move; null: they need not. */
  measure(now: Now): Move | null {
    const { startMove, rowsMs } = this.#state
    if (startMove !== null) {
      this.#state = { ...this.#state, startMove: null }
      return startMove
    }
    this.#noteMachine(now)
    const ms = now.wallMs - now.monoMs - rowsMs
    if (Math.abs(ms) >= STEP_MS_MIN) return this.#follow(now, ms)
    this.#settle(now)
    return null
  }

  /** The machine's clock is right. The next transaction goes by it. */
  believe(): void {
    const { wallMs, monoMs } = this.#machine
    this.#state = { ...this.#state, ...SETTLED, trustedMs: wallMs - monoMs }
  }

  /** How long to wait before something ends at `at`, because only a jump of the clock has brought that time. */
  heldMs(now: Now, at: number): number {
    const { doubtAt } = this.#state
    const trustedAt = this.trustedAt(now)
    if (doubtAt === null || at <= trustedAt || now.wallMs - trustedAt <= DIFFERENCE_MS_MAX) return 0
    return Math.max(0, doubtAt + EXPIRY_HELD_MS - now.monoMs)
  }

  facts(now: Now): ClockFacts {
    const { jump } = this.#state
    const behindMs = now.wallMs - this.#machine.wallMs
    return { behindMs, aheadMs: this.#aheadMs(now), jump: jump && { at: jump.at, ms: jump.ms } }
  }

  commit(): void {
    this.#committed = this.#state
  }

  discard(): void {
    this.#state = this.#committed
  }

  #readMachine(): Now {
    const { wallMs, monoMs } = this.#read()
    this.#machine = { wallMs: Math.floor(wallMs), monoMs: Math.floor(monoMs) }
    return this.#machine
  }

  /** Above 0 only if it is too far to be believed. */
  #aheadMs(now: Now): number {
    const trustedAt = this.trustedAt(now)
    const aheadMs = now.wallMs - trustedAt
    return trustedAt >= CLOCK_MS_MIN && aheadMs > OFF_MS_MAX ? aheadMs : 0
  }

  /** Notes a large jump of the machine's clock, and since when it is behind. */
  #noteMachine({ wallMs, monoMs }: Now): void {
    const { machineMs: before, jump, behindAt } = this.#state
    const machineMs = this.#machine.wallMs - monoMs
    const ms = machineMs - before
    const isOld = jump !== null && monoMs - jump.monoMs >= DOUBTED_MS
    this.#state = {
      ...this.#state,
      machineMs,
      behindAt: this.#machine.wallMs === wallMs ? null : (behindAt ?? monoMs),
      jump: Math.abs(ms) > JUMP_MS_MIN ? { monoMs, at: wallMs, ms } : isOld ? null : jump,
    }
  }

  #follow({ wallMs, monoMs }: Now, ms: number): Move {
    const { doubtAt, since, from, older } = this.#state
    const isOlder = older !== null && wallMs - monoMs < older.rowsMs - DIFFERENCE_MS_MAX
    this.#state = {
      ...this.#state,
      rowsMs: wallMs - monoMs,
      doubtAt: monoMs,
      since: since + ms,
      from: doubtAt === null ? wallMs : from + ms,
      older: isOlder ? null : older,
    }
    return { ms, since, from, olderMs: isOlder ? older.ms : 0, silenceMs: ms }
  }

  /** Believes a clock that has kept its time for an hour. */
  #settle(now: Now): void {
    const { doubtAt, behindAt, since } = this.#state
    const { monoMs } = now
    if (behindAt !== null) {
      // A clock that was behind at the start may have been so for years. One that was set while the gateway
      // ran was set by somebody.
      const wasSet = since === Number.NEGATIVE_INFINITY && now.wallMs - this.#machine.wallMs <= OFF_MS_MAX
      if (wasSet && monoMs - behindAt >= DOUBTED_MS) this.believe()
    } else if (doubtAt === null) this.#state = { ...this.#state, trustedMs: now.wallMs - monoMs }
    else if (monoMs - doubtAt >= DOUBTED_MS && this.#aheadMs(now) === 0) {
      const { jump } = this.#state
      this.believe()
      this.#state = { ...this.#state, jump }
    }
  }
}

function stateAtStart(
  { wallMs, monoMs }: Now,
  { known, lastRun }: { readonly known: number; readonly lastRun: LastRun | null },
): State {
  const knownAt = Math.max(known, lastRun?.trustedAt ?? 0)
  // A millisecond later, so that times of this run differ from those of the last one.
  const trustedAt = knownAt < CLOCK_MS_MIN ? wallMs : knownAt + 1
  const believed = wallMs < trustedAt - DIFFERENCE_MS_MAX ? trustedAt : wallMs
  const rowsAt = lastRun?.rowsAt ?? believed
  // The clock was ahead when the last run ended, so the times that its rows wait for are, too.
  const rowsAheadMs = lastRun === null ? 0 : lastRun.rowsAt - lastRun.trustedAt
  const olderMs = rowsAheadMs > DIFFERENCE_MS_MAX ? -rowsAheadMs : 0
  const isBack = wallMs < rowsAt - DIFFERENCE_MS_MAX
  const ms = isBack ? olderMs : 0
  const isInDoubt = wallMs < CLOCK_MS_MIN || Math.abs(wallMs - trustedAt) >= STEP_MS_MIN
  return {
    ...SETTLED,
    ...(isInDoubt && { doubtAt: monoMs, since: believed, from: believed }),
    rowsMs: believed - monoMs,
    machineMs: wallMs - monoMs,
    trustedMs: trustedAt - monoMs,
    startMove: {
      ms,
      since: Number.NEGATIVE_INFINITY,
      olderMs: 0,
      silenceMs: believed - rowsAt,
      from: ms < 0 ? believed : Number.POSITIVE_INFINITY,
    },
    older: isBack || olderMs === 0 ? null : { rowsMs: rowsAt - monoMs, ms: olderMs },
  }
}
