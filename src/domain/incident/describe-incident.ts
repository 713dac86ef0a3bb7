import type { IncidentResource } from '#contracts/incident.ts'
import type { Incident } from '#domain/incident/incident.ts'
import { nextStepOf } from '#domain/incident/walk-steps.ts'
import { instant, instantOrNull } from '#domain/time.ts'

/** An incident as the API shows it. */
export function describeIncident(incident: Incident): IncidentResource {
  const { id, webhookId, policyId, state, text, key, severity, alerts, takenBy, closedBy } = incident
  return {
    id,
    webhookId,
    policyId,
    state,
    number: state === 'closed' ? null : incident.number,
    text,
    key,
    severity,
    alerts,
    openedAt: instant(incident.openedAt),
    takenBy,
    takenAt: instantOrNull(incident.takenAt),
    takenUntil: instantOrNull(incident.takenUntil),
    closedAt: instantOrNull(incident.closedAt),
    closedBy,
    next: nextStepOf(incident),
    timeline: incident.timeline.map(({ at, event, personId, messageId, detail }) => {
      return { at: instant(at), event, personId, messageId, detail }
    }),
  }
}
