/**
 * The writer's memory of deliveries: those that the sender holds, when to check a lane, and which lanes
 * succeeded last. A lane that failed gets few deliveries at a time, so that targets that hang do not use all
 * of the sender's capacity. The rows are authoritative. After a restart the sender holds nothing; after a
 * failed transaction it still knows what it holds.
 */
import {
  NOTIFICATION_CLOCK_SET_MS_MIN,
  NOTIFICATION_LANES_REMEMBERED_MAX,
  NOTIFICATIONS_IN_HAND_UNPROVEN,
  NOTIFICATIONS_IN_HAND_WELL,
} from '#contracts/notification-bounds.ts'
import { LaneAgenda } from '#domain/notification/lane-agenda.ts'
import type { Now } from '#domain/time.ts'

export class Outbox {
  readonly agenda = new LaneAgenda()
  readonly #held = new Map<string, string>()
  readonly #heldByLane = new Map<string, number>()
  readonly #well = new Set<string>()
  /** Wall clock minus monotonic clock at the last check; null before the first. */
  #wallMinusMonoMs: number | null = null

  holds(id: string): boolean {
    return this.#held.has(id)
  }

  heldOf(lane: string): number {
    return this.#heldByLane.get(lane) ?? 0
  }

  /** How many more of this lane the sender may hold. */
  roomOf(lane: string): number {
    const most = this.#well.has(lane) ? NOTIFICATIONS_IN_HAND_WELL : NOTIFICATIONS_IN_HAND_UNPROVEN
    return Math.max(0, most - this.heldOf(lane))
  }

  hold(id: string, lane: string): void {
    this.#held.set(id, lane)
    this.#heldByLane.set(lane, this.heldOf(lane) + 1)
  }

  release(id: string): void {
    const lane = this.#held.get(id)
    if (lane === undefined) return
    this.#held.delete(id)
    this.agenda.ready(lane)
    const left = this.heldOf(lane) - 1
    if (left > 0) this.#heldByLane.set(lane, left)
    else this.#heldByLane.delete(lane)
  }

  /** Remembers how the lane's last attempt went. */
  judge(lane: string, well: boolean): void {
    this.#well.delete(lane)
    if (!well) return
    this.#well.add(lane)
    if (this.#well.size <= NOTIFICATION_LANES_REMEMBERED_MAX) return
    for (const oldest of this.#well) return void this.#well.delete(oldest)
  }

  /**
   * By how many whole milliseconds the wall clock was set forward since the last call; 0: it was not, or this
   * is the first call.
   */
  setForwardMs({ wallMs, monoMs }: Now): number {
    const before = this.#wallMinusMonoMs
    this.#wallMinusMonoMs = wallMs - monoMs
    const setMs = before === null ? 0 : Math.round(this.#wallMinusMonoMs - before)
    return setMs < NOTIFICATION_CLOCK_SET_MS_MIN ? 0 : setMs
  }

  /** The transaction failed: nothing was handed over. */
  discard(): void {
    this.#wallMinusMonoMs = null
    this.#held.clear()
    this.#heldByLane.clear()
    this.agenda.forget()
  }
}
