import type { Group, Person, PolicyStep, Rota } from '#domain/on-call/on-call-store.ts'
import { nextOnCall, onCallAt } from '#domain/on-call/turns.ts'

interface TargetFacts {
  /** All steps of the policy, for `everyone`. */
  readonly steps: readonly Pick<PolicyStep, 'tell'>[]
  readonly person: (id: string) => Person | undefined
  readonly rota: (id: string) => Rota | undefined
  readonly group: (id: string) => Group | undefined
  readonly atMs: number
  readonly machineZone: string
}

/**
 * The ids of the people whom a target of a policy means at this time, each once: `per_…`, `grp_…` (its
 * people), `rot_…` (who is on call), `rot_…+1` (who is next), or `everyone`: all people of the policy, also
 * those of its rotas and groups. Leaves out what no longer exists, so the list may be empty.
 */
export function resolveTarget(target: string, facts: TargetFacts): string[] {
  const ids = target === 'everyone' ? everyone(facts) : peopleOf(target, facts)
  return [...new Set(ids)].filter(id => id !== null && facts.person(id) !== undefined) as string[]
}

function everyone({ steps, ...facts }: TargetFacts): string[] {
  const targets = steps.flatMap(({ tell }) => tell).map(target => target.replace('+1', ''))
  return targets.flatMap(id => [...((id.startsWith('rot_') ? facts.rota : facts.group)(id)?.people ?? [id])])
}

function peopleOf(target: string, facts: TargetFacts): readonly (string | null)[] {
  if (target.startsWith('grp_')) return facts.group(target)?.people ?? []
  return [target.startsWith('rot_') ? onDuty(target, facts) : target]
}

function onDuty(target: string, { rota, atMs, machineZone }: TargetFacts): string | null {
  const found = rota(target.replace('+1', ''))
  if (found === undefined) return null
  if (target.endsWith('+1')) return nextOnCall(found, atMs, machineZone)
  return onCallAt(found, atMs, machineZone).personId
}
