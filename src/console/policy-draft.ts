/** Converts a policy between the fields of its form and the calls that save it. */

import { t } from '#console/language.ts'
import { chosenTarget, targetFields } from '#console/phone-target.ts'
import type { PolicyResource } from '#contracts/on-call.ts'

export interface StepDraft {
  readonly afterMinutes: string
  readonly tell: readonly string[]
  readonly ring: boolean
  readonly ringHours?: PolicyResource['steps'][number]['ringHours']
}

export interface PolicyDraft {
  readonly name: string
  readonly steps: readonly StepDraft[]
  readonly rounds: string
  readonly takenForMinutes: string
  /** A phone or a group of phones; empty: any phone. */
  readonly deviceId: string
}

/** What a new step waits after the one before, minutes. */
const STEP_MINUTES = 5

export function draftOfPolicy(policy: PolicyResource | null): PolicyDraft {
  return {
    name: policy?.name ?? t('Alerts'),
    steps: policy?.steps.map(step => ({ ...step, afterMinutes: String(step.afterMinutes) })) ?? [
      { afterMinutes: '0', tell: [], ring: false },
    ],
    rounds: String(policy?.rounds ?? 2),
    takenForMinutes: String(policy?.takenForMinutes ?? 240),
    deviceId: chosenTarget(policy),
  }
}

export function withNewStep({ steps }: PolicyDraft): readonly StepDraft[] {
  const last = Number(steps.at(-1)?.afterMinutes ?? 0)
  return [...steps, { afterMinutes: String(last + STEP_MINUTES), tell: [], ring: false }]
}

/** The steps of the form, as the policy would have them. */
export function stepsOfDraft({ steps }: Pick<PolicyDraft, 'steps'>): PolicyResource['steps'] {
  return steps.map(step => ({ ...step, tell: [...step.tell], afterMinutes: Number(step.afterMinutes) }))
}

/** The body of `POST` and `PATCH /policies`. */
export function requestOfPolicy({ name, steps, rounds, takenForMinutes, deviceId }: PolicyDraft): object {
  return {
    name,
    steps: stepsOfDraft({ steps }),
    rounds: Number(rounds),
    takenForMinutes: Number(takenForMinutes),
    ...targetFields(deviceId),
  }
}
