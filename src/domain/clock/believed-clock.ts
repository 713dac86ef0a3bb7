import { CLOCK_MS_MIN } from '#contracts/bounds.ts'
import { DAY_MS, type Now } from '#domain/time.ts'

/** Smaller steps are left alone until they add up to this. */
const STEP_MS_MIN = 1000
/** Time servers correct a clock by less, and clocks of two machines differ by less. */
const DIFFERENCE_MS_MAX = 60_000
/** A jump by more than this is a problem of the list. */
const JUMP_MS_MIN = 900_000
/** After so long without a jump a time counts as come: what only a jump made expire waits until then. */
const TRUSTED_AFTER_MS = 600_000
/** So long after a start or a jump, what is written follows the next jump, and a large jump is a problem. */
const DOUBTED_MS = 3_600_000
/** A clock that is further off than this stays in doubt until it is confirmed. */
const OFF_MS_MAX = 7 * DAY_MS

/** When the gateway last ran, wall-clock milliseconds. */
export interface LastRun {
  /** The time by which rows were written. */
  readonly rowsAt: number
  /** The time that had surely come. */
  readonly trustedAt: number
  /** What was written since this time was in doubt. Null: nothing was. */
  readonly doubtedFrom: number | null
  /** How far the clock had jumped since the time that had surely come. */
  readonly jumpedMs: number
}

/** A correction of rows, because the clock by which they were written changed. All in milliseconds. */
export interface Move {
  /** Rows that wait move by `ms` if their wait began since this time. */
  readonly since: number
  readonly ms: number
  /** Silence moves by this: it leaves out the time in which the gateway was off. */
  readonly silenceMs: number
  /** Times that were written from this time on are corrected by `ms`. */
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

/** Whether the wall clock is known to be wrong, or jumped within the last hour. */
export function isClockWrong(wallMs: number, { behindMs, aheadMs, jump }: ClockFacts): boolean {
  return behindMs > 0 || aheadMs > 0 || jump !== null || wallMs < CLOCK_MS_MIN
}

interface State {
  /** Wall clock minus monotonic clock: of the rows, of the machine, and of the time that has surely come. */
  readonly rowsMs: number
  readonly machineMs: number
  readonly trustedMs: number
  /** The monotonic time of the start or the last jump, while the clock is in doubt. */
  readonly doubtAt: number | null
  readonly jumpedMs: number
  /** As in `Move`, for the next jump. */
  readonly since: number
  readonly from: number
  /** The first move, for the time between the runs. Null: it was made. */
  readonly startMove: Move | null
  /** Of the last run, if its clock may have been ahead: where its rows end, and the start of its doubt. */
  readonly older: { readonly rowsMs: number; readonly from: number } | null
  readonly jump: { readonly monoMs: number; readonly at: number; readonly ms: number } | null
  /** Since when the machine's clock is behind, on the monotonic clock. */
  readonly behindAt: number | null
}

const SETTLED = {
  doubtAt: null,
  jumpedMs: 0,
  since: Number.NEGATIVE_INFINITY,
  from: Number.POSITIVE_INFINITY,
  older: null,
  jump: null,
  behindAt: null,
} as const

/**
 * The wall clock that the writer goes by. A computer without a battery-backed clock starts with a time of the
 * past until a time server answers, and any clock may be wrong for a while. So this clock knows the time that
 * has surely come: that of the last run, and what has passed since by the monotonic clock. It does not follow
 * a clock that is behind that time. It follows the machine's clock ahead, but for an hour after a start or a
 * jump the clock is in doubt. What is written then follows the next jump, so that it is right in the end.
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
    if (machine.wallMs >= trustedAt - DIFFERENCE_MS_MAX) return machine
    return { ...machine, wallMs: machine.monoMs + this.#state.rowsMs }
  }

  /** The time that has surely come, wall-clock milliseconds. */
  trustedAt({ monoMs }: Pick<Now, 'monoMs'>): number {
    return monoMs + this.#state.trustedMs
  }

  /** What the next start needs to know. */
  get lastRun(): LastRun {
    const { monoMs } = this.#machine
    const { rowsMs, from, jumpedMs } = this.#state
    const doubtedFrom = Number.isFinite(from) ? from : null
    return { rowsAt: monoMs + rowsMs, trustedAt: this.trustedAt(this.#machine), doubtedFrom, jumpedMs }
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
    const wasBehind = this.#state.behindAt !== null
    this.#noteMachine(now)
    const ms = now.wallMs - now.monoMs - rowsMs
    if (Math.abs(ms) >= STEP_MS_MIN) return this.#follow(now, ms, wasBehind)
    this.#settle(now)
    return null
  }

  /** The machine's clock is right. The next transaction goes by it. */
  believe(): void {
    const { wallMs, monoMs } = this.#machine
    this.#state = { ...this.#state, ...SETTLED, trustedMs: wallMs - monoMs }
  }

  /** How long to wait before something ends at `at`, if only a jump of the clock has brought that time. */
  heldMs(now: Now, at: number): number {
    const { doubtAt } = this.#state
    const trustedAt = this.trustedAt(now)
    if (doubtAt === null || at <= trustedAt || now.wallMs - trustedAt <= DIFFERENCE_MS_MAX) return 0
    return Math.max(0, doubtAt + TRUSTED_AFTER_MS - now.monoMs)
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

  #follow({ wallMs, monoMs }: Now, ms: number, wasBehind: boolean): Move {
    const { doubtAt, older, jumpedMs } = this.#state
    let { since, from } = this.#state
    // The clock was ahead already before the start, so what was written then follows, too.
    const isOlder = older !== null && wallMs - monoMs < older.rowsMs - DIFFERENCE_MS_MAX
    if (isOlder) {
      since = Number.NEGATIVE_INFINITY
      from = Math.min(wallMs, older.from)
    }
    this.#state = {
      ...this.#state,
      rowsMs: wallMs - monoMs,
      doubtAt: monoMs,
      // A clock that was behind has come right. One that was ahead at the start, and went back, too.
      jumpedMs: wasBehind ? jumpedMs : Math.max(0, jumpedMs + ms),
      since: since + ms,
      from: doubtAt === null ? wallMs : from + ms,
      older: isOlder ? null : older,
    }
    return { ms, since, from, silenceMs: ms }
  }

  /** Believes a clock that has kept its time for an hour. */
  #settle(now: Now): void {
    const { doubtAt, behindAt, since } = this.#state
    const { monoMs } = now
    if (behindAt !== null) {
      // A clock that was behind at the start may have been so for years. A clock that went back while the
      // gateway ran was set on purpose.
      const wasSet = since === Number.NEGATIVE_INFINITY && now.wallMs - this.#machine.wallMs <= OFF_MS_MAX
      if (wasSet && monoMs - behindAt >= DOUBTED_MS) this.believe()
    } else if (this.#aheadMs(now) === 0) {
      const quietMs = doubtAt === null ? DOUBTED_MS : monoMs - doubtAt
      const { jump } = this.#state
      if (quietMs >= DOUBTED_MS) this.#state = { ...this.#state, ...SETTLED, jump }
      if (quietMs >= TRUSTED_AFTER_MS)
        this.#state = { ...this.#state, trustedMs: now.wallMs - monoMs, jumpedMs: 0 }
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
  const isBehind = wallMs < trustedAt - DIFFERENCE_MS_MAX
  const believed = isBehind ? Math.max(trustedAt, (lastRun?.rowsAt ?? 0) + 1) : wallMs
  const rowsAt = lastRun?.rowsAt ?? believed
  // The clock had jumped ahead when the last run ended, so the times that its rows wait for are ahead, too.
  const jumpedMs = lastRun?.jumpedMs ?? 0
  const isBack = !isBehind && wallMs < rowsAt - DIFFERENCE_MS_MAX
  // A clock that went back by more than it had jumped ahead is behind now.
  const isUnexplained = isBack && wallMs < rowsAt - jumpedMs - DIFFERENCE_MS_MAX
  const wasAhead = jumpedMs > DIFFERENCE_MS_MAX && !isUnexplained
  const from = (wasAhead ? lastRun?.doubtedFrom : null) ?? Number.POSITIVE_INFINITY
  // A clock without a battery may go on where it stood when the power failed.
  const isInDoubt = wallMs < CLOCK_MS_MIN || lastRun !== null
  return {
    ...SETTLED,
    ...(isInDoubt && { doubtAt: monoMs, since: believed, from: believed }),
    behindAt: isBehind ? monoMs : null,
    // A jump that goes on over the restart is still to come back.
    jumpedMs: isBack ? 0 : jumpedMs,
    rowsMs: believed - monoMs,
    machineMs: wallMs - monoMs,
    trustedMs: trustedAt - monoMs,
    startMove: {
      ms: isBack ? (wasAhead ? -jumpedMs : wallMs - rowsAt) : 0,
      since: Number.NEGATIVE_INFINITY,
      silenceMs: believed - rowsAt,
      from: wasAhead ? Math.min(from, believed) : from,
    },
    older: wasAhead && !isBack ? { rowsMs: rowsAt - monoMs, from } : null,
  }
}
