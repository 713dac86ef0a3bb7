import { type Incident, isUrgent } from '#domain/incident/incident.ts'
import type {
  IncidentEffect,
  IncidentEvent,
  IncidentFacts,
  IncidentOutcome,
} from '#domain/incident/incident-events.ts'

const WINDOW_MS = 60_000
const AGAIN_MS = 10 * WINDOW_MS
/** The model forgets a text that failed once so many came after it. */
const TEXTS_KEPT = 40

interface Now {
  readonly facts: IncidentFacts
  readonly monoMs: number
}

/** Follows what is told of things that join one incident: once, the first at once, the others each minute. */
export class AlsoWatch {
  readonly #fail: (text: string) => never
  #lastAt: number | null = null
  #waiting = 0
  #texts = 0
  /** Whom a text missed, because it failed. */
  readonly #missed = new Map<string, { at: number; texts: number; isSure: boolean }>()

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
    const also = effects.flatMap(one => (one.type === 'tell' && one.isAlso ? one.personId : []))
    this.#texts += also.length
    if (also.length === 0) return isFirst
    const isAgain = (id: string) => monoMs - (this.#missed.get(id)?.at ?? monoMs) >= AGAIN_MS
    if (event.type === 'due' && also.every(isAgain)) {
      for (const id of also) this.#missed.delete(id)
      return false
    }
    if (this.#waiting === 0) this.#fail('tells of nothing that joined')
    if (!isFirst && monoMs - (this.#lastAt ?? 0) < WINDOW_MS) this.#fail('tells twice a minute of what joins')
    this.#waiting = 0
    this.#lastAt = monoMs
    return isFirst
  }

  /** Fails if a person whom a text missed does not get it again. Call it before `stepped`. */
  followMissed(before: Incident, event: IncidentEvent, { incident, effects }: IncidentOutcome, now: Now) {
    const { facts, monoMs } = now
    const failed = event.type === 'text-failed' ? event.messageId : null
    const text = before.timeline.find(one => one.messageId === failed && one.detail === 'Also')
    if (text?.personId != null)
      this.#missed.set(text.personId, { at: monoMs, texts: this.#texts, isSure: true })
    if (incident.state === 'closed') this.#missed.clear()
    const isDue = event.type === 'due' && facts.canSendNow && (before.dueAt ?? Infinity) <= facts.wallMs
    for (const [id, { at, texts, ...missed }] of this.#missed) {
      // The text that ends it names what is over.
      const isSure = missed.isSure && event.type !== 'over'
      if (isSure !== missed.isSure) this.#missed.set(id, { at, texts, isSure })
      const until = facts.quietUntil(id, incident.severity)
      const sinceMs = monoMs - at
      const isTold = effects.some(one => one.type === 'tell' && one.personId === id)
      const mayHear = facts.canTell(id, { isEnd: false, isFirst: false, isUrgent: isUrgent(incident) })
      if (this.#texts - texts > TEXTS_KEPT) this.#missed.delete(id)
      if (!isDue || sinceMs < AGAIN_MS || ![before, incident].every(isHeardBy(id))) continue
      const againMs = until === null ? 0 : until - facts.wallMs
      if (againMs > 0 || isTold || mayHear !== 'yes')
        this.#missed.set(id, { at: monoMs + againMs - AGAIN_MS, texts, isSure })
      else if (isSure && sinceMs >= AGAIN_MS + WINDOW_MS)
        this.#fail(`${id}, whom a text missed, does not get it again`)
    }
  }
}

/** Whether a person hears of what joins. */
function isHeardBy(id: string): (incident: Incident) => boolean {
  return ({ state, takenBy, told }) =>
    state === 'taken' && takenBy !== 'owner' ? takenBy === id : told.includes(id)
}

/** Whether an alert names a thing of which the incident does not know. */
export function isOther({ things }: Incident, key: string | null): boolean {
  return key === null || !things.some(one => one.key === key)
}
