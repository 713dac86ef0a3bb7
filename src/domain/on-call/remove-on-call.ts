import type { CommandInput } from '#contracts/commands.ts'
import type { OwnedReference } from '#contracts/owned.ts'
import { printableLine } from '#contracts/printable.ts'
import { existing, Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/**
 * Removes a person, a rota, a policy or a group that nothing uses.
 *
 * @throws Problem NOT_FOUND; CONFLICT: rotas, groups, policies, webhooks or forwards name it; the message
 * lists them
 */
export function removeOnCall(world: World, which: CommandInput<'on-call.remove'>): { readonly id: string } {
  const { onCall, tx } = world
  const { id, kind } = which
  const known = existing<{ readonly name: string }>(onCall[kind], which, kind)
  const users = usersOf(world, which)
  if (users.length > 0)
    throw new Problem(
      'CONFLICT',
      printableLine(`${known.name} is named by ${users.join(', ')}: change that first`),
    )
  onCall[kind].remove(tx, which)
  return { id }
}

/** What names it. Overrides that are over do not count. */
function usersOf({ onCall, webhooks, forwards, now }: World, { accountId, id }: OwnedReference): string[] {
  const rotas = onCall.rota
    .list(accountId)
    .filter(
      ({ people, overrides }) =>
        people.includes(id) || overrides.some(one => one.personId === id && one.until > now.wallMs),
    )
  const groups = onCall.group.list(accountId).filter(({ people }) => people.includes(id))
  const policies = onCall.policy
    .list(accountId)
    .filter(({ steps }) => steps.some(({ tell }) => tell.includes(id) || tell.includes(`${id}+1`)))
  const passing = forwards.list(accountId).filter(({ kind, target }) => kind === 'sms' && target === id)
  const callers = webhooks
    .list(accountId)
    .filter(({ policyId, people }) => policyId === id || people.includes(id))
  return [
    ...rotas.map(({ name }) => `the rota ${name}`),
    ...groups.map(({ name }) => `the group ${name}`),
    ...policies.map(({ name }) => `the policy ${name}`),
    ...callers.map(({ name }) => `the webhook ${name}`),
    ...passing.map(({ name }) => `the forward ${name}`),
  ]
}
