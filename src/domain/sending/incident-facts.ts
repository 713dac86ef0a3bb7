import type { Incident } from '#domain/incident/incident.ts'
import type { IncidentFacts } from '#domain/incident/incident-events.ts'
import { quietUntil } from '#domain/on-call/quiet-until.ts'
import { resolveTarget } from '#domain/on-call/resolve-target.ts'
import type { World } from '#domain/world.ts'

/** Texts about incidents that a person gets in an hour, and one more that says so. */
const PERSON_TEXTS_PER_HOUR_MAX = 30
const PERSON_RINGS_PER_HOUR_MAX = 10

/** What the model of an incident must know of the world now. */
export function incidentFacts(
  world: World,
  { accountId, plan }: Pick<Incident, 'accountId' | 'plan'>,
): IncidentFacts {
  const { onCall, fleet, settings } = world
  const { wallMs, monoMs } = world.now
  const phones = [...fleet.phonesOf(accountId)]
  const person = (id: string) => onCall.person(accountId, id)
  const rota = (id: string) => onCall.rota(accountId, id)
  const group = (id: string) => onCall.group(accountId, id)
  const machineZone = settings.timeZone()
  const inHour = (subjectId: string, kind: 'told' | 'rang') =>
    world.recentUses.list({ accountId, kind, subjectId }, wallMs).length
  return {
    wallMs,
    canSendNow:
      fleet.messages.size < settings.messagesOpenMax &&
      phones.some(phone => phone.canSendSoon(monoMs, settings.offlineAfterMs)),
    canHearAnswers: phones.some(phone => phone.receives),
    language: settings.language,
    resolve: target =>
      resolveTarget(target, { steps: plan.steps, person, rota, group, atMs: wallMs, machineZone }),
    nameOf: personId => person(personId)?.name ?? null,
    quietUntil(personId, severity) {
      const found = person(personId)
      return found === undefined ? null : quietUntil(found, { severity, atMs: wallMs, machineZone })
    },
    canTell(personId) {
      const left = PERSON_TEXTS_PER_HOUR_MAX - inHour(personId, 'told')
      return left > 0 ? 'yes' : left === 0 ? 'last' : 'no'
    },
    canRing: personId =>
      phones.some(phone => phone.canRing) && inHour(personId, 'rang') < PERSON_RINGS_PER_HOUR_MAX,
  }
}
