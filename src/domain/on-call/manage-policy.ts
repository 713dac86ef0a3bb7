import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { PolicyFields, PolicyResource } from '#contracts/on-call.ts'
import type { Issue } from '#contracts/problem.ts'
import { existingAccount } from '#domain/account/plan-of.ts'
import { checkDevice } from '#domain/device/check-device.ts'
import { describePolicy } from '#domain/on-call/describe-on-call.ts'
import type { OnCallRows } from '#domain/on-call/on-call-store.ts'
import { checkBound, invalid, notFound } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/**
 * @throws Problem INVALID_REQUEST (unknown targets), CONFLICT (too many), UNAUTHORIZED (the account was
 * removed)
 */
export function createPolicy(
  world: World,
  { accountId, fields }: CommandInput<'policy.create'>,
): PolicyResource {
  const { onCall, source, now, tx } = world
  existingAccount(world, accountId)
  checkBound(ACCOUNT_BOUNDS.policies, onCall.policies(accountId).length)
  checkSteps(world, accountId, fields.steps)
  checkDevice(world, accountId, fields.deviceId ?? null)
  const policy = { ...fields, id: source.id('pol_', now.wallMs), accountId, createdAt: now.wallMs }
  onCall.savePolicy(tx, policy)
  return describePolicy(policy)
}

/**
 * Changes the given fields and keeps the rest.
 *
 * @throws Problem NOT_FOUND; INVALID_REQUEST (unknown targets)
 */
export function updatePolicy(world: World, input: CommandInput<'policy.update'>): PolicyResource {
  const { onCall, tx } = world
  const known = onCall.policy(input.accountId, input.id)
  if (known === undefined) throw notFound('policy')
  const { steps, deviceId } = input.change
  if (deviceId !== undefined) checkDevice(world, input.accountId, deviceId)
  if (steps !== undefined) checkSteps(world, input.accountId, steps)
  const policy = { ...known, ...input.change }
  onCall.savePolicy(tx, policy)
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

function checkSteps({ onCall }: World, accountId: string, steps: PolicyFields['steps']): void {
  const issues = findStepIssues(onCall, accountId, steps)
  if (issues.length > 0) throw invalid(issues)
}

/** Why nobody can be told by this target; null: somebody can. */
function faultOf(onCall: OnCallRows, accountId: string, target: string): string | null {
  if (target === 'everyone') return null
  if (target.startsWith('per_'))
    return onCall.person(accountId, target) === undefined
      ? 'must be the id of a person, from the list of people'
      : null
  if (target.startsWith('grp_'))
    return onCall.group(accountId, target) === undefined
      ? 'must be the id of a group of people, from the list of groups'
      : null
  const [id = '', next] = target.split('+')
  const rota = onCall.rota(accountId, id)
  if (rota === undefined) return 'must be the id of a rota, from the list of rotas'
  if (next === undefined || rota.people.length > 1) return null
  return `must not end with +1: ${rota.name} has one person, so nobody is next`
}
