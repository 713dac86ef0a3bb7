/**
 * The writer's memory of deliveries: which ones the sender holds, when to check each lane, and in which
 * lanes the last attempt succeeded. A lane that failed gets few deliveries at a time, so that hanging
 * targets do not use all of the sender's capacity. The rows are the source of truth. After a failed
 * transaction this memory forgets which deliveries the sender holds. The sender may then get one of them
 * again, and ignores it.
 */

import { LaneAgenda } from '#domain/notification/lane-agenda.ts'
import type { Now } from '#domain/time.ts'

/**
 * How many of these may be of one account, however many targets it names: as many as half of the sender's
 * slots. So targets that hang delay the notifications of their own account alone.
 */
export const NOTIFICATIONS_HELD_OF_ACCOUNT = 32
/** How many of these may be for one target whose last delivery succeeded: enough to keep its slots busy. */
export const NOTIFICATIONS_HELD_PROVEN = 24
/** How many of these may be for any other target: even 200 unresponsive targets hold less than half. */
export const NOTIFICATIONS_HELD_UNPROVEN = 1
/** Targets remembered for a successful last delivery; a forgotten one counts as unproven again. */
const NOTIFICATION_LANES_REMEMBERED_MAX = 4096
/** A wall clock that gets this far ahead of the monotonic one was set by hand: NTP corrects it by less. */
const NOTIFICATION_CLOCK_SET_MS_MIN = 60_000

export class Outbox {
  readonly agenda = new LaneAgenda()
  /** The lane and the account of each delivery that the sender holds, by its id. */
  readonly #held = new Map<string, { readonly lane: string; readonly accountId: string }>()
  readonly #heldByLane = new Map<string, number>()
  /** By account, how many the sender holds, and the lanes that wait until it holds fewer. */
  readonly #accounts = new Map<string, { held: number; readonly waiting: Set<string> }>()
  /** Lanes whose last attempt succeeded, the least recently used first. */
  readonly #proven = new Set<string>()
  /** Wall clock minus monotonic clock at the last check; null before the first. */
  #wallMinusMonoMs: number | null = null

  holds(id: string): boolean {
    return this.#held.has(id)
  }

  /** How many deliveries of this lane the sender holds. */
  heldOf(lane: string): number {
    return this.#heldByLane.get(lane) ?? 0
  }

  /** How many more deliveries of this lane the sender may hold. */
  roomOf(lane: string): number {
    const most = this.#proven.has(lane) ? NOTIFICATIONS_HELD_PROVEN : NOTIFICATIONS_HELD_UNPROVEN
    return Math.max(0, most - this.heldOf(lane))
  }

  /** Notes that the sender gets the delivery. False: it holds enough of the account, so the lane waits. */
  hold(id: string, { lane, accountId }: { readonly lane: string; readonly accountId: string }): boolean {
    const account = this.#accounts.get(accountId) ?? { held: 0, waiting: new Set() }
    this.#accounts.set(accountId, account)
    if (account.held >= NOTIFICATIONS_HELD_OF_ACCOUNT) {
      account.waiting.add(lane)
      return false
    }
    account.held += 1
    account.waiting.delete(lane)
    this.#held.set(id, { lane, accountId })
    this.#heldByLane.set(lane, this.heldOf(lane) + 1)
    return true
  }

  /** The account has one place more. The first lane may have nothing left, so in the end all may try. */
  #letNext(accountId: string): void {
    const account = this.#accounts.get(accountId)
    if (account === undefined) return
    account.held -= 1
    for (const lane of [...account.waiting].slice(0, account.held === 0 ? undefined : 1)) {
      account.waiting.delete(lane)
      this.agenda.addReady(lane)
    }
    if (account.held === 0) this.#accounts.delete(accountId)
  }

  release(id: string): void {
    const held = this.#held.get(id)
    if (held === undefined) return
    const { lane, accountId } = held
    this.#held.delete(id)
    this.#letNext(accountId)
    this.agenda.addReady(lane)
    const left = this.heldOf(lane) - 1
    if (left > 0) this.#heldByLane.set(lane, left)
    else this.#heldByLane.delete(lane)
  }

  /** Remembers whether the lane's last attempt succeeded. */
  noteOutcome(lane: string, succeeded: boolean): void {
    this.#proven.delete(lane)
    if (!succeeded) return
    this.#proven.add(lane)
    const [oldest] = this.#proven
    if (this.#proven.size > NOTIFICATION_LANES_REMEMBERED_MAX && oldest !== undefined)
      this.#proven.delete(oldest)
  }

  /**
   * How many whole milliseconds the wall clock was set forward since the last call. 0: it was not, or this
   * is the first call.
   */
  setForwardMs({ wallMs, monoMs }: Now): number {
    const before = this.#wallMinusMonoMs
    this.#wallMinusMonoMs = wallMs - monoMs
    const setMs = before === null ? 0 : Math.round(this.#wallMinusMonoMs - before)
    return setMs < NOTIFICATION_CLOCK_SET_MS_MIN ? 0 : setMs
  }

  /**
   * Empties the memory after a failed transaction, because it may contain changes of that transaction. The
   * proven lanes stay: a wrong entry only changes how many deliveries of a lane the sender gets.
   */
  discard(): void {
    this.#wallMinusMonoMs = null
    this.#held.clear()
    this.#heldByLane.clear()
    this.#accounts.clear()
    this.agenda.forget()
  }
}
