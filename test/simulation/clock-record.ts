/** What a trial about time saw, by the true time, and the rules that it must keep. */
const SECOND = 1000
const MINUTE = 60_000
const LATE_MS = MINUTE
/** A silence of ten minutes is told half a minute later at most. */
export const SILENCE_MS = 10.5 * MINUTE

export interface Span {
  readonly from: number
  readonly to: number
}

/** A text that must come, and when, in true milliseconds since the start. */
export interface Awaited {
  readonly what: string
  readonly text: string
  readonly dueAt: number
  /** Silence leaves out the time off. */
  readonly isSilence?: boolean
}

export interface Planned {
  readonly id: string
  readonly sendAt: number
  readonly ttlMs: number
}

/** Something that was written at `at`, and the time that its row has in the end. */
export interface Dated {
  readonly what: string
  readonly at: number
  readonly stored: number
}

export class ClockRecord {
  /** When the machine's clock was off, and by how much. */
  readonly wrongs: (Span & { readonly ms: number })[] = []
  /** When the gateway was off. */
  readonly offs: Span[] = []
  readonly awaited: Awaited[] = []
  readonly planned: Planned[] = []
  /** When each text was told. */
  readonly toldAt = new Map<string, number[]>()
  /** When each planned text was offered first. */
  readonly offeredAt = new Map<string, number>()

  isUp(at: number): boolean {
    return !this.offs.some(({ from, to }) => at >= from && at < to)
  }

  /** This time, or a second after the gateway is up again. */
  upAfter(at: number): number {
    return this.offs.reduce((time, { from, to }) => (time >= from && time < to ? to + SECOND : time), at)
  }

  check(dated: readonly Dated[]): string[] {
    return [
      ...this.awaited.flatMap(one => this.#checkAwaited(one)),
      ...this.planned.flatMap(one => this.#checkPlanned(one)),
      ...dated.flatMap(one => this.#checkDated(one)),
    ]
  }

  /** The first time from this one on at which the gateway is up and its clock is right. */
  #rightAfter(at: number): number {
    const spans = [...this.offs, ...this.wrongs]
    const within = spans.find(({ from, to }) => at >= from && at < to)
    return within === undefined ? at : this.#rightAfter(within.to)
  }

  get #jumpMsMax(): number {
    return Math.max(0, ...this.wrongs.map(({ ms }) => Math.abs(ms)))
  }

  #checkAwaited({ what, text, dueAt, isSilence = false }: Awaited): string[] {
    const told = this.toldAt.get(text) ?? []
    // After a long time off, overdue steps come together.
    const isTogether = text.startsWith('step 2') && this.toldAt.has('step 3 of 3, round 1')
    if (told.length === 0 && isTogether) return []
    const [at] = told
    if (at === undefined || told.length > 1) return [`${what} came ${told.length} times`]
    const due = isSilence ? this.#withoutTimeOff(dueAt) : dueAt
    const earlyMsMax = isSilence ? MINUTE : this.#jumpMsMax
    if (at < due - earlyMsMax) return [`${what} came at ${at}, early: ${due}`]
    // A step keeps its distance to the one before it, which may have been late.
    const before = text.startsWith('step 3') ? (this.toldAt.get('step 2 of 3, round 1')?.[0] ?? 0) : 0
    const latest = this.#rightAfter(Math.max(due, before + 5 * MINUTE)) + LATE_MS
    return at > latest ? [`${what} came at ${at}, late: ${latest}`] : []
  }

  /** When as much time has passed with the gateway. */
  #withoutTimeOff(dueAt: number): number {
    const begun = dueAt - SILENCE_MS
    return this.offs
      .filter(({ from }) => from >= begun)
      .toSorted((one, other) => one.from - other.from)
      .reduce((due, { from, to }) => (from < due ? due + (to - from) : due), dueAt)
  }

  #checkPlanned({ id, sendAt, ttlMs }: Planned): string[] {
    const at = this.offeredAt.get(id)
    const right = this.#rightAfter(sendAt)
    const name = `planned ${id.slice(-4)}`
    // It could be sent if the clock was right for half of its time to live, or for a minute.
    if (at === undefined)
      return right + Math.min(LATE_MS, ttlMs / 2) < sendAt + ttlMs ? [`${name} was not sent: ${sendAt}`] : []
    if (at < sendAt - this.#jumpMsMax) return [`${name} was sent at ${at}, early: ${sendAt}`]
    // What seems to have expired waits for ten minutes. A clock that goes back then says that it has not.
    const isOver = right >= sendAt + ttlMs
    if (isOver && this.wrongs.some(({ from, to, ms }) => ms < 0 && at >= from && at <= to)) return []
    return at > right + LATE_MS ? [`${name} was sent at ${at}, late: ${right}`] : []
  }

  #checkDated({ what, at, stored }: Dated): string[] {
    const ms = stored - at
    return Math.abs(ms) > 2 * SECOND + this.#unknowableMs ? [`dated ${ms} ms off: ${what}`] : []
  }

  /**
   * Soon after a start, a clock that goes back by less than the gateway was off may have been ahead at the
   * start, or be behind now. It cannot be told, so what was written before it may be off by as much. It may
   * then be dated later than a next start, and is corrected by the time off as what was written after that.
   */
  get #unknowableMs(): number {
    const offMs = this.offs.map(({ from, to }) => to - from)
    const offMsMax = Math.max(0, ...offMs)
    const back = this.wrongs.map(({ ms }) => -ms).filter(ms => ms > 0 && ms <= offMsMax + MINUTE)
    return back.length === 0 ? 0 : Math.max(...back) + offMs.reduce((sum, ms) => sum + ms, 0)
  }
}
