/**
 * The only code that calls `Driver.send`. The journal has `submitting` on disk before the call, and the
 * outcome afterwards.
 */
import { reasonOf } from '#agent/agent-error.ts'
import { type Clock, pause, wallTime } from '#agent/clock.ts'
import type { Driver, Outcome } from '#agent/drivers/driver.ts'
import type { Health } from '#agent/health.ts'
import type { Journal } from '#agent/journal.ts'
import type { Entry } from '#agent/journal-record.ts'
import type { Reporter } from '#agent/session/reporter.ts'

/** Interval between two queries about a text whose outcome is unknown. */
export const AGENT_OUTCOME_CHECK_MS = 5_000

export interface RadioPorts {
  readonly journal: Journal
  readonly reporter: Reporter
  readonly health: Pick<Health, 'noteOutcome'>
  readonly clock: Clock
  readonly log: (line: string) => void
  /** Aborts when the agent no longer waits for a call in flight. */
  readonly abandon: AbortSignal
  /** Aborts when the agent stops. The next start continues to follow sent messages. */
  readonly stop: AbortSignal
  /** Called for a broken journal or a bug, after which the agent cannot continue. */
  readonly fault: (error: unknown) => void
}

export class Radio {
  readonly #ports: RadioPorts
  #busy = false
  #onIdle: (() => void) | null = null

  constructor(ports: RadioPorts) {
    this.#ports = ports
  }

  get busy(): boolean {
    return this.#busy
  }

  fault(error: unknown): void {
    this.#ports.fault(error)
  }

  /**
   * Sends a message. The caller has checked that this attempt may be sent now, and has set the entry's
   * `mark` (see `Driver.mark`). Calls `onFree` when the next message may be sent.
   */
  send(driver: Driver, entry: Entry, onFree: () => void): void {
    const { journal, clock, abandon, log } = this.#ports
    const { messageId, mark } = entry
    const change = { state: 'submitting', code: null, detail: null, mark, done: false } as const
    const submitting = journal.change(messageId, { ...change, at: wallTime(clock) })
    const began = (command: string) =>
      void journal.change(messageId, { ...change, at: wallTime(clock), command })
    this.#busy = true
    log(`${messageId}: sending, attempt ${entry.attempt}`)
    outcomeOf(() => driver.send(submitting, abandon, began))
      .then(outcome => {
        this.#busy = false
        if (outcome.state === 'submitting') this.#findOutcome(driver, messageId)
        // If the agent has stopped waiting, the call continues, and the next start looks up the outcome.
        else if (!abandon.aborted) this.#recordAndFollow(driver, messageId, outcome)
        this.#onIdle?.()
        onFree()
      })
      .catch(this.#ports.fault)
  }

  /** After a stop or a crash, continues with messages that were sent or may have been sent. */
  resume(driver: Driver): void {
    for (const { messageId, state, done } of [...this.#ports.journal.messages.values()]) {
      if (!done && (state === 'submitted' || state === 'sent')) this.#follow(driver, messageId, state)
      if (state === 'submitting') this.#findOutcome(driver, messageId)
    }
  }

  whenIdle(then: () => void): void {
    if (this.#busy) this.#onIdle = then
    else then()
  }

  /**
   * Writes the outcome of a message to the journal, then reports it. `expectsMore`: a later state may follow.
   */
  record(messageId: string, outcome: Outcome, expectsMore = false): void {
    const { journal, reporter, clock, log } = this.#ports
    const current = journal.messages.get(messageId)
    if (current === undefined) return
    const { state, code = null, detail = null } = outcome
    const at = wallTime(clock)
    const entry = journal.change(messageId, {
      state,
      code,
      detail,
      at,
      mark: current.mark,
      done: !expectsMore,
    })
    const why = [code, detail].filter(word => word !== null).join(': ')
    log(`${messageId}: ${state}${why === '' ? '' : ` (${why})`}`)
    reporter.flush()
    reporter.settle(entry)
  }

  #recordAndFollow(driver: Driver, messageId: string, outcome: Outcome): void {
    this.#ports.health.noteOutcome(outcome)
    const follows = driver.follow !== undefined && (outcome.state === 'submitted' || outcome.state === 'sent')
    this.record(messageId, outcome, follows)
    if (follows) this.#follow(driver, messageId, outcome.state)
  }

  #follow(driver: Driver, messageId: string, state: Outcome['state']): void {
    const { journal, stop, log, fault } = this.#ports
    const entry = journal.messages.get(messageId)
    if (entry === undefined) return
    Promise.resolve(driver.follow?.(entry, state, stop) ?? null)
      .catch((error: unknown) => {
        log(`${messageId}: its outcome cannot be followed: ${reasonOf(error)}`)
        return null
      })
      .then(outcome => {
        if (outcome !== null) this.#recordAndFollow(driver, messageId, outcome)
        else if (!stop.aborted) this.#markDone(messageId)
      })
      .catch(fault)
  }

  /**
   * Asks the driver until it knows the outcome. `not-sent` is reported as a failure, because the device
   * protocol has no other way to say during a session that sending did not start. The code is `EXPIRED`: the
   * one driver that comes here (SMSGate) answers `not-sent` only when the time to live is over, or, for a
   * one-time code, when too little of it is left.
   */
  #findOutcome(driver: Driver, messageId: string): void {
    const { clock, stop, fault } = this.#ports
    const ask = async () => {
      for (;;) {
        await pause(clock, AGENT_OUTCOME_CHECK_MS, stop)
        const entry = this.#ports.journal.messages.get(messageId)
        if (stop.aborted || entry === undefined) return
        const found = (await driver.lookUp?.(entry, stop)) ?? 'unknown'
        if (stop.aborted) return
        if (found === 'later') continue
        if (found === 'not-sent') this.record(messageId, { state: 'failed', code: 'EXPIRED' })
        else if (found === 'unknown') this.record(messageId, { state: 'uncertain', code: 'PHONE_AWAY' })
        else this.#recordAndFollow(driver, messageId, found)
        return
      }
    }
    ask().catch(fault)
  }

  #markDone(messageId: string): void {
    const { journal, reporter } = this.#ports
    const current = journal.messages.get(messageId)
    if (current === undefined || current.done) return
    const { state, code, detail, at, mark } = current
    reporter.settle(journal.change(messageId, { state, code, detail, at, mark, done: true }))
  }
}

/** A driver that throws may have sent the message before it threw. */
async function outcomeOf(send: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await send()
  } catch (error) {
    return { state: 'uncertain', code: 'DRIVER_FAULT', detail: reasonOf(error).slice(0, 500) }
  }
}
