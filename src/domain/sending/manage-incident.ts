import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { CommandInput } from '#contracts/commands.ts'
import type { IncidentReference, IncidentResource } from '#contracts/incident.ts'
import { describeIncident } from '#domain/incident/describe-incident.ts'
import type { Incident, IncidentHead } from '#domain/incident/incident.ts'
import type { IncidentEvent } from '#domain/incident/incident-events.ts'
import { noteUse } from '#domain/on-call/recent-use.ts'
import { checkBound, invalid, notFound, Problem } from '#domain/problem.ts'
import { beginIncident, changeIncident } from '#domain/sending/change-incident.ts'
import { makeRoom } from '#domain/sending/raise-incident.ts'
import type { World } from '#domain/world.ts'

/**
 * Takes, passes on or closes an incident for its owner. `personId`: who takes it; null: the owner.
 *
 * @throws Problem NOT_FOUND, INVALID_REQUEST (personId), CONFLICT (it is closed, or nobody waits for a step)
 */
export function obeyOwner(
  world: World,
  verb: Extract<IncidentEvent, { type: 'owner' }>['verb'],
  { personId = null, minutes = null, ...which }: OwnersWish,
): IncidentResource {
  const incident = findIncident(world, which)
  if (incident.state === 'closed') throw new Problem('CONFLICT', 'this incident is closed')
  if (verb === 'next' && incident.state === 'unanswered')
    throw new Problem('CONFLICT', 'all steps of this incident are over: take it or close it')
  if (personId !== null && world.onCall.person.find(which.accountId, personId) === undefined)
    throw invalid([{ path: 'personId', message: 'must be the id of a person (per_…)' }])
  return describeIncident(changeIncident(world, incident, { type: 'owner', verb, personId, minutes }))
}

interface OwnersWish extends IncidentReference {
  readonly personId?: string | null
  readonly minutes?: number | null
}

/**
 * Opens an incident that walks all steps of a policy within a few minutes.
 *
 * @throws Problem NOT_FOUND, CONFLICT (a rehearsal runs, or too many incidents are not closed),
 * NO_DEVICE_AVAILABLE (the account has no phone)
 */
export function rehearsePolicy(
  world: World,
  { accountId, policyId }: { readonly accountId: string; readonly policyId: string },
): IncidentResource {
  const policy = world.onCall.policy.find(accountId, policyId)
  if (policy === undefined) throw notFound('policy')
  const isRunning = ({ isRehearsal, state, policyId: id }: IncidentHead) =>
    isRehearsal && state === 'open' && id === policyId
  if (world.incidents.live(accountId).some(isRunning))
    throw new Problem('CONFLICT', 'a rehearsal of this policy runs: close it first')
  checkBound(ACCOUNT_BOUNDS.openIncidents, world.incidents.countLive(accountId))
  checkPhones(world, accountId)
  const subject = { accountId, kind: 'rehearsed', subjectId: accountId } as const
  checkBound(ACCOUNT_BOUNDS.rehearsals, world.recentUses.list(subject, world.now.wallMs).length)
  noteUse(world, { ...subject, sourceId: policyId, isUrgent: false })
  const text = `${policy.name}: rehearsal`
  const input = { webhookId: null, text, key: null, severity: null, isRehearsal: true }
  return describeIncident(beginIncident(world, policy, input))
}

/**
 * Opens an incident with a text of the owner's.
 *
 * @throws Problem NOT_FOUND, NO_DEVICE_AVAILABLE (the account has no phone)
 */
export function alertPolicy(
  world: World,
  { accountId, policyId, text }: CommandInput<'policy.alert'>,
): IncidentResource {
  const policy = world.onCall.policy.find(accountId, policyId)
  if (policy === undefined) throw notFound('policy')
  checkPhones(world, accountId)
  makeRoom(world, accountId)
  const input = { webhookId: null, text, key: null, severity: null, isRehearsal: false }
  return describeIncident(beginIncident(world, policy, input))
}

function checkPhones({ fleet }: World, accountId: string): void {
  if (fleet.phoneCount(accountId) > 0) return
  const why = 'no phone is paired, so none can send texts: pair one'
  throw new Problem('NO_DEVICE_AVAILABLE', why, { retryAfterS: 30 })
}

function findIncident({ incidents }: World, { accountId, incidentId }: IncidentReference): Incident {
  const incident = incidents.find(accountId, incidentId)
  if (incident === undefined) throw notFound('incident')
  return incident
}
