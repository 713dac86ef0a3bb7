import type { AccountFacts } from '#domain/health/facts.ts'
import type { IncidentHead } from '#domain/incident/incident.ts'
import type { Policy } from '#domain/on-call/on-call-store.ts'
import { resolveTarget } from '#domain/on-call/resolve-target.ts'
import { HOUR_MS } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** Incidents that are listed one by one. With more, somebody looks at the list of incidents anyway. */
const LISTED_MAX = 20

type OnCallFacts = AccountFacts['onCall']

/** What the rules about incidents and policies need to know of an account. */
export function onCallFacts(world: World, accountId: string): OnCallFacts {
  const { onCall, webhooks, incidents, fleet, now, settings, recentUses } = world
  const policies = onCall.policy.list(accountId)
  const hooks = policies.length === 0 ? [] : webhooks.list(accountId)
  const used = policies.filter(({ id }) => hooks.some(one => one.enabled && one.policyId === id))
  const phones = [...fleet.phonesOf(accountId)]
  const nameOf = ({ webhookId, policyId }: IncidentHead) =>
    hooks.find(({ id }) => id === webhookId)?.name ??
    policies.find(({ id }) => id === policyId)?.name ??
    'Roost'
  const waiting = incidents.live(accountId).flatMap(incident => {
    const { id, number, state } = incident
    const isOver = state === 'unanswered'
    const since = isOver ? incident.roundAt : (incident.boundAt ?? null)
    return since === null || state === 'taken' ? [] : [{ id, number, since, isOver, name: nameOf(incident) }]
  })
  return {
    waiting: waiting.slice(-LISTED_MAX),
    overCap: Array.from(recentUses.subjects(accountId, 'hour-over', now.wallMs), ([id, until]) => {
      return { id, name: onCall.person.find(accountId, id)?.name ?? id, since: until - HOUR_MS }
    }),
    isDayOver: recentUses.subjects(accountId, 'day-over', now.wallMs).size > 0,
    policies: used.map(policy => ({
      id: policy.id,
      name: policy.name,
      rings: policy.steps.some(({ ring }) => ring),
      emptySteps: emptySteps(world, policy),
    })),
    canHearAnswers: phones.some(phone => phone.receives),
    canRing: phones.some(
      phone =>
        phone.device.calls === true &&
        !phone.device.paused &&
        phone.isConnected(now.monoMs, settings.offlineAfterMs),
    ),
  }
}

/** The numbers of the steps that reach nobody now. */
function emptySteps({ onCall, now, settings }: World, { accountId, steps }: Policy): readonly number[] {
  const facts = {
    steps,
    person: (id: string) => onCall.person.find(accountId, id),
    rota: (id: string) => onCall.rota.find(accountId, id),
    group: (id: string) => onCall.group.find(accountId, id),
    atMs: now.wallMs,
    machineZone: settings.timeZone(),
  }
  return steps.flatMap(({ tell }, index) =>
    tell.every(target => resolveTarget(target, facts).length === 0) ? [index + 1] : [],
  )
}
