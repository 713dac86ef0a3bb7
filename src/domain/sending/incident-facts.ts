import type { Incident } from '#domain/incident/incident.ts'
import type { IncidentFacts } from '#domain/incident/incident-events.ts'
import { quietUntil, spanUntil } from '#domain/on-call/quiet-until.ts'
import { resolveTarget } from '#domain/on-call/resolve-target.ts'
import { hasRoom } from '#domain/sending/send-text.ts'
import { textBounds } from '#domain/sending/text-bounds.ts'
import type { World } from '#domain/world.ts'

const PERSON_RINGS_PER_HOUR_MAX = 10

/** What the model of an incident must know of the world now. */
export function incidentFacts(
  world: World,
  incident: Pick<Incident, 'accountId' | 'plan' | 'isRehearsal' | 'webhookId' | 'policyId'>,
): IncidentFacts {
  const { accountId, plan } = incident
  const { onCall, fleet, settings } = world
  const { wallMs, monoMs } = world.now
  const phones = [...fleet.phonesOf(accountId)]
  const person = (id: string) => onCall.person.find(accountId, id)
  const rota = (id: string) => onCall.rota.find(accountId, id)
  const group = (id: string) => onCall.group.find(accountId, id)
  const machineZone = settings.timeZone()
  const mayText = textBounds(world, accountId)
  const sourceId = incident.isRehearsal ? null : (incident.webhookId ?? incident.policyId)
  const ringsInHour = (subjectId: string) =>
    world.recentUses.list({ accountId, kind: 'rang', subjectId }, wallMs).length
  return {
    wallMs,
    canSendNow:
      hasRoom(world, accountId) && phones.some(phone => phone.canSendSoon(monoMs, settings.offlineAfterMs)),
    canHearAnswers: phones.some(phone => phone.receives),
    language: settings.language,
    resolve: target =>
      resolveTarget(target, { steps: plan.steps, person, rota, group, atMs: wallMs, machineZone }),
    nameOf: personId => person(personId)?.name ?? null,
    quietUntil(personId, severity) {
      const found = person(personId)
      return found === undefined ? null : quietUntil(found, { severity, atMs: wallMs, machineZone })
    },
    canTell: (personId, { isEnd, ...telling }) =>
      mayText({ ...telling, personId, use: isEnd ? 'ended' : 'told', sourceId }),
    isWaiting(messageId) {
      const open = fleet.messages.get(messageId)
      return open !== undefined && open.stage !== 'sending'
    },
    canRing(personId, hours) {
      const zone = person(personId)?.timeZone ?? machineZone
      const isHour = hours === null || spanUntil(hours, wallMs, zone) !== null
      if (!isHour || !phones.some(phone => phone.canRing)) return 'no'
      return ringsInHour(personId) < PERSON_RINGS_PER_HOUR_MAX ? 'yes' : 'bound'
    },
  }
}
