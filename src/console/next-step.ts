/** Who is told next of an alert that waits. */
import type { IncidentResource } from '#contracts/incident.ts'
import type { PolicyResource } from '#contracts/on-call.ts'

export interface NextStep {
  /** Wall-clock milliseconds. */
  readonly at: number
  readonly tell: readonly string[]
  readonly ring: boolean
}

type Waiting = Pick<IncidentResource, 'state' | 'openedAt' | 'policyId' | 'timeline'>
type Policy = Pick<PolicyResource, 'id' | 'steps'>

/**
 * The next step of the policy, as far as it is certain: in the first round, before anybody has taken the
 * alert or passed it on. Null: it is not.
 */
export function nextStepOf(incident: Waiting, policies: readonly Policy[], now: number): NextStep | null {
  const { state, openedAt, policyId, timeline } = incident
  const isPlain = timeline.every(({ event }) => !['taken', 'passed', 'reopened', 'bound'].includes(event))
  if (state !== 'open' || !isPlain) return null
  const steps = policies.find(({ id }) => id === policyId)?.steps ?? []
  for (const { afterMinutes, tell, ring } of steps) {
    const at = Date.parse(openedAt) + afterMinutes * 60_000
    if (at > now) return { at, tell, ring }
  }
  return null
}
