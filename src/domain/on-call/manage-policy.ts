import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { PolicyFields, PolicyResource } from '#contracts/on-call.ts'
import type { Issue } from '#contracts/problem.ts'
import { newOwned } from '#domain/account/plan-of.ts'
import { checkDevice } from '#domain/device/check-device.ts'
import { describePolicy } from '#domain/on-call/describe-on-call.ts'
import type { OnCallRows, Policy } from '#domain/on-call/on-call-store.ts'
import { existing, invalid } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/** @throws Problem INVALID_REQUEST (unknown targets), NOT_FOUND (deviceId), and as `newOwned` */
export function createPolicy(world: World, input: CommandInput<'policy.create'>): PolicyResource {
  const held = world.onCall.policy.list(input.accountId).length
  const policy = newOwned(world, input, { kind: 'policy', bound: ACCOUNT_BOUNDS.policies, held })
  return save(world, policy, policy)
}

/**
 * Changes the given fields and keeps the rest.
 *
 * @throws Problem NOT_FOUND; INVALID_REQUEST (unknown targets)
 */
export function updatePolicy(world: World, input: CommandInput<'policy.update'>): PolicyResource {
  return save(world, { ...existing(world.onCall.policy, input, 'policy'), ...input.change }, input.change)
}

/** `change`: the fields that may have faults. */
function save(
  world: World,
  policy: Policy,
  { steps, deviceId = null }: Partial<PolicyFields>,
): PolicyResource {
  checkDevice(world, policy.accountId, deviceId)
  const issues = steps === undefined ? [] : findStepIssues(world.onCall, policy.accountId, steps)
  if (issues.length > 0) throw invalid(issues)
  world.onCall.policy.save(world.tx, policy)
  return describePolicy(policy)
}

/** The targets of steps that nobody can be told by. */
export function findStepIssues(onCall: OnCallRows, accountId: string, steps: PolicyFields['steps']): Issue[] {
  const issues = steps.flatMap(({ tell }, step) =>
    tell.flatMap((target, index): Issue[] => {
      const message = faultOf(onCall, accountId, target)
      return message === null ? [] : [{ path: `steps.${step}.tell.${index}`, message }]
    }),
  )
  if (steps.every(({ tell }) => tell.every(target => target === 'everyone')))
    issues.push({
      path: 'steps',
      message: 'must name a person, a group or a rota: everyone stands for those it names',
    })
  return issues
}

/** Why nobody can be told by this target; null: somebody can. */
function faultOf(onCall: OnCallRows, accountId: string, target: string): string | null {
  if (target === 'everyone') return null
  if (target.startsWith('per_'))
    return onCall.person.find(accountId, target) === undefined
      ? 'must be the id of a person, from the list of people'
      : null
  if (target.startsWith('grp_'))
    return onCall.group.find(accountId, target) === undefined
      ? 'must be the id of a group of people, from the list of groups'
      : null
  const [id = '', next] = target.split('+')
  const rota = onCall.rota.find(accountId, id)
  if (rota === undefined) return 'must be the id of a rota, from the list of rotas'
  if (next === undefined || rota.people.length > 1) return null
  return `must not end with +1: ${rota.name} has one person, so nobody is next`
}
