import { ENGLISH } from '#contracts/words.ts'
import type { IncidentFacts, IncidentInput } from '#domain/incident/incident-events.ts'
import { hourAllows } from '#domain/sending/text-bounds.ts'
import { severityRank } from '#domain/webhook/severity-rank.ts'
import type { Random } from '#test/kit/random.ts'

const HOUR_MS = 3_600_000
const TEXTS_PER_HOUR_MAX = 30
const RINGS_PER_HOUR_MAX = 10

interface Heard {
  readonly personId: string
  readonly at: number
}

interface HeardText extends Heard {
  readonly isUrgent: boolean
  readonly sourceId: string
}

/** The people of a trial, one rota, and a policy about them. */
export class IncidentPeople {
  readonly ids: readonly string[]
  readonly plan: IncidentInput['plan']
  readonly #random: Random
  readonly #hasRecipients: boolean
  readonly #quiet = new Map<string, { readonly until: number; readonly below: number }>()
  readonly #texts: HeardText[] = []
  readonly #rings: Heard[] = []
  #onCall = 0
  #gone: string | null = null

  /** `hasRecipients`: some of them are recipients of the webhook, too. */
  constructor(random: Random, hasRecipients = false) {
    this.#random = random
    this.#hasRecipients = hasRecipients
    this.ids = ['per_a', 'per_b', 'per_c', 'per_d'].slice(0, 1 + random.below(4))
    let afterMinutes = 0
    const steps = Array.from({ length: 1 + random.below(4) }, (_, index) => {
      afterMinutes += index === 0 ? 0 : 1 + random.below(30)
      const tell = Array.from({ length: 1 + random.below(2) }, () =>
        random.pick([this.draw(), this.draw(), 'rot_a', 'everyone']),
      )
      return { afterMinutes, tell, ring: random.chance(0.4) }
    })
    this.plan = { steps, rounds: 1 + random.below(5), takenForMinutes: random.pick([15, 240, 10_080]) }
  }

  /** Those who are recipients of the webhook at this alert. */
  recipients(): readonly string[] {
    return this.#hasRecipients ? this.ids.filter(() => this.#random.chance(0.3)) : []
  }

  draw(): string {
    return this.ids[this.#random.below(this.ids.length)] ?? 'per_a'
  }

  /** Another person is on call. */
  turn(): void {
    this.#onCall = this.#random.below(this.ids.length)
  }

  /** A person is removed, or comes back. */
  change(): void {
    this.#gone = this.#random.pick([null, this.draw()])
  }

  /** Somebody's quiet hours begin. */
  sleep(wallMs: number): void {
    const until = wallMs + this.#random.below(8 * HOUR_MS)
    this.#quiet.set(this.draw(), { until, below: this.#random.pick([1, 2]) })
  }

  /** Returns how many texts the person got within the hour. */
  noteText(personId: string, monoMs: number, isUrgent: boolean): number {
    this.#texts.push({ personId, at: monoMs, isUrgent, sourceId: 'whk' })
    return inHour(this.#texts, personId, monoMs).length
  }

  noteRing(personId: string, monoMs: number): void {
    this.#rings.push({ personId, at: monoMs })
  }

  facts(now: { wallMs: number; monoMs: number; canSendNow: boolean }): IncidentFacts {
    const { wallMs, monoMs, canSendNow } = now
    return {
      wallMs,
      canSendNow,
      canHearAnswers: true,
      language: ENGLISH,
      resolve: target => this.#resolve(target),
      nameOf: id => id.slice(-1).toUpperCase(),
      quietUntil: (id, severity) => {
        const quiet = this.#quiet.get(id)
        const isMild = quiet !== undefined && severity !== null && severityRank(severity) < quiet.below
        return isMild && wallMs < quiet.until ? quiet.until : null
      },
      canTell: (id, { isEnd, ...telling }) => {
        if (isEnd) return 'yes'
        const told = inHour(this.#texts, id, monoMs)
        return hourAllows({ ...telling, sourceId: 'whk' }, told, told.length > TEXTS_PER_HOUR_MAX)
      },
      isWaiting: () => false,
      canRing: id => (inHour(this.#rings, id, monoMs).length < RINGS_PER_HOUR_MAX ? 'yes' : 'bound'),
    }
  }

  #resolve(target: string): readonly string[] {
    if (target === 'rot_a') return this.#present(this.ids.slice(this.#onCall, this.#onCall + 1))
    if (target !== 'everyone') return this.#present([target])
    const named = this.plan.steps.flatMap(step => step.tell).filter(one => one !== 'everyone')
    return [...new Set(named.flatMap(one => this.#resolve(one)))]
  }

  #present(ids: readonly string[]): readonly string[] {
    return ids.filter(one => one !== this.#gone)
  }
}

function inHour<One extends Heard>(list: readonly One[], personId: string, monoMs: number): readonly One[] {
  return list.filter(one => one.personId === personId && one.at > monoMs - HOUR_MS)
}
