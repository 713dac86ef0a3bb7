import type { Incident } from '#domain/incident/incident.ts'
import type { IncidentEffect, IncidentEvent } from '#domain/incident/incident-events.ts'

const WINDOW_MS = 60_000

/** Follows what is told of things that join one incident: once, the first at once, the others each minute. */
export class AlsoWatch {
  readonly #fail: (text: string) => never
  #lastAt: number | null = null
  #waiting = 0

  constructor(fail: (text: string) => never) {
    this.#fail = fail
  }

  /** `isNew`: the event names a thing that no alert has named. Returns whether it must be told at once. */
  stepped(event: IncidentEvent, effects: readonly IncidentEffect[], monoMs: number, isNew: boolean): boolean {
    if (event.type === 'storm-told') return false
    const isFirst =
      this.#waiting === 0 && (this.#lastAt === null || monoMs - this.#lastAt >= WINDOW_MS) && isNew
    if (isNew) this.#waiting += 1
    if (isFirst) this.#lastAt = monoMs
    if (!effects.some(one => one.type === 'tell' && one.isAlso)) return isFirst
    if (this.#waiting === 0) this.#fail('tells of nothing that joined')
    if (!isFirst && monoMs - (this.#lastAt ?? 0) < WINDOW_MS) this.#fail('tells twice a minute of what joins')
    this.#waiting = 0
    this.#lastAt = monoMs
    return isFirst
  }
}

/** Whether an alert names a thing of which the incident does not know. */
export function isOther({ things }: Incident, key: string | null): boolean {
  return key === null || !things.some(one => one.key === key)
}
