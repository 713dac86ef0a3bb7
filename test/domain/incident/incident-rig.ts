import { ENGLISH } from '#contracts/words.ts'
import type { Incident } from '#domain/incident/incident.ts'
import type {
  IncidentEffect,
  IncidentEvent,
  IncidentFacts,
  IncidentInput,
} from '#domain/incident/incident-events.ts'
import { openIncident, stepIncident } from '#domain/incident/step-incident.ts'

/** 2026-01-05 12:00 UTC. */
const START_MS = Date.UTC(2026, 0, 5, 12)
const MINUTE_MS = 60_000

/** One incident with Ada, Bob and Carol. Effects are plain lines: `ada: NAS down`, `ring ada`. */
export class IncidentRig {
  incident: Incident
  facts: IncidentFacts = {
    wallMs: START_MS,
    canSendNow: true,
    canHearAnswers: true,
    language: ENGLISH,
    resolve: target => (target === 'everyone' ? ['ada', 'bob', 'carol'] : [target]),
    nameOf: id => id.charAt(0).toUpperCase() + id.slice(1),
    quietUntil: () => null,
    canTell: () => 'yes',
    isWaiting: () => false,
    canRing: () => 'yes',
  }
  readonly opening: readonly string[]

  /** `steps`: minute and people of each, `0 ada`; `!` behind a person rings. */
  constructor(
    steps: readonly string[],
    input: Partial<IncidentInput> = {},
    facts: Partial<IncidentFacts> = {},
  ) {
    this.facts = { ...this.facts, ...facts }
    const plan = {
      steps: steps.map(step => {
        const [minutes, ...tell] = step.replaceAll('!', '').split(' ')
        return { afterMinutes: Number(minutes), tell, ring: step.includes('!') }
      }),
      rounds: 2,
      takenForMinutes: 240,
    }
    const names = { id: 'inc_1', accountId: 'acc_1', webhookId: 'whk_1', policyId: 'pol_1' }
    const alert = {
      number: 2,
      text: 'NAS down',
      key: 'id:nas',
      severity: 'warning',
      isRehearsal: false,
    } as const
    const { incident, effects } = openIncident({ ...names, ...alert, plan, ...input }, this.facts)
    this.incident = incident
    this.opening = this.#keep(incident, effects)
  }

  /** Minutes pass; what is due is done at the end of them. */
  after(minutes: number): readonly string[] {
    this.facts = { ...this.facts, wallMs: this.facts.wallMs + minutes * MINUTE_MS }
    return this.step({ type: 'due' })
  }

  answer(personId: string, verb: 'take' | 'no' | 'done', minutes: number | null = null): readonly string[] {
    return this.step({ type: 'answered', personId, verb, minutes })
  }

  owner(verb: 'take' | 'next' | 'close', personId: string | null = null): readonly string[] {
    return this.step({ type: 'owner', verb, personId, minutes: null })
  }

  join(alert: Partial<Extract<IncidentEvent, { type: 'joined' }>> = {}): readonly string[] {
    const again = { key: 'id:nas', text: 'NAS down', severity: 'warning', isAloud: false } as const
    return this.step({ type: 'joined', ...again, ...alert })
  }

  over(key = 'id:nas'): readonly string[] {
    return this.step({ type: 'over', key, text: 'NAS up' })
  }

  /** What an event would do. */
  look(event: IncidentEvent) {
    return stepIncident(this.incident, event, this.facts)
  }

  step(event: IncidentEvent): readonly string[] {
    const { incident, effects } = this.look(event)
    return this.#keep(incident, effects)
  }

  /** What happened, in the words of the timeline. */
  happenings(): string {
    return this.incident.timeline.map(({ event, personId }) => `${event} ${personId ?? ''}`.trim()).join(', ')
  }

  #keep(incident: Incident, effects: readonly IncidentEffect[]): readonly string[] {
    this.incident = incident
    for (const effect of effects) {
      if (effect.type !== 'tell') continue
      const { personId, isStep } = effect
      const messageId = `${personId} ${this.incident.timeline.length}`
      const told = { type: 'told', personId, messageId, isStep } as const
      this.incident = stepIncident(this.incident, told, this.facts).incident
    }
    return effects.map(lineOf)
  }
}

function lineOf(effect: IncidentEffect): string {
  switch (effect.type) {
    case 'tell':
      return [
        `${effect.personId}: ${effect.text.replace('\nReply 2: I take it', ' [2]')}`,
        ...(effect.sendAt === null ? [] : ['later']),
      ].join(' ')
    case 'reply':
      return `${effect.isUseless ? 'useless ' : ''}reply ${effect.personId}: ${effect.text}`
    case 'ring':
      return `ring ${effect.personId}`
    case 'notify':
      return effect.event.replace('incident.', '')
    default:
      return effect.type
  }
}
